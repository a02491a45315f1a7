import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import fc from 'fast-check';
import { Agent, request } from 'undici';
import { FaultPlan } from '../../demo/service/faults.ts';
import { decodeForm } from '../../demo/service/form.ts';
import { startService, type Effect, type RunningService } from '../../demo/service/index.ts';

/** The reference service, asked over real HTTP. What it must answer stands in the contract and the assumptions. */

interface Item {
	id: number;
	[field: string]: unknown;
}

interface Options {
	/** Form fields by their wire names; a text is sent as it is. */
	form?: Record<string, string> | string;
	headers?: Record<string, string | undefined>;
}

const key = 'demo-key-0123456789';
const agent = new Agent();
let service: RunningService;

beforeEach(async () => {
	service = await startService();
});
afterEach(() => service.stop());
afterAll(() => agent.destroy());

/** Sends a request as a well-behaved client does; `headers` changes its headers, undefined leaves one out. */
function send(method: string, path: string, { form, headers = {} }: Options = {}) {
	const body = typeof form === 'object' ? new URLSearchParams(form).toString() : form;
	const wanted = {
		accept: 'application/json',
		authorization: `Bearer ${key}`,
		'content-type': body === undefined ? undefined : 'application/x-www-form-urlencoded',
		...headers,
	};
	const sent = Object.entries(wanted).filter((header) => header[1] !== undefined);
	return request(service.url + path, {
		dispatcher: agent,
		method: method as 'GET',
		headers: Object.fromEntries(sent),
		body,
	});
}

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

async function column(query: string, field: string): Promise<unknown[]> {
	return (await rows(query)).map((row) => row[field]);
}

/** The bad fields of a 422, sorted; the status itself when it is another. */
async function badFields(method: string, path: string, form: Options['form']): Promise<unknown> {
	const { status, body } = await ask(method, path, form);
	return status === 422 ? Object.keys(body.message as object).sort() : status;
}

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);

describe('link endpoints', () => {
	test('create answers 201 with status 200, sent numbers as text, and null for what was not sent', async () => {
		const { status, body } = await ask('POST', '/api/v1/links', {
			url: 'https://www.example.com/page?a=1',
			domain_id: '2',
			alias: 'Spring_sale-1',
			space_id: '1',
			disabled: '1',
			password: 'secret',
			'pixel_ids[]': '2',
			'rotation[0][value]': 'https://a.example/',
			expiration_date: '2031-05-06',
			expiration_time: '07:08',
			expiration_clicks: '9',
		});
		expect(status).toBe(201);
		expect(body).toEqual({
			status: 200,
			data: {
				id: 1,
				alias: 'Spring_sale-1',
				url: 'https://www.example.com/page?a=1',
				short_url: `${service.url}/s/2/Spring_sale-1`,
				title: 'www.example.com',
				target_type: null,
				country_target: null,
				platform_target: null,
				language_target: null,
				rotation_target: [{ value: 'https://a.example/' }],
				last_rotation: null,
				disabled: '1',
				privacy: null,
				privacy_password: false,
				password: true,
				expiration_url: null,
				expiration_clicks: '9',
				clicks: null,
				space: { id: 1, name: expect.any(String) },
				domain: { id: 2, name: expect.any(String) },
				pixels: [expect.objectContaining({ id: 2, type: 'google-analytics' })],
				ends_at: '2031-05-06T07:08:00.000000Z',
				created_at: moment,
				updated_at: moment,
			},
		});
	});

	test('read answers numbers and defaults, and never a secret', async () => {
		const { id } = await createLink({ privacy: '2', privacy_password: 'hush-hush' });
		const { status, text } = await call('GET', `/api/v1/links/${id}`);
		expect(status).toBe(200);
		expect(text).not.toContain('hush-hush');
		expect(JSON.parse(text)).toMatchObject({
			status: 200,
			data: {
				disabled: 0,
				privacy: 2,
				target_type: 0,
				clicks: 0,
				last_rotation: 0,
				password: false,
				privacy_password: true,
				space: null,
				short_url: `${service.url}/s/${(await readLink(id)).alias}`,
			},
		});
	});

	test('delete answers what it deleted, and the link is gone', async () => {
		const { id } = await createLink();
		const kept = await createLink();
		expect(await ask('DELETE', `/api/v1/links/${id}`)).toEqual({
			status: 200,
			body: { id, object: 'link', deleted: true, status: 200 },
		});
		expect(await column('links', 'id')).toEqual([kept.id]);
	});

	test.each([
		['GET', '/api/v1/links/999'],
		['PUT', '/api/v1/links/999'],
		['DELETE', '/api/v1/links/999'],
		['GET', '/api/v1/links/abc'],
		['GET', '/api/v1/links/0'],
		['GET', '/api/v1/pixels/999'],
		['PATCH', '/api/v1/links'],
		['GET', '/api/v1/domains'],
		['GET', '/api/v2/links'],
	])('%s %s is not found', async (method, path) => {
		const form = method === 'PUT' ? { url: 'https://example.com/' } : undefined;
		expect(await ask(method, path, form)).toEqual({
			status: 404,
			body: { message: 'Resource not found.', status: 404 },
		});
	});

	test('an alias is generated when absent or empty', async () => {
		const links = [await createLink(), await createLink({ alias: '' })];
		const aliases = links.map(({ alias }) => alias);
		expect(aliases).toEqual(Array(2).fill(expect.stringMatching(/^[\w-]{6}$/)));
		expect(new Set(aliases).size).toBe(2);
	});

	test('the domain may come under the name of the create example', async () => {
		const { body } = await ask('POST', '/api/v1/links', { url: 'https://a.example', domain: '2' });
		expect(body.data).toMatchObject({ domain: { id: 2 } });
	});
});

