import { request } from 'undici';
import type { RunningService } from '../../../testkit/service/index.ts';

export const apiKey = 'browser-key-0123456789';

/** Adds to the account what another program would, and leaves no trace of it in the journal; returns the new id. */
async function create(
	service: RunningService,
	path: string,
	fields: Record<string, string>,
): Promise<number> {
	const { statusCode, body } = await request(`${service.url}/api/v1${path}`, {
		method: 'POST',
		headers: {
			accept: 'application/json',
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/x-www-form-urlencoded',
		},
		body: new URLSearchParams(fields).toString(),
	});
	const answer = await body.text();
	if (statusCode > 299) throw new Error(`the service refused ${path}: ${answer}`);
	service.requests.pop();
	return (JSON.parse(answer) as { data: { id: number } }).data.id;
}

export const createLink = async (service: RunningService, fields: Record<string, string>) =>
	await create(service, '/links', fields);

export const createPixel = async (service: RunningService, fields: Record<string, string>) =>
	await create(service, '/pixels', fields);
