import type { IDataObject } from 'n8n-workflow';
import type { Effect } from '../../../testkit/service/index.ts';
import type { NodeResult } from '../../support/n8n.ts';
import {
	linkAs,
	pageOf,
	useScriptedService,
	type HookedAnswer,
} from '../../support/scriptedService.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';
import { linkForm } from '../linkForm.ts';

const { current, link, pixel } = useService();

const create = (more: Run = {}, fields: IDataObject = {}) => {
	const url = '={{ $json.url ?? "https://example.com" }}';
	// Repeats have tests of their own.
	const parameters = linkForm({ url, ...fields }, { options: { maxWait: 0 }, ...more.parameters });
	return link('create', { ...more, parameters });
};

const faulty = (effect: Effect) => current().set({ faults: [{ effect }] });

const inAnHour = new Date(Date.now() + 3_600_000).toUTCString();

const parts = ({ error }: NodeResult) => [error?.message, error?.description];

const read = (result: NodeResult) => parts(result).join('\n');

const status = (code: number, retryAfter?: string): Effect => ({
	...{ kind: 'status', status: code },
	...(retryAfter === undefined ? {} : { retryAfter }),
});

describe('an answer that is an error says what to do next', () => {
	it.each<[string, Effect, RegExp]>([
		['401', status(401), /API key.*HTTP 401[^]*Open the credential/],
		['403', status(403), /HTTP 403[^]*plan/],
		['404', status(404), /HTTP 404[^]*Base URL/],
		[
			'407',
			status(407),
			/^The proxy of n8n requires a login \(HTTP 407\)\nThe service did not receive the request\. Set HTTP_PROXY or HTTPS_PROXY .* user and password/,
		],
		['419', status(419), /HTTP 419[^]*Base URL/],
		['429', status(429, '17'), /HTTP 429[^]*Wait 17 seconds/],
		['429 with a date', status(429, inAnHour), /HTTP 429[^]*Wait 3[56]\d\d seconds/],
		[
			'429 with a date that has passed',
			status(429, 'Thu, 01 Jan 1970 00:00:00 GMT'),
			/HTTP 429[^]*Wait a minute before you run/,
		],
		[
			'the web page of a firewall',
			{ kind: 'html', status: 403 },
			/web page instead of data \(HTTP 403\)[^]*titled "[^"]+"\. A firewall or proxy/,
		],
		['500', status(500), /HTTP 500[^]*may have processed the request/],
		['502', status(502), /HTTP 502[^]*may have processed the request/],
		['503', status(503), /HTTP 503[^]*did not process the request/],
		['503 with a time', status(503, '60'), /HTTP 503[^]*did not process the request\. Wait 60 sec/],
		['a web page', { kind: 'html' }, /web page instead of data \(HTTP 200\)[^]*Base URL/],
		['a web page as an error', { kind: 'html', status: 502 }, /HTTP 502/],
		[
			'a redirect to a login page',
			{ kind: 'redirect', location: '/login' },
			/redirected.*HTTP 302[^]*redirect goes to \/login[^]*Base URL/,
		],
		['JSON that stops half-way', { kind: 'truncatedJson' }, /incomplete or not valid JSON/],
		['a cut body', { kind: 'cut' }, /broke before the response was complete[^]*may have/],
		['a dropped connection', { kind: 'drop', when: 'before' }, /broke before[^]*may have/],
		['an empty body', { kind: 'empty' }, /contains no resource[^]*may have processed the request/],
		['a list instead of a link', { kind: 'body', body: [1, 2] }, /contains no resource/],
	])('%s', async (_, effect, text) => {
		faulty(effect);
		const result = await create();
		expect(read(result)).toMatch(text);
		expect(result.error).toMatchObject({ name: 'NodeApiError', context: { data: { row: 1 } } });
		expect(current().requests).toHaveLength(1);
	});

	const check = /request: check there before you run this item again/;
	const again = /request\. Run this item again: what is/;

	it.each<[operation: string, method: string, parameters: IDataObject, advice: RegExp]>([
		['update', 'PUT', { linkId: byId(1), updateFields: { disabled: true } }, again],
		['upsert', 'POST', { matchBy: 'alias', alias: 'a' }, again],
		['upsert', 'POST', { matchBy: 'id' }, check],
		['upsert', 'POST', { matchBy: 'id', alias: 'a' }, check],
		['delete', 'DELETE', { linkId: byId(1) }, check],
	])('%s with a %s that may be done, and %j', async (operation, method, parameters, advice) => {
		const faults = [{ on: { method }, effect: status(500) }];
		// The search after a create by ID fails, too.
		const search = { on: { method: 'GET' }, effect: status(403) };
		current().set({ faults: parameters.matchBy === 'id' ? [...faults, search] : faults });
		const form = { url: 'https://example.com', domainId: byId(1), options: { maxWait: 0 } };
		const result = await link(operation, { parameters: { ...form, ...parameters } as never });
		expect(read(result)).toMatch(advice);
	});

	it('a time-out', async () => {
		faulty({ kind: 'hang' });
		const result = await create({ parameters: { options: { timeout: 0.3, maxWait: 0 } } });
		expect(read(result)).toMatch(/did not respond in time[^]*longer Timeout/);
	});

	it.each([
		[
			'a refused connection',
			'http://127.0.0.1:9',
			/Cannot connect to 127\.0\.0\.1:9[^]*Nothing was sent/,
		],
		[
			'a host that does not exist',
			'http://no-such-host.invalid',
			/no-such-host\.invalid cannot be found[^]*spelling of Base URL/,
		],
	])('%s', async (_, baseUrl, text) => {
		expect(read(await create({ credential: { baseUrl } }))).toMatch(text);
	});

	it('https on a port that serves http: nothing was sent, and nothing is retried', async () => {
		const baseUrl = current().url.replace('http:', 'https:');
		const result = await create({ credential: { baseUrl }, parameters: { options: {} } });
		expect(read(result)).toMatch(
			/^[\d.:]+ does not accept a secure connection \(https\)\nNothing was sent\. Check the scheme/,
		);
		expect(result.error?.context.data).toMatchObject({ outcome: 'failed' });
		expect(current().requests).toEqual([]);
	});

	it('cites what the service said, shortened', async () => {
		faulty({ kind: 'status', status: 403, body: { message: `No API. ${'x'.repeat(500)}` } });
		const text = read(await create());
		expect(text).toMatch(/The service said: No API\. x+…/);
		expect(text.length).toBeLessThan(600);
	});
});