describe('pixel endpoints', () => {
	const pixel = { name: 'Ads', type: 'google-ads', value: 'AW-123_4' };

	test('create, read, update and delete', async () => {
		const created = await ask('POST', '/api/v1/pixels', pixel);
		const data = { id: 4, ...pixel, created_at: moment, updated_at: moment };
		expect(created).toEqual({ status: 201, body: { data, status: 200 } });
		expect(await ask('GET', '/api/v1/pixels/4')).toEqual({
			status: 200,
			body: { data, status: 200 },
		});
		expect(await ask('PUT', '/api/v1/pixels/4', { value: 'AW-9' })).toEqual({
			status: 200,
			body: { data: { ...data, value: 'AW-9' }, status: 200 },
		});
		expect(await ask('DELETE', '/api/v1/pixels/4')).toEqual({
			status: 200,
			body: { id: 4, object: 'pixel', deleted: true, status: 200 },
		});
		expect(await column('pixels', 'id')).toEqual([3, 2, 1]);
	});

	test('a new database has three pixels', async () => {
		const types = ['facebook', 'google-analytics', 'linkedin'];
		expect(await column('pixels?sort=asc', 'type')).toEqual(types);
	});

	test('search, type filter and order', async () => {
		expect(await column('pixels?search=VISIT', 'id')).toEqual([1]);
		expect(await column('pixels?search=linkedin&search_by=type', 'id')).toEqual([3]);
		expect(await column('pixels?type=facebook', 'id')).toEqual([1]);
		expect(await column('pixels?sort_by=name&sort=asc', 'id')).toEqual([2, 1, 3]);
	});

	test('a deleted pixel leaves the links', async () => {
		const { id } = await createLink({ 'pixel_ids[]': '1' });
		await ask('DELETE', '/api/v1/pixels/1');
		expect((await readLink(id)).pixels).toEqual([]);
	});

	test.each([
		['name missing', { ...pixel, name: '' }, ['name']],
		['name too long', { ...pixel, name: 'é'.repeat(33) }, ['name']],
		['name taken', { ...pixel, name: 'Analytics' }, ['name']],
		['type missing', { name: 'n', value: 'v' }, ['type']],
		['type unknown', { ...pixel, type: 'x' }, ['type']],
		['value missing', { name: 'n', type: 'bing' }, ['value']],
		['value with a space', { ...pixel, value: 'a b' }, ['value']],
		['value too long', { ...pixel, value: 'v'.repeat(256) }, ['value']],
		['everything missing', {}, ['name', 'type', 'value']],
		['at the bounds', { ...pixel, name: '😀'.repeat(32), value: 'v'.repeat(255) }, 201],
	])('create with %s', async (_what, form, outcome) => {
		expect(await badFields('POST', '/api/v1/pixels', form)).toEqual(outcome);
	});

	test.each([
		['its own name', { name: 'Analytics' }, 200],
		["another pixel's name", { name: 'Facebook visitors' }, ['name']],
		['an empty value', { value: '' }, ['value']],
		['nothing', {}, 200],
	])('update with %s', async (_what, form, outcome) => {
		expect(await badFields('PUT', '/api/v1/pixels/2', form)).toEqual(outcome);
	});
});

describe('pages of a list', () => {
	beforeEach(async () => {
		for (let count = 0; count < 12; count += 1) await createLink();
	});

	test('carry links and meta; the links lose the filters', async () => {
		const { body } = await ask('GET', '/api/v1/links?status=1&search=example&sort=asc&page=2');
		const path = `${service.url}/api/v1/links`;
		expect(body).toEqual({
			data: [expect.objectContaining({ id: 11 }), expect.objectContaining({ id: 12 })],
			links: {
				first: `${path}?per_page=10&page=1`,
				last: `${path}?per_page=10&page=2`,
				prev: `${path}?per_page=10&page=1`,
				next: null,
			},
			meta: {
				current_page: 2,
				from: 11,
				last_page: 2,
				path,
				per_page: 10,
				to: 12,
				total: 12,
			},
			status: 200,
		});
		const first = await ask('GET', '/api/v1/links?status=1');
		expect(first.body.links).toMatchObject({ prev: null, next: `${path}?per_page=10&page=2` });
	});

	test.each([
		['10', 10],
		['25', 25],
		['50', 50],
		['100', 100],
		['7', 10],
		['1000', 10],
		['', 10],
	])('per_page=%s means %d', async (asked, size) => {
		const { body } = await ask('GET', `/api/v1/links?per_page=${asked}`);
		expect(body.meta).toMatchObject({ per_page: size });
		expect(body.data).toHaveLength(Math.min(size, 12));
	});

	test('a page after the last one is empty, a page that is no number is the first', async () => {
		const { body } = await ask('GET', '/api/v1/links?page=3');
		expect(body).toMatchObject({ data: [], meta: { from: null, to: null, total: 12 } });
		expect(await column('links?page=x', 'id')).toEqual([12, 11, 10, 9, 8, 7, 6, 5, 4, 3]);
	});

	test('ignorePage always gives the first page', async () => {
		service.set({ ignorePage: true });
		const { body } = await ask('GET', '/api/v1/links?sort=asc&page=2');
		expect(body.meta).toMatchObject({ current_page: 1, last_page: 2 });
		expect(body.data).toMatchObject([{ id: 1 }, ...Array(9).fill({})]);
	});

	test('the flat envelope', async () => {
		service.set({ envelope: 'flat' });
		const { body } = await ask('GET', '/api/v1/links?page=2');
		const path = `${service.url}/api/v1/links`;
		expect(body).toEqual({
			current_page: 2,
			data: [expect.objectContaining({ id: 2 }), expect.objectContaining({ id: 1 })],
			first_page_url: `${path}?per_page=10&page=1`,
			from: 11,
			last_page: 2,
			last_page_url: `${path}?per_page=10&page=2`,
			next_page_url: null,
			path,
			per_page: 10,
			prev_page_url: `${path}?per_page=10&page=1`,
			to: 12,
			total: 12,
		});
	});

	test('the simple envelope tells no total and no last page', async () => {
		service.set({ envelope: 'simple' });
		const { body } = await ask('GET', '/api/v1/links');
		const path = `${service.url}/api/v1/links`;
		expect(body).toEqual({
			current_page: 1,
			data: Array(10).fill(expect.anything()),
			first_page_url: `${path}?per_page=10&page=1`,
			from: 1,
			next_page_url: `${path}?per_page=10&page=2`,
			path,
			per_page: 10,
			prev_page_url: null,
			to: 10,
		});
	});

	test('the bare envelope is an array', async () => {
		service.set({ envelope: 'bare' });
		const { body } = await ask('GET', '/api/v1/links?page=2');
		expect(body).toMatchObject([{ id: 2 }, { id: 1 }]);
	});
});

describe('filters and order of links', () => {
	beforeEach(async () => {
		await createLink({ url: 'https://b.example/news', alias: 'Zoo', domain_id: '2' });
		await createLink({ url: 'https://c.example/shop', alias: 'ant', space_id: '2' });
		await createLink({ url: 'https://a.example/100%25', alias: 'fox_1', 'pixel_ids[]': '3' });
	});

	test.each([
		['', [3, 2, 1]],
		['search=C.EXAMPLE', [2]],
		['search=news', []],
		['search=news&search_by=url', [1]],
		['search=O&search_by=alias', [3, 1]],
		['search=%25&search_by=url', [3]],
		['search=_&search_by=alias', [3]],
		['search=a.example&search_by=nonsense', [3]],
		['space_id=2', [2]],
		['domain_id=2', [1]],
		['pixel_id=3', [3]],
		['pixel_id=1', []],
		['domain_id=1&search=a.&search_by=url', [3]],
		['space_id=', [3, 2, 1]],
		['sort=asc', [1, 2, 3]],
		['sort_by=alias&sort=asc', [2, 3, 1]],
		['sort_by=title', [2, 1, 3]],
		['sort_by=url&sort=asc', [3, 1, 2]],
		['sort_by=nonsense&sort=nonsense', [3, 2, 1]],
	])('?%s', async (query, ids) => {
		expect(await column(`links?${query}`, 'id')).toEqual(ids);
	});

	test('sort_by=clicks, and clicks that visits count', async () => {
		for (const path of ['/s/ant', '/s/2/Zoo', '/s/2/Zoo'])
			expect((await call('GET', path)).status).toBe(302);
		expect(await column('links?sort_by=clicks', 'clicks')).toEqual([2, 1, 0]);
		expect(await column('links?sort_by=clicks&sort=asc', 'id')).toEqual([3, 2, 1]);
	});
});

