import { Agent, request } from 'undici';
import {
	startService,
	type RunningService,
	type ServiceOptions,
} from '../../testkit/service/index.ts';

/** A resource as the service answers it. */
export interface Item {
	id: number;
	[field: string]: unknown;
}

/** What a test varies about a request. */
export interface Options {
	/** Form fields by their wire names; a text is sent as it is. */
	form?: Record<string, string> | string;
	headers?: Record<string, string | undefined>;
}

/** The key that the service takes unless it is told others. */
export const key = 'demo-key-0123456789';

/** A time as the service writes it. */
export const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

/**
 * For the tests of one file: the reference service, anew for each test, and the ways to ask it over real HTTP. What it
 * must answer stands in the contract and the assumptions.
 */
export function useReferenceService() {
	const agent = new Agent();
	let service: RunningService | undefined;

	beforeEach(async () => {
		service = await startService();
	});
	afterEach(async () => await current().stop());
	afterAll(async () => await agent.destroy());

	const current = (): RunningService => {
		if (!service) throw new Error('the reference service is not running');
		return service;
	};

	/** Stops the service and starts another one with these options. */
	async function restart(options?: ServiceOptions): Promise<void> {
		await current().stop();
		service = await startService(options);
	}

	/** Sends a request as a well-behaved client does; `headers` changes its headers, undefined leaves one out. */
	async function send(method: string, path: string, { form, headers = {} }: Options = {}) {
		const body = typeof form === 'object' ? new URLSearchParams(form).toString() : form;
		const wanted = {
			accept: 'application/json',
			authorization: `Bearer ${key}`,
			'content-type': body === undefined ? undefined : 'application/x-www-form-urlencoded',
			...headers,
		};
		const sent = Object.entries(wanted).filter((header) => header[1] !== undefined);
		return await request(current().url + path, {
			dispatcher: agent,
			method: method as 'GET',
			headers: Object.fromEntries(sent),
			body,
		});
	}

	/** A request, and the whole answer as text. */
	async function call(method: string, path: string, options?: Options) {
		const { statusCode: status, headers, body } = await send(method, path, options);
		const text = await body.text();
		return { status, headers, text };
	}

	/** A call whose answer is JSON: its status and its body. */
	async function ask(method: string, path: string, form?: Options['form']) {
		const { status, text } = await call(method, path, { form });
		return { status, body: JSON.parse(text) as Record<string, unknown> };
	}

	/** Creates a link from the least that is needed and these fields; fails when the service refuses it. */
	async function createLink(fields: Record<string, string> = {}): Promise<Item> {
		const form = { url: 'https://example.com/', domain_id: '1', ...fields };
		const { status, body } = await ask('POST', '/api/v1/links', form);
		expect({ status, body }).toMatchObject({ status: 201 });
		return body.data as Item;
	}

	async function readLink(id: number): Promise<Item> {
		const { body } = await ask('GET', `/api/v1/links/${id}`);
		return body.data as Item;
	}

	/** The rows of a list; `query` is everything after the resource's path. */
	async function rows(query: string): Promise<Item[]> {
		const { status, body } = await ask('GET', `/api/v1/${query}`);
		expect(status).toBe(200);
		return body.data as Item[];
	}

	/** One field of each row of a list. */
	async function column(query: string, field: string): Promise<unknown[]> {
		return (await rows(query)).map((row) => row[field]);
	}

	/** The bad fields of a 422, sorted; the status itself when it is another. */
	async function badFields(method: string, path: string, form: Options['form']): Promise<unknown> {
		const { status, body } = await ask(method, path, form);
		return status === 422 ? Object.keys(body.message as object).sort() : status;
	}

	return {
		current,
		restart,
		send,
		call,
		ask,
		createLink,
		readLink,
		rows,
		column,
		badFields,
	};
}