describe('field errors', () => {
	it.each(['family', 'framework'] as const)(
		'of the %s shape, by field name and as data',
		async (errorShape) => {
			current().set({ errorShape });
			const result = await create(
				{ items: [{ url: 'https://example.com' }] },
				{ alias: 'not valid!', spaceId: byId(99) },
			);
			expect(result.error?.message).toMatch(
				/^The service did not accept the values \(HTTP 422\): Alias: [^;]+; Space: [^;]+$/,
			);
			expect(result.error).toMatchObject({
				httpCode: '422',
				context: {
					data: {
						row: 1,
						statusCode: 422,
						fieldErrors: { alias: [expect.any(String)], space_id: [expect.any(String)] },
					},
				},
			});
		},
	);

	it('of a domain name the field, in both forms of its key', async () => {
		const result = await create({ parameters: { domainId: byId('') } });
		expect(result.error?.message).toBe(
			'The service did not accept the values (HTTP 422): Domain: The domain id field is required.',
		);
		expect(result.error?.context.data).toMatchObject({
			fieldErrors: { domain_id: [expect.any(String)] },
		});
		for (const key of ['domain', 'domain_id']) {
			faulty({ kind: 'status', status: 422, body: { message: { [key]: ['Nope'] } } });
			const without = await create({ parameters: { domainId: byId('') } });
			expect(without.error?.message).toMatch(/: Domain: Nope$/);
			const given = await create({ parameters: { domainId: byId(7) } });
			expect(given.error?.message).toMatch(/: Domain: Nope\. Sent: "7"$/);
		}
	});

	it('of a rule and of a part of a field by the name of the field', async () => {
		const message = { 'country.0.key': ['Unknown country.'], expiration_time: ['Too late.'] };
		faulty({ kind: 'status', status: 422, body: { message } });
		expect((await create()).error?.message).toContain(
			'Country Rules, number 1: Unknown country.; Expiration: Too late.',
		);
	});
});