test('status filters: active, expired by time or clicks, disabled', async () => {
	await createLink({ alias: 'plain' });
	await createLink({ alias: 'past', expiration_date: '2001-01-01', expiration_time: '00:00' });
	await createLink({ alias: 'future', expiration_date: '2999-01-01', expiration_time: '00:00' });
	await createLink({ alias: 'used-up', expiration_clicks: '1' });
	await createLink({ alias: 'unused', expiration_clicks: '1' });
	await createLink({ alias: 'off', disabled: '1' });
	await call('GET', '/s/used-up');
	const aliases = (status: string) => column(`links?sort=asc&status=${status}`, 'alias');
	expect(await aliases('1')).toEqual(['plain', 'future', 'unused']);
	expect(await aliases('2')).toEqual(['past', 'used-up']);
	expect(await aliases('3')).toEqual(['off']);
	expect(await aliases('0')).toHaveLength(6);
	expect(await aliases('4')).toHaveLength(6);
});

describe('validation of a link', () => {
	const long = `https://example.com/${'x'.repeat(2048 - 20)}`;
	const expiry = { expiration_date: '2030-02-28', expiration_time: '23:59' };
	const rule = (list: string, key: string, value = 'https://example.com') => ({
		[`${list}[0][key]`]: key,
		[`${list}[0][value]`]: value,
	});

	test.each<[string, Record<string, string>, string[]]>([
		['url', { url: '' }, ['url']],
		['url', { url: 'example.com' }, ['url']],
		['url', { url: 'https://' }, ['url']],
		['url', { url: `${long}x` }, ['url']],
		['domain', { domain_id: '' }, ['domain_id']],
		['domain', { domain_id: '3' }, ['domain_id']],
		['domain', { domain_id: '1.0' }, ['domain_id']],
		['alias', { alias: 'a b' }, ['alias']],
		['alias', { alias: 'ä' }, ['alias']],
		['alias', { alias: 'a'.repeat(256) }, ['alias']],
		['alias taken', { alias: 'taken' }, ['alias']],
		['password', { password: 'p'.repeat(129) }, ['password']],
		['statistics password', { privacy_password: 'p'.repeat(129) }, ['privacy_password']],
		['space', { space_id: '3' }, ['space_id']],
		['disabled', { disabled: '2' }, ['disabled']],
		['disabled', { disabled: 'true' }, ['disabled']],
		['privacy', { privacy: '3' }, ['privacy']],
		['target type', { target_type: '5' }, ['target_type']],
		['expiration address', { expiration_url: 'gone' }, ['expiration_url']],
		['expiration address', { expiration_url: `${long}x` }, ['expiration_url']],
		['date', { ...expiry, expiration_date: '2030-02-29' }, ['expiration_date']],
		['date', { ...expiry, expiration_date: '2030-2-28' }, ['expiration_date']],
		['date', { ...expiry, expiration_date: '2030-13-01' }, ['expiration_date']],
		['time', { ...expiry, expiration_time: '24:00' }, ['expiration_time']],
		['time', { ...expiry, expiration_time: '9:00' }, ['expiration_time']],
		['date alone', { expiration_date: '2030-02-28' }, ['expiration_time']],
		['time alone', { expiration_time: '23:59' }, ['expiration_date']],
		['clicks', { expiration_clicks: '-1' }, ['expiration_clicks']],
		['clicks', { expiration_clicks: '1.5' }, ['expiration_clicks']],
		['clicks', { expiration_clicks: '1000000000' }, ['expiration_clicks']],
		['country', rule('country', 'de'), ['country.0.key']],
		['country', rule('country', 'UK'), ['country.0.key']],
		['country', rule('country', ''), ['country.0.key']],
		['country', rule('country', 'DE', 'example.com'), ['country.0.value']],
		['country', rule('country', 'DE', `${long}x`), ['country.0.value']],
		['country', rule('country', 'DE', ''), ['country.0.value']],
		['country', { country: 'DE' }, ['country']],
		['country', { 'country[0]': 'DE' }, ['country.0']],
		['platform', rule('platform', 'ios'), ['platform.0.key']],
		['language', rule('language', 'DE'), ['language.0.key']],
		['language', rule('language', 'deu'), ['language.0.key']],
		['rotation', { 'rotation[0][value]': 'x' }, ['rotation.0.value']],
		['pixel', { 'pixel_ids[]': '99' }, ['pixel_ids']],
		['pixel', { 'pixel_ids[]': 'Facebook' }, ['pixel_ids']],
		['two fields', { url: 'x', privacy: '9' }, ['privacy', 'url']],
		['all of a rule', rule('country', 'de', 'x'), ['country.0.key', 'country.0.value']],
	])('refuses %s %j', async (_field, fields, bad) => {
		await createLink({ alias: 'taken' });
		const form = { url: 'https://example.com', domain_id: '1', ...fields };
		expect(await badFields('POST', '/api/v1/links', form)).toEqual(bad);
		expect(service.counts().links).toBe(1);
	});

	test.each<[string, Record<string, string>, Record<string, unknown>]>([
		['the longest address', { url: long }, { url: long }],
		['a scheme of an app', { url: 'app://open' }, { title: 'open' }],
		['a broken line', { url: 'https://a.example/\nb' }, { url: 'https://a.example/\nb' }],
		['an alias of another domain', { alias: 'taken', domain_id: '2' }, { alias: 'taken' }],
		['the longest alias', { alias: 'a'.repeat(255) }, { alias: 'a'.repeat(255) }],
		['the longest password', { password: 'ö'.repeat(128) }, { password: true }],
		['the most clicks', { expiration_clicks: '999999999' }, { expiration_clicks: 999999999 }],
		['a leap day', { ...expiry, expiration_date: '2028-02-29' }, {}],
		['Language', { target_type: '3', ...rule('language', 'de') }, { target_type: 3 }],
		['Rotation', { target_type: '4' }, { target_type: 4 }],
		[
			'a platform',
			rule('platform', 'OS X'),
			{ platform_target: [{ key: 'OS X', value: 'https://example.com' }] },
		],
		[
			'a country',
			rule('country', 'GB'),
			{ country_target: [{ key: 'GB', value: 'https://example.com' }] },
		],
	])('takes %s', async (_what, fields, stored) => {
		await createLink({ alias: 'taken' });
		const { id } = await createLink(fields);
		expect(await readLink(id)).toMatchObject(stored);
	});

	test('the least form lacks two fields', async () => {
		expect(await badFields('POST', '/api/v1/links', '')).toEqual(['domain_id', 'url']);
		const form = { url: 'https://a.example', domain: '9' };
		expect(await badFields('POST', '/api/v1/links', form)).toEqual(['domain']);
		expect(await badFields('POST', '/api/v1/links', 'url[]=https://a.example')).toEqual([
			'domain_id',
			'url',
		]);
	});

	test("two errors in the family's shape", async () => {
		expect(await ask('POST', '/api/v1/pixels', { name: 'n', type: 'nonsense' })).toEqual({
			status: 422,
			body: {
				message: { type: [expect.any(String)], value: [expect.any(String)] },
				status: 422,
			},
		});
	});

	test("errors in the framework's shape", async () => {
		service.set({ errorShape: 'framework' });
		const three = await ask('POST', '/api/v1/pixels', {});
		expect(three).toEqual({
			status: 422,
			body: {
				message: 'The name field is required. (and 2 more errors)',
				errors: {
					name: ['The name field is required.'],
					type: ['The type field is required.'],
					value: ['The value field is required.'],
				},
			},
		});
		const two = await ask('POST', '/api/v1/pixels', { name: 'n' });
		expect(two.body.message).toBe('The type field is required. (and 1 more error)');
		const one = await ask('PUT', '/api/v1/pixels/1', { name: '' });
		expect(one.body.message).toBe('The name field is required.');
	});

	test('without Accept a bad form is sent back to the site', async () => {
		const options = { form: { url: 'x' }, headers: { accept: undefined } };
		const { status, headers } = await call('POST', '/api/v1/links', options);
		expect([status, headers.location]).toEqual([302, '/']);
	});
});

