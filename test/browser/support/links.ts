import { request } from 'undici';
import type { RunningService } from '../../../demo/service/index.ts';

/** Creates a link as another program of the account would, and takes it out of the journal. */
export async function createLink(
	service: RunningService,
	apiKey: string,
	fields: Record<string, string>,
): Promise<void> {
	const { statusCode, body } = await request(`${service.url}/api/v1/links`, {
		method: 'POST',
		headers: {
			accept: 'application/json',
			authorization: `Bearer ${apiKey}`,
			'content-type': 'application/x-www-form-urlencoded',
		},
		body: new URLSearchParams(fields).toString(),
	});
	const answer = await body.text();
	if (statusCode > 299) throw new Error(`the service refused a link: ${answer}`);
	service.requests.pop();
}