describe('bad rows', () => {
	const items = [
		{ url: 'https://example.com/1', day: '2030-01-01' },
		{ url: 'example.com', day: '2030-02-30' },
		{ url: 'https://example.com/3', day: '2030-01-01' },
		{ url: 'https://example.com/4\nhttps://example.com/5', day: '2030-01-01' },
	];
	const dated = { expiration: '={{ $json.day }}' };

	it('are reported together, and nothing was sent', async () => {
		const result = await create({ items }, dated);
		expect(result.error?.message).toBe('2 of 4 items cannot be sent');
		expect(result.error?.description).toMatch(
			/Item 2: Destination URL "example\.com" must start with https.*Expiration "2030-02-30" is not a date and time; enter it as 2030[^]*Item 4: Destination URL "https:\/\/example\.com\/4\\nhttps:\/\/example\.com\/5" contains a line break[^]*Nothing was sent/,
		);
		expect(result.error).toMatchObject({
			name: 'NodeOperationError',
			context: { data: { rows: [{ row: 2 }, { row: 4 }] } },
		});
		// The editor would write it behind the message, counted from 0.
		expect(result.error?.context.itemIndex).toBeUndefined();
		expect(current().requests).toEqual([]);
	});

	it('are named one by one, up to 20', async () => {
		const rows = Array.from({ length: 32 }, (_, at) => ({ alias: `row-${at + 1}`, url: '' }));
		const parameters = { url: '={{ $json.url }}' };
		const result = await create({ items: rows, parameters }, { alias: '={{ $json.alias }}' });
		expect(result.error?.message).toBe('32 of 32 items cannot be sent');
		expect(String(result.error?.description).split('\n')).toEqual([
			...rows
				.slice(0, 20)
				.map(
					({ alias }, at) =>
						`Item ${at + 1} (${alias}): Destination URL is missing; enter a value.`,
				),
			...['and 12 more items.', 'Nothing was sent.'],
		]);
		expect(current().requests).toEqual([]);
	});

	it('name an expression that fails', async () => {
		const failing = '={{ (() => { throw new Error("no such column") })() }}';
		const result = await create({ items: [{}], parameters: { url: failing } });
		expect(result.error?.message).toMatch(/^Destination URL is missing; enter a value/);
		const nested = await create({ items: [{}] }, { password: "={{ $('None').item.json.x }}" });
		expect(nested.error?.message).toMatch(/^Additional Fields has an expression that fails/);
		expect(current().requests).toEqual([]);
	});

	it('are told from columns of any name', async () => {
		const items = [{ id: { id: 1, reason: 'old campaign' } }];
		const { error } = await link('get', { items, parameters: { linkId: byId('={{ $json.id }}') } });
		expect(error?.message).toBe(
			'Link {"id":1,"reason":"old campaign"} is not an ID; enter the ID that the service shows, such as 42',
		);
	});

	it.each([
		[{ dryRun: 'perhaps' }, 'Dry Run "perhaps" is neither true nor false; enter true or false'],
		[{ maxWait: 'long' }, 'Max Wait (Seconds) "long" is not a number of at least 0'],
		[{ concurrency: 0 }, 'Concurrency 0 is not a number of at least 1'],
		[{ timeout: 3_000_000 }, 'Timeout (Seconds) 3000000 is not a number from 0.01 to 3600'],
	])('are not sent with the options %j', async (options, message) => {
		const { error } = await create({ items: [{}], parameters: { options } });
		expect(error?.message).toBe(message);
		expect(current().requests).toEqual([]);
	});
});