describe('update of a link', () => {
	let id: number;
	const path = () => `/api/v1/links/${id}`;

	beforeEach(async () => {
		const link = await createLink({
			alias: 'start',
			space_id: '1',
			password: 'secret',
			expiration_url: 'https://example.com/gone',
			expiration_date: '2030-01-02',
			expiration_time: '03:04',
			expiration_clicks: '5',
			'pixel_ids[0]': '1',
			'pixel_ids[1]': '2',
			'country[0][key]': 'DE',
			'country[0][value]': 'https://de.example',
			'country[1][key]': 'FR',
			'country[1][value]': 'https://fr.example',
		});
		id = link.id;
	});

	test('changes what is sent and nothing else', async () => {
		const before = await readLink(id);
		const { status, body } = await ask('PUT', path(), { url: 'https://new.example/' });
		const after = { ...before, url: 'https://new.example/', title: 'new.example' };
		expect({ status, body }).toEqual({
			status: 200,
			body: { data: { ...after, updated_at: moment }, status: 200 },
		});
		expect(await readLink(id)).toEqual({ ...after, updated_at: moment });
	});

	test('answers sent numbers as text', async () => {
		const { body } = await ask('PUT', path(), { privacy: '1' });
		expect(body.data).toMatchObject({ privacy: '1', disabled: 0, expiration_clicks: 5 });
		expect(await readLink(id)).toMatchObject({ privacy: 1 });
	});

	test('replaces each list whole', async () => {
		await ask('PUT', path(), {
			'pixel_ids[]': '3',
			'country[0][key]': 'US',
			'country[0][value]': 'https://us.example',
		});
		const link = await readLink(id);
		expect(link.pixels).toMatchObject([{ id: 3 }]);
		expect(link.country_target).toEqual([{ key: 'US', value: 'https://us.example' }]);
	});

	test('empty texts clear', async () => {
		const form = new URLSearchParams({
			password: '',
			space_id: '',
			expiration_url: '',
			expiration_clicks: '',
			expiration_date: '',
			expiration_time: '',
			'pixel_ids[]': '',
			'country[0][key]': '',
			'country[0][value]': '',
		});
		expect((await ask('PUT', path(), form.toString())).status).toBe(200);
		expect(await readLink(id)).toMatchObject({
			alias: 'start',
			password: false,
			space: null,
			expiration_url: null,
			expiration_clicks: null,
			ends_at: null,
			pixels: [],
			country_target: null,
		});
	});

	test('ignores the domain', async () => {
		expect((await ask('PUT', path(), { domain_id: '2' })).status).toBe(200);
		expect(await readLink(id)).toMatchObject({ domain: { id: 1 } });
	});

	test.each<[Record<string, string>, string[] | number]>([
		[{ alias: '' }, ['alias']],
		[{ url: '' }, ['url']],
		[{ disabled: '' }, ['disabled']],
		[{ alias: 'other' }, ['alias']],
		[{ alias: 'start' }, 200],
		[{ expiration_date: '2031-01-01' }, ['expiration_time']],
		[{ expiration_date: '' }, ['expiration_time']],
		[{ expiration_date: '', expiration_time: '10:00' }, ['expiration_date']],
		[{ country: '' }, ['country']],
		[{ 'pixel_ids[]': '99', space_id: '99' }, ['pixel_ids', 'space_id']],
		[{}, 200],
	])('%j', async (form, outcome) => {
		await createLink({ alias: 'other' });
		const before = await readLink(id);
		expect(await badFields('PUT', path(), form)).toEqual(outcome);
		expect(await readLink(id)).toEqual({ ...before, updated_at: moment });
	});

	test.each(['pixel_ids=1', 'pixel_ids='])('breaks on the scalar %s', async (form) => {
		const { status, body } = await ask('PUT', path(), form);
		expect({ status, body }).toMatchObject({ status: 500, body: { message: 'Server Error' } });
		expect((await readLink(id)).pixels).toHaveLength(2);
		const create = await ask('POST', '/api/v1/links', `url=https://a.example&domain_id=1&${form}`);
		expect(create.status).toBe(500);
		expect(service.counts().links).toBe(1);
	});
});

describe('forms as PHP reads them', () => {
	test.each<[string, unknown]>([
		['a=1&a=2', { a: '2' }],
		['a%62=1&ab=2', { ab: '2' }],
		['a[5]=1&a[0]=2&a[]=3', { a: ['2', '1', '3'] }],
		['a[]=1&a[]=2', { a: ['1', '2'] }],
		['a%5B%5D=1&a%5b%5d=2', { a: ['1', '2'] }],
		['a[]=', { a: [''] }],
		['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
		['a[0][k]=1&a[0][v]=2&a[1][k]=3', { a: [{ k: '1', v: '2' }, { k: '3' }] }],
		['a[][k]=1&a[][v]=2', { a: [{ k: '1' }, { v: '2' }] }],
		['a[0]=1&a[]=2&a[0]=3', { a: ['3', '2'] }],
		['a[]=1&a=2', { a: '2' }],
		['a=1&a[]=2', { a: ['2'] }],
		['a.b=1', { 'a.b': '1' }],
		['a', { a: '' }],
		['a=x+y%2Bz%C3%A4', { a: 'x y+zä' }],
		['a=x?b[]=1=2', { a: 'x?b[]=1=2' }],
		['toString=1', { toString: '1' }],
		['', {}],
	])('%s', (encoded, decoded) => {
		// Through JSON, because the decoder's objects have no prototype.
		expect(JSON.parse(JSON.stringify(decodeForm(encoded)))).toEqual(decoded);
	});

	test('an array of 1000 stays an array', () => {
		const ids = Array.from({ length: 1000 }, (_, id) => String(id));
		expect(decodeForm(`${ids.map((id) => `a[]=${id}`).join('&')}&b=1`)).toEqual({
			a: ids,
			b: '1',
		});
	});

	test('any text arrives as it was', () => {
		const names = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
		const texts = fc.dictionary(names, fc.string({ unit: 'binary' }));
		fc.assert(
			fc.property(texts, (form) => {
				const encoded = new URLSearchParams(form).toString();
				expect({ ...decodeForm(encoded) }).toEqual(form);
			}),
		);
	});

	test('the service uses it: the last url counts, and split rules stay apart', async () => {
		const { id } = await createLink();
		await ask('PUT', `/api/v1/links/${id}`, 'url=https://a.example&url=https://b.example');
		expect((await readLink(id)).url).toBe('https://b.example');
		const split = 'country[][key]=DE&country[][value]=https://a.example';
		expect(await badFields('PUT', `/api/v1/links/${id}`, split)).toEqual([
			'country.0.value',
			'country.1.key',
		]);
		expect(await column('links?status=1&status=3', 'id')).toEqual([]);
	});

	test('a large list of rules fits', async () => {
		const form = new URLSearchParams();
		for (let index = 0; index < 900; index += 1)
			form.append(`rotation[${index}][value]`, `https://example.com/${'ä'.repeat(300)}${index}`);
		const { id } = await createLink();
		expect((await ask('PUT', `/api/v1/links/${id}`, form.toString())).status).toBe(200);
		expect((await readLink(id)).rotation_target).toHaveLength(900);
	});

	test.each(['application/json', 'multipart/form-data; boundary=x', undefined])(
		'a body of type %s is not read',
		async (type) => {
			const options = { form: 'alias=changed', headers: { 'content-type': type } };
			const { id, alias } = await createLink();
			expect((await call('PUT', `/api/v1/links/${id}`, options)).status).toBe(200);
			expect(await readLink(id)).toMatchObject({ alias });
		},
	);
});

describe('keys', () => {
	test.each([undefined, 'Bearer wrong', `Basic ${key}`, key])('%s is no key', async (given) => {
		const json = await call('GET', '/api/v1/links', { headers: { authorization: given } });
		expect([json.status, JSON.parse(json.text)]).toEqual([401, { message: 'Unauthenticated.' }]);
		for (const accept of [undefined, '*/*', 'text/html']) {
			const headers = { authorization: given, accept };
			const other = await call('GET', '/api/v1/links', { headers });
			expect([other.status, other.headers.location]).toEqual([302, '/login']);
		}
	});

	test('nothing is written without a key', async () => {
		const form = { url: 'https://example.com', domain_id: '1' };
		const headers = { authorization: 'Bearer wrong' };
		expect((await call('POST', '/api/v1/links', { form, headers })).status).toBe(401);
		expect(service.counts().links).toBe(0);
	});

	test('a key can be revoked while the service runs', async () => {
		service.apiKeys.add('another-key');
		service.apiKeys.delete(key);
		expect((await call('GET', '/api/v1/links')).status).toBe(401);
		const headers = { authorization: 'Bearer another-key' };
		expect((await call('GET', '/api/v1/links', { headers })).status).toBe(200);
	});
});

describe('throttle', () => {
	const limits = ['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset', 'retry-after'];
	const get = async (headers?: Options['headers']) => {
		const answer = await call('GET', '/api/v1/links', { headers });
		return { ...answer, limits: limits.map((name) => answer.headers[name]) };
	};

	test('there is none at first', async () => {
		expect((await get()).limits).toEqual(Array(4).fill(undefined));
	});

	test('counts down, refuses, and opens a new window after Retry-After', async () => {
		service.set({ throttle: { limit: 2, windowSeconds: 1 } });
		const first = Math.floor(Date.now() / 1000);
		expect((await get()).limits).toEqual(['2', '1', undefined, undefined]);
		expect((await get()).limits).toEqual(['2', '0', undefined, undefined]);
		const refused = await get();
		expect([refused.status, JSON.parse(refused.text)]).toEqual([
			429,
			{ message: 'Too Many Attempts.' },
		]);
		expect(refused.limits).toEqual(['2', '0', expect.stringMatching(/^\d{10}$/), '1']);
		expect(Number(refused.headers['x-ratelimit-reset'])).toBeGreaterThan(first);
		await delay(Number(refused.headers['retry-after']) * 1000);
		expect(await get()).toMatchObject({ status: 200, limits: ['2', '1', undefined, undefined] });
	});

	test('a refused request does not move the window', async () => {
		service.set({ throttle: { limit: 0, windowSeconds: 3600 } });
		const { limits: first } = await get();
		await delay(1100);
		const { limits: second } = await get();
		expect(second[2]).toBe(first[2]);
		expect(Number(second[3])).toBeLessThan(Number(first[3]));
	});

	test('counts a key, or the client without a good one, before it asks for the key', async () => {
		service.apiKeys.add('second');
		service.set({ throttle: { limit: 1, windowSeconds: 3600 } });
		const statuses = [];
		for (const given of [key, key, 'second', 'wrong', 'other']) {
			const { status } = await get({ authorization: `Bearer ${given}` });
			statuses.push(status);
		}
		expect(statuses).toEqual([200, 429, 200, 401, 429]);
	});

	test('a refused write is not carried out; reset and set open new windows', async () => {
		service.set({ throttle: { limit: 0, windowSeconds: 3600 } });
		const form = { url: 'https://example.com', domain_id: '1' };
		expect((await ask('POST', '/api/v1/links', form)).status).toBe(429);
		expect(service.counts().links).toBe(0);
		service.set({ throttle: { limit: 1, windowSeconds: 3600 } });
		expect((await get()).status).toBe(200);
		expect((await get()).status).toBe(429);
		service.reset();
		service.settings.throttle = { limit: 1, windowSeconds: 3600 };
		expect((await get()).status).toBe(200);
	});
});

describe('faults', () => {
	const form = { url: 'https://example.com', domain_id: '1' };
	const create = () => call('POST', '/api/v1/links', { form });
	const arrange = (effect: Effect) => service.set({ faults: [{ effect }] });
	const links = () => service.counts().links;

	test.each([
		['before', 0],
		['after', 1],
	] as const)('drop %s the write', async (when, written) => {
		arrange({ kind: 'drop', when });
		await expect(create()).rejects.toThrow(/closed|reset/i);
		expect(links()).toBe(written);
		expect(service.requests).toMatchObject([{ method: 'POST', path: '/api/v1/links' }]);
		expect(service.requests[0]?.status).toBeUndefined();
	});

	test('status, by default with a message', async () => {
		arrange({ kind: 'status', status: 503, retryAfter: '7' });
		const answer = await create();
		expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '7' } });
		expect(JSON.parse(answer.text)).toEqual({ message: 'Service Unavailable', status: 503 });
		expect(links()).toBe(0);
		expect(service.requests[0]?.status).toBe(503);
	});

	test('status with a body', async () => {
		arrange({ kind: 'status', status: 403, body: { message: 'No API access.' } });
		const answer = await create();
		expect([answer.status, answer.text]).toEqual([403, '{"message":"No API access."}']);
		expect(answer.headers['retry-after']).toBeUndefined();
	});

	test.each([
		[undefined, 200],
		[419, 419],
	])('html with status %s', async (status, answered) => {
		arrange({ kind: 'html', status });
		const answer = await create();
		expect(answer.status).toBe(answered);
		expect(answer.headers['content-type']).toContain('text/html');
		expect(answer.text).toContain('<h1>');
		expect(links()).toBe(0);
	});

	test('cut: half of the announced body', async () => {
		arrange({ kind: 'cut' });
		const { statusCode, headers, body } = await send('POST', '/api/v1/links', { form });
		let received = '';
		const reading = (async () => {
			for await (const chunk of body) received += String(chunk);
		})();
		await expect(reading).rejects.toThrow();
		expect(statusCode).toBe(201);
		expect(received).toMatch(/^\{"data":\{"id":1,/);
		expect(received).toHaveLength(Math.floor(Number(headers['content-length']) / 2));
		expect(links()).toBe(1);
	});

	test('truncatedJson: a complete answer with half the JSON', async () => {
		arrange({ kind: 'truncatedJson' });
		const { status, headers, text } = await create();
		expect(status).toBe(201);
		expect(headers['content-type']).toContain('application/json');
		expect(text).toMatch(/^\{"data":\{"id":1,/);
		expect(() => JSON.parse(text)).toThrow(SyntaxError);
		expect(links()).toBe(1);
	});

	test.each([
		[undefined, 201],
		[207, 207],
	])('body with status %s', async (status, answered) => {
		arrange({ kind: 'body', status, body: ['something', 'else'] });
		const answer = await create();
		expect([answer.status, answer.text]).toEqual([answered, '["something","else"]']);
		expect(links()).toBe(1);
	});

	test('redirect', async () => {
		arrange({ kind: 'redirect', location: 'https://elsewhere.example/' });
		const { status, headers } = await create();
		expect([status, headers.location]).toEqual([302, 'https://elsewhere.example/']);
		expect(links()).toBe(0);
	});

	test('empty', async () => {
		arrange({ kind: 'empty' });
		const { status, text } = await create();
		expect([status, text]).toEqual([200, '']);
		expect(links()).toBe(1);
	});

	test('hang, until the service stops', async () => {
		service.set({ faults: [{ on: { method: 'POST' }, effect: { kind: 'hang' } }] });
		const outcome = expect(create()).rejects.toThrow(/closed|reset/i);
		while (service.requests.length === 0) await delay(5);
		expect((await call('GET', '/api/v1/links')).status).toBe(200);
		expect(links()).toBe(0);
		await service.stop();
		await outcome;
	});

	test('latency delays the write; stopping ends the wait', async () => {
		service.set({
			faults: [
				{ on: { method: 'PUT' }, effect: { kind: 'latency', milliseconds: 600_000 } },
				{ on: { method: 'POST' }, effect: { kind: 'latency', milliseconds: 20 } },
			],
		});
		const { status } = await create();
		expect([status, links()]).toEqual([201, 1]);
		const waiting = ask('PUT', '/api/v1/links/1', { alias: 'late' });
		const outcome = expect(waiting).rejects.toThrow(/closed|reset/i);
		while (service.requests.length === 1) await delay(5);
		expect((await readLink(1)).alias).not.toBe('late');
		await service.stop();
		await outcome;
	});

	test('latencies add up, one other fault applies', () => {
		const latency = { effect: { kind: 'latency', milliseconds: 30 } } as const;
		const faults = [
			latency,
			{ effect: { kind: 'empty' } } as const,
			{ ...latency },
			{ effect: { kind: 'hang' } } as const,
		];
		expect(new FaultPlan().choose(faults, 'GET', '/')).toEqual({
			milliseconds: 60,
			disturbance: { kind: 'empty' },
		});
	});

	/** The statuses of so many reads in a row. */
	const read = async (count: number, path = '/api/v1/links') => {
		const statuses: number[] = [];
		for (let index = 0; index < count; index += 1) {
			const { status } = await call('GET', path);
			statuses.push(status);
		}
		return statuses;
	};
	const failing = (status: number): Effect => ({ kind: 'status', status });

	test('skip and times', async () => {
		service.set({ faults: [{ skip: 1, times: 2, effect: failing(500) }] });
		expect(await read(5)).toEqual([200, 500, 500, 200, 200]);
	});

	test('the first match applies, and a later fault keeps its times but sees the request', async () => {
		service.set({
			faults: [
				{ times: 1, effect: failing(500) },
				{ times: 1, effect: failing(502) },
				{ skip: 2, times: 1, effect: failing(504) },
			],
		});
		expect(await read(4)).toEqual([500, 502, 504, 200]);
	});

	test('on: method and path', async () => {
		await createLink();
		service.set({
			faults: [
				{ on: { method: 'delete' }, effect: failing(500) },
				{ on: { path: /links$/g }, effect: failing(502) },
				{ on: { method: 'GET', path: '/links/' }, effect: failing(504) },
			],
		});
		expect(await read(2, '/api/v1/links?page=1')).toEqual([502, 502]);
		expect(await read(1, '/api/v1/links/1')).toEqual([504]);
		expect(await read(1, '/api/v1/pixels')).toEqual([200]);
		expect((await call('DELETE', '/api/v1/pixels/1')).status).toBe(500);
	});

	test('share hits the same requests on every run', async () => {
		const fault = { share: 0.3, effect: failing(500) };
		service.set({ faults: [fault] });
		const first = await read(200);
		service.set({ faults: [fault] });
		expect(await read(200)).toEqual(first);
		const hits = first.filter((status) => status === 500).length;
		expect(hits).toBeGreaterThan(45);
		expect(hits).toBeLessThan(75);
		// Spread out, not one block.
		expect(new Set(first.slice(0, 20))).toEqual(new Set([200, 500]));
	});

	test('faults also hit unknown paths; reset ends them', async () => {
		arrange(failing(500));
		expect(await read(1, '/api/v9')).toEqual([500]);
		service.reset();
		expect(await read(1)).toEqual([200]);
	});
});

describe('strict mode', () => {
	beforeEach(() => service.set({ strict: true }));
	const form = { url: 'https://example.com', domain_id: '1' };

	test.each<[string, string, Options['form'], string[]]>([
		['POST', '/api/v1/links', { ...form, title: 'x' }, ['title']],
		['POST', '/api/v1/links', { ...form, url: 'x', title: 'x' }, ['title', 'url']],
		['POST', '/api/v1/links?page=1', form, ['page']],
		['POST', '/api/v1/links', { ...form, 'rotation[0][key]': 'x' }, ['rotation.0.key']],
		['PUT', '/api/v1/links/1', { domain_id: '2' }, ['domain_id']],
		['PUT', '/api/v1/links/1', { domain: '2' }, ['domain']],
		['POST', '/api/v1/pixels', { name: 'n', type: 'bing', value: 'v', id: '1' }, ['id']],
		['PUT', '/api/v1/pixels/1', { note: '' }, ['note']],
		['GET', '/api/v1/links?search=x&limit=5', undefined, ['limit']],
		['GET', '/api/v1/pixels?status=1', undefined, ['status']],
		['GET', '/api/v1/links/1?page=1', undefined, ['page']],
		['DELETE', '/api/v1/links/1?force=1', undefined, ['force']],
	])('%s %s %j has an unknown name', async (method, path, fields, bad) => {
		await createLink();
		expect(await badFields(method, path, fields)).toEqual(bad);
		expect(service.counts()).toEqual({ links: 1, pixels: 3 });
		service.set({ strict: false });
		const lenient = [await badFields(method, path, fields)].flat();
		expect(lenient).not.toContain(bad.includes('title') ? 'title' : bad[0]);
	});

	test('a field that is bad in the form and unknown in the query has both messages', async () => {
		const { body } = await ask('POST', '/api/v1/links?url=1', { ...form, url: 'x' });
		expect(body.message).toEqual({ url: [expect.any(String), expect.any(String)] });
	});

	test('everything that the contract knows passes', async () => {
		const rest = {
			alias: 'all',
			password: 'p',
			space_id: '1',
			'pixel_ids[]': '1',
			disabled: '0',
			privacy: '2',
			privacy_password: 'p',
			expiration_url: 'https://example.com',
			expiration_date: '2030-01-01',
			expiration_time: '10:00',
			expiration_clicks: '5',
			target_type: '0',
			'country[0][key]': 'DE',
			'country[0][value]': 'https://example.com',
			'platform[0][key]': 'iOS',
			'platform[0][value]': 'https://example.com',
			'language[0][key]': 'de',
			'language[0][value]': 'https://example.com',
			'rotation[0][value]': 'https://example.com',
		};
		expect((await ask('POST', '/api/v1/links', { ...form, domain: '1', ...rest })).status).toBe(
			201,
		);
		expect((await ask('PUT', '/api/v1/links/1', { url: 'app://x', ...rest })).status).toBe(200);
		const query = 'search=nothing&search_by=url&sort_by=id&sort=asc&per_page=10&page=1';
		const ids = 'status=0&space_id=1&domain_id=1&pixel_id=1';
		expect(await rows(`links?${query}&${ids}`)).toEqual([]);
		expect(await rows(`pixels?${query}&type=bing`)).toEqual([]);
	});

	test.each([
		['POST', '/api/v1/links'],
		['PUT', '/api/v1/links/1'],
	])('%s needs its content type', async (method, path) => {
		await createLink();
		const statuses = [];
		for (const type of [
			undefined,
			'application/json',
			'application/x-www-form-urlencoded; charset=utf-8',
		]) {
			const headers = { 'content-type': type };
			const { status } = await call(method, path, { form, headers });
			statuses.push(status);
		}
		expect(statuses).toEqual([415, 415, method === 'POST' ? 201 : 422]);
	});

	test('every request needs Accept, with a key or without', async () => {
		for (const accept of [undefined, '*/*'])
			for (const authorization of [undefined, `Bearer ${key}`]) {
				const headers = { accept, authorization };
				expect((await call('GET', '/api/v1/links', { headers })).status).toBe(406);
			}
		const headers = { accept: 'application/json, text/plain' };
		expect((await call('GET', '/api/v1/links', { headers })).status).toBe(200);
	});
});

describe('the running service', () => {
	test('keeps a journal in order of arrival', async () => {
		const form = 'url=https%3A%2F%2Fexample.com&domain_id=1';
		await call('POST', '/api/v1/links?x=1&y', { form, headers: { 'x-probe': 'yes' } });
		await call('GET', '/api/v1/links', { headers: { authorization: undefined } });
		await call('GET', '/');
		expect(service.requests).toEqual([
			{
				method: 'POST',
				path: '/api/v1/links',
				query: 'x=1&y',
				headers: expect.objectContaining({ 'x-probe': 'yes', authorization: `Bearer ${key}` }),
				body: form,
				status: 201,
			},
			expect.objectContaining({ method: 'GET', query: '', body: '', status: 401 }),
		]);
	});

	test('reset keeps the data, clear does not', async () => {
		await service.stop();
		service = await startService({ strict: true, settings: { envelope: 'flat' } });
		await createLink();
		service.settings.faults.push({ effect: { kind: 'empty' } });
		service.set({ envelope: 'bare', strict: false, ignorePage: true });
		service.reset();
		expect(service.settings).toEqual({
			throttle: null,
			faults: [],
			envelope: 'flat',
			errorShape: 'family',
			ignorePage: false,
			strict: true,
		});
		expect(service.requests).toEqual([]);
		expect(service.counts()).toEqual({ links: 1, pixels: 3 });
		service.set({ envelope: 'bare' });
		service.clear();
		expect(service.settings.envelope).toBe('flat');
		expect(service.counts()).toEqual({ links: 0, pixels: 0 });
	});

	test('links survive a restart, in a file', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'reference-service-'));
		try {
			await service.stop();
			service = await startService({ database: join(folder, 'links.sqlite') });
			const { id } = await createLink({ 'pixel_ids[]': '1', alias: 'kept' });
			const before = await readLink(id);
			await service.stop();
			service = await startService({ database: join(folder, 'links.sqlite') });
			expect(await readLink(id)).toEqual({
				...before,
				short_url: `${service.url}/s/kept`,
			});
			expect(service.counts()).toEqual({ links: 1, pixels: 3 });
			await service.stop();
		} finally {
			await rm(folder, { recursive: true });
		}
	});

	test('refuses a taken port', async () => {
		const port = Number(new URL(service.url).port);
		await expect(startService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	});

	test('stops once, and then answers no more', async () => {
		await call('GET', '/api/v1/links');
		await Promise.all([service.stop(), service.stop()]);
		await expect(call('GET', '/api/v1/links')).rejects.toThrow(/ECONNREFUSED/);
	});
});