it.each(['continueRegularOutput', 'continueErrorOutput'] as const)(
	'%s: a wrong base URL fails every row instead of handing the input on',
	async (onError) => {
		const items = [{}, {}, {}];
		const result = await create({ items, onError, credential: { baseUrl: 'nowhere' } });
		const failed = result.outputs[onError === 'continueErrorOutput' ? 1 : 0] ?? [];
		expect(failed.map(({ json }) => json)).toEqual(
			items.map(() => ({
				error: expect.stringMatching(/^Base URL must be the http or https address/),
				errorDetails: expect.objectContaining({
					description: 'Nothing was sent. Open the credential and correct it.',
				}),
			})),
		);
	},
);

const changes = { updateFields: { disabled: true } };
const added = { updateFields: { pixelIds: [1], pixelMode: 'add' } };

describe('what the service does not know is named', () => {
	it.each<[string, object]>([
		['get', {}],
		['update', changes],
		['update', added],
	])('by its ID on %s', async (operation, more) => {
		expect(parts(await link(operation, { parameters: { linkId: byId(123456), ...more } }))).toEqual(
			[
				'No link has the ID 123456',
				'Check the ID, or choose the link from the list. If every item fails like this, check Base URL in the credential.',
			],
		);
		expect(current().requests.map(({ status }) => status)).toEqual([404]);
	});

	it('with the ways to name a link by another text, where the ID is no number', async () => {
		const [message, advice] = parts(await link('get', { parameters: { linkId: byId('spring') } }));
		expect(message).toBe('No link has the ID spring');
		expect(advice).toMatch(
			/ IDs are usually numbers\. For another text, choose By Short URL or By Alias\. /,
		);
		const one = parts(await pixel('get', { parameters: { pixelId: byId('spring') } }));
		expect(one).toEqual(['No pixel has the ID spring', expect.not.stringContaining('short URL')]);
	});

	it.each([
		['its ID', byId(7), 'No link has the ID 7'],
		[
			'its short URL',
			{ __rl: true, mode: 'url', value: 'short.example/none' },
			'No link has the short URL short.example/none',
		],
	])('on delete by %s, with the option that takes it for done', async (_, linkId, message) => {
		const failed = await link('delete', { parameters: { linkId } });
		expect(failed.error?.message).toBe(`${message}`);
		expect(failed.error?.description).toMatch(
			/ To treat it as deleted, turn on Ignore Missing under Options\.$/,
		);
		const parameters = { linkId, options: { ignoreMissing: true } };
		expect(jsonOf(await link('delete', { parameters }))).toMatchObject([{ deleted: false }]);
	});
});

describe('a missing link', () => {
	const scripted = useScriptedService();
	/** Deletes a link, although it may be missing, from a service that answers everything in one way. */
	const deleting = async (linkId: object, answer: HookedAnswer) => {
		scripted.current().follow(() => answer);
		const parameters = { linkId, options: { ignoreMissing: true } } as never;
		return await scripted.link('delete', { parameters });
	};
	const page = { status: 404, body: '<html><title>Not here</title></html>' };

	it.each([
		['a web page', byId(1), page],
		[
			'a list that is not there',
			{ __rl: true, mode: 'alias', value: 'a' },
			{ status: 404, body: { message: 'Not Found.' } },
		],
	])('is not reported by %s', async (_, linkId, answer) => {
		const result = await deleting(linkId, answer);
		expect(result.error?.message).toContain('HTTP 404');
	});

	it.each([
		['url', 'short.example/one', { short_url: null, domain: null }],
		['alias', 'one', { alias: null }],
	])(
		'is not reported by a list that does not show what By %s compares',
		async (mode, value, hidden) => {
			const result = await deleting({ __rl: true, mode, value }, pageOf([linkAs(hidden)]));
			expect(result.error?.message).toMatch(
				/^The service does not show the (short URL|alias) of each link$/,
			);
		},
	);

	it('is reported by the service itself', async () => {
		const body = { message: 'Resource not found.' };
		const result = await deleting(byId(1), { status: 404, body });
		expect(jsonOf(result)).toEqual([{ id: 1, deleted: false }]);
	});
});