describe('control routes', () => {
	const control = (method: string, path: string, body?: unknown) =>
		call(method, `/__control/${path}`, {
			form: body === undefined ? undefined : JSON.stringify(body),
			headers: {
				authorization: undefined,
				accept: undefined,
				'content-type': body === undefined ? undefined : 'application/json',
			},
		});

	test('settings, requests, counts, clear', async () => {
		const faults = [
			{ on: { path: '/links' }, times: 1, effect: { kind: 'status', status: 502, body: null } },
		];
		const throttle = { limit: 9, windowSeconds: 0.5 };
		const settings = { faults, throttle, strict: true };
		expect((await control('PUT', 'settings', settings)).status).toBe(204);
		expect(service.settings).toMatchObject(settings);
		expect((await call('GET', '/api/v1/links')).status).toBe(502);
		await createLink();
		const requests = JSON.parse((await control('GET', 'requests')).text) as unknown;
		expect(requests).toMatchObject([{ status: 502 }, { method: 'POST', status: 201 }]);
		const counts = JSON.parse((await control('GET', 'counts')).text) as unknown;
		expect(counts).toEqual({ links: 1, pixels: 3 });
		expect((await control('DELETE', 'requests')).status).toBe(204);
		expect(service.requests).toEqual([]);
		expect((await control('PUT', 'settings', { throttle: null })).status).toBe(204);
		expect(service.settings).toMatchObject({ throttle: null, strict: true });
		expect((await control('POST', 'clear')).status).toBe(204);
		expect(service.counts()).toEqual({ links: 0, pixels: 0 });
		expect(service.settings.strict).toBe(false);
		expect(service.requests).toEqual([]);
	});

	test.each([
		{ envelop: 'flat' },
		{ envelope: 'round' },
		{ strict: 'true' },
		{ throttle: { limit: 1 } },
		{ faults: [{ effect: { kind: 'explode' } }] },
		{ faults: [{ effect: { kind: 'drop' } }] },
		{ faults: [{ effect: { kind: 'cut' }, count: 1 }] },
	])('refuses the settings %j', async (settings) => {
		const before = structuredClone(service.settings);
		expect((await control('PUT', 'settings', settings)).status).toBe(400);
		expect(service.settings).toEqual(before);
	});

	test.each([
		{ kind: 'latency', milliseconds: 1 },
		{ kind: 'drop', when: 'after' },
		{ kind: 'status', status: 500, retryAfter: '1' },
		{ kind: 'html', status: 419 },
		{ kind: 'html' },
		{ kind: 'cut' },
		{ kind: 'truncatedJson' },
		{ kind: 'body', body: [1], status: 200 },
		{ kind: 'redirect', location: '/' },
		{ kind: 'empty' },
		{ kind: 'hang' },
	])('takes the effect %j', async (effect) => {
		const faults = [{ on: { method: 'POST' }, times: 1, skip: 0, share: 0.5, effect }];
		expect((await control('PUT', 'settings', { faults })).status).toBe(204);
		expect(service.settings.faults).toEqual(faults);
	});
});

describe('the web site', () => {
	test.each([
		['GET', '/', 200],
		['GET', '/login', 200],
		['GET', '/s/nothing', 404],
		['GET', '/app/v1/links', 404],
		['POST', '/', 419],
	])('%s %s is a page with status %d', async (method, path, status) => {
		const answer = await call(method, path);
		expect(answer.status).toBe(status);
		expect(answer.headers['content-type']).toContain('text/html');
	});

	test('short URLs lead to the destination', async () => {
		const alias = 'a'.repeat(255);
		await createLink({ alias, url: 'https://one.example/ä\nb' });
		await createLink({ alias, url: 'https://two.example/', domain_id: '2' });
		const locations = [];
		for (const url of await column('links?sort=asc', 'short_url')) {
			const { status, headers } = await call('GET', String(url).slice(service.url.length));
			locations.push(status, headers.location);
		}
		expect(locations).toEqual([302, 'https://one.example/%C3%A4b', 302, 'https://two.example/']);
	});
});

describe('the command', () => {
	const start = (...args: string[]) =>
		spawn(process.execPath, ['demo/service/main.ts', ...args], {
			stdio: ['ignore', 'pipe', 'pipe'],
		});
	const exit = async (child: ChildProcess) => ((await once(child, 'exit')) as unknown[])[0];

	test.each(['SIGINT', 'SIGTERM'] as const)('serves until %s', async (signal) => {
		await service.stop();
		const port = new URL(service.url).port;
		const args = ['--port', port, '--key', 'first', '--key', key, '--strict', '--throttle', '5/20'];
		const child = start(...args);
		const [line] = (await once(createInterface(child.stdout), 'line')) as unknown[];
		expect(line).toBe(`Reference service at ${service.url}`);
		const { status, headers } = await call('GET', '/api/v1/links?nonsense=1');
		expect([status, headers['x-ratelimit-limit']]).toEqual([422, '5']);
		const other = { authorization: 'Bearer first' };
		expect((await call('GET', '/api/v1/links', { headers: other })).status).toBe(200);
		const ended = exit(child);
		child.kill(signal);
		expect(await ended).toBe(0);
	});

	test.each([
		['a taken port', (port: string) => ['--port', port], /Port \d+ is already in use/],
		['a bad port', () => ['--port', 'x'], /--port takes a number/],
		['a bad throttle', () => ['--throttle', '5'], /--throttle takes requests\/seconds/],
		['an unknown option', () => ['--prot', '1'], /--prot/],
	])('says what is wrong: %s', async (_what, args, sentence) => {
		const child = start(...args(new URL(service.url).port));
		const [line] = (await once(createInterface(child.stderr), 'line')) as unknown[];
		expect(line).toMatch(sentence);
		expect(line).not.toMatch(/^\s+at /);
		expect(child.exitCode ?? (await exit(child))).toBe(1);
	});
});
