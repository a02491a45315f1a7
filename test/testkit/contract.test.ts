import { callOf, ServiceCore } from '../../testkit/service/core.ts';
import { linkFields } from '../../testkit/service/linkFields.ts';

// What the reference service must answer is in the contract and the assumptions.

type Form = Record<string, string> | string;

/** A resource as the service answers it. */
interface Item {
	id: number;
	[field: string]: unknown;
}

let core: ServiceCore;
beforeEach(() => {
	core = new ServiceCore();
});
afterEach(() => core.database.close());

const headers = { accept: 'application/json', authorization: 'Bearer demo-key-0123456789' };
const formType = { 'content-type': 'application/x-www-form-urlencoded' };

/** Asks the service, and returns the status and the body. */
function ask(method: string, path: string, form?: Form) {
	const body = typeof form === 'object' ? new URLSearchParams(form).toString() : (form ?? '');
	const request = { method, url: `/api/v1/${path}`, body };
	const sent = { ...headers, ...(form === undefined ? {} : formType) };
	const { status, payload } = core.respond(callOf({ ...request, headers: sent }));
	return { status, body: JSON.parse(payload) as Record<string, unknown>, payload };
}

/** Creates a link from the required fields and these. */
function createLink(fields: Record<string, string> = {}): Item {
	const form = { url: 'https://example.com/', domain_id: '1', ...fields };
	const { status, body } = ask('POST', 'links', form);
	expect({ status, body }).toMatchObject({ status: 201 });
	return body.data as Item;
}

const readLink = (id: number) => ask('GET', `links/${id}`).body.data as Item;

/** Returns one field of each entry of a list. */
const column = (list: string, field: string) =>
	(ask('GET', list).body.data as Item[]).map((entry) => entry[field]);

/** Returns the fields that a 422 refuses, sorted; any other status itself. */
function refused(method: string, path: string, form?: Form): unknown {
	const { status, body } = ask(method, path, form);
	return status === 422 ? Object.keys(Object(body.message)).sort() : status;
}

const moment = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
const site = 'https://example.com';
const long = `${site}/${'x'.repeat(2048 - 20)}`;

describe('links', () => {
	test('create answers 201 with status 200, sent numbers as text, and null for what was not sent', () => {
		const { status, body } = ask('POST', 'links', {
			...{ url: 'https://www.example.com/page?a=1', domain_id: '2', alias: 'Spring_sale-1' },
			...{ space_id: '1', disabled: '1', password: 'secret', 'pixel_ids[]': '2' },
			...{ 'rotation[0][value]': 'https://a.example/', expiration_clicks: '9' },
			...{ expiration_date: '2031-05-06', expiration_time: '07:08' },
		});
		const stored = Object.entries(linkFields).filter(([, { column: type }]) => type);
		const nothing = ['country_target', 'platform_target', 'language_target', 'last_rotation'];
		expect({ status, body }).toEqual({
			status: 201,
			body: {
				status: 200,
				data: {
					...Object.fromEntries(
						[...stored.map(([name]) => name), ...nothing].map((n) => [n, null]),
					),
					...{ id: 1, alias: 'Spring_sale-1', url: 'https://www.example.com/page?a=1' },
					...{ short_url: 'https://links.example/s/2/Spring_sale-1', title: 'www.example.com' },
					...{
						rotation_target: [{ value: 'https://a.example/' }],
						target_type: null,
						clicks: null,
					},
					...{ disabled: '1', privacy: null, privacy_password: false, password: true },
					...{ expiration_url: null, expiration_clicks: '9' },
					space: { id: 1, name: expect.any(String) },
					domain: { id: 2, name: expect.any(String) },
					pixels: [expect.objectContaining({ id: 2, type: 'google-analytics' })],
					...{ ends_at: '2031-05-06T07:08:00.000000Z', created_at: moment, updated_at: moment },
				},
			},
		});
	});

	test('read answers numbers and defaults, and never a secret', () => {
		const { id, alias } = createLink({ privacy: '2', privacy_password: 'hush-hush' });
		const { status, body, payload } = ask('GET', `links/${id}`);
		expect(payload).not.toContain('hush-hush');
		expect({ status, ...body }).toMatchObject({
			status: 200,
			data: {
				...{ disabled: 0, privacy: 2, target_type: 0, clicks: 0, last_rotation: 0 },
				...{ password: false, privacy_password: true, space: null },
				short_url: `https://links.example/s/${String(alias)}`,
			},
		});
	});

	test('delete answers what it deleted, and the link is gone', () => {
		const [{ id }, remaining] = [createLink(), createLink()];
		const body = { id, object: 'link', deleted: true, status: 200 };
		expect(ask('DELETE', `links/${id}`)).toMatchObject({ status: 200, body });
		expect(column('links', 'id')).toEqual([remaining.id]);
	});

	const rule = (list: string, key: string, value = site) => ({
		[`${list}[0][key]`]: key,
		[`${list}[0][value]`]: value,
	});
	const expiry = { expiration_date: '2030-02-28', expiration_time: '23:59' };

	test.each<[fields: Record<string, string>, refusedFields: string]>([
		...['', 'example.com', 'https://', `${long}x`].map((url): [Record<string, string>, string] => [
			{ url },
			'url',
		]),
		...['', '3', '1.0'].map((domain_id): [Record<string, string>, string] => [
			...([{ domain_id }, 'domain_id'] as const),
		]),
		...['a b', 'ä', 'a'.repeat(256), 'taken'].map((alias): [Record<string, string>, string] => [
			...([{ alias }, 'alias'] as const),
		]),
		[{ password: 'p'.repeat(129) }, 'password'],
		[{ space_id: '3' }, 'space_id'],
		[{ disabled: '2' }, 'disabled'],
		[{ privacy: '3' }, 'privacy'],
		[{ target_type: '5' }, 'target_type'],
		[{ expiration_url: 'gone' }, 'expiration_url'],
		[{ ...expiry, expiration_date: '2030-02-29' }, 'expiration_date'],
		[{ ...expiry, expiration_date: '2030-2-28' }, 'expiration_date'],
		[{ ...expiry, expiration_time: '24:00' }, 'expiration_time'],
		[{ expiration_date: '2030-02-28' }, 'expiration_time'],
		[{ expiration_time: '23:59' }, 'expiration_date'],
		[{ expiration_clicks: '-1' }, 'expiration_clicks'],
		[{ expiration_clicks: '1.5' }, 'expiration_clicks'],
		[{ expiration_clicks: '1000000000' }, 'expiration_clicks'],
		[{ 'pixel_ids[]': '99' }, 'pixel_ids'],
		[{ 'pixel_ids[]': 'Facebook' }, 'pixel_ids'],
		[{ url: 'x', privacy: '9' }, 'privacy,url'],
		[rule('country', 'de'), 'country.0.key'],
		[rule('country', ''), 'country.0.key'],
		[rule('country', 'DE', 'example.com'), 'country.0.value'],
		[rule('country', 'DE', ''), 'country.0.value'],
		[{ country: 'DE' }, 'country'],
		[{ 'country[0]': 'DE' }, 'country.0'],
		[rule('platform', 'ios'), 'platform.0.key'],
		[rule('language', 'DE'), 'language.0.key'],
		[rule('language', 'deu'), 'language.0.key'],
		[{ 'rotation[0][value]': 'x' }, 'rotation.0.value'],
		[rule('country', 'de', 'x'), 'country.0.key,country.0.value'],
	])('create refuses %j', (fields, expected) => {
		createLink({ alias: 'taken' });
		const form = { url: site, domain_id: '1', ...fields };
		expect(String(refused('POST', 'links', form))).toBe(expected);
		expect(core.counts().links).toBe(1);
	});
});

describe('update of a link', () => {
	let before: Item;
	const update = (form: Form) => ask('PUT', `links/${before.id}`, form);

	beforeEach(() => {
		const { id } = createLink({
			...{ alias: 'start', space_id: '1', password: 'secret', expiration_clicks: '5' },
			...{ expiration_url: `${site}/gone`, 'pixel_ids[0]': '1', 'pixel_ids[1]': '2' },
			...{ expiration_date: '2030-01-02', expiration_time: '03:04' },
			...{ 'country[0][key]': 'DE', 'country[0][value]': 'https://de.example' },
			...{ 'country[1][key]': 'FR', 'country[1][value]': 'https://fr.example' },
		});
		before = readLink(id);
	});

	test('changes what is sent and nothing else', () => {
		const changes = { url: 'https://new.example/', title: 'new.example', updated_at: moment };
		const data = { ...before, ...changes };
		const { status, body } = update({ url: 'https://new.example/' });
		expect({ status, body }).toEqual({ status: 200, body: { data, status: 200 } });
		expect(readLink(before.id)).toEqual(data);
	});

	test('empty texts clear', () => {
		const names = ['password', 'space_id', 'expiration_url', 'expiration_clicks', 'pixel_ids[]'];
		const rules = ['expiration_date', 'expiration_time', 'country[0][key]', 'country[0][value]'];
		const form = Object.fromEntries([...names, ...rules].map((name) => [name, '']));
		expect(update(form).status).toBe(200);
		expect(readLink(before.id)).toMatchObject({
			...{ alias: 'start', password: false, space: null, expiration_url: null, pixels: [] },
			...{ expiration_clicks: null, ends_at: null, country_target: null },
		});
	});

	test.each<[form: Record<string, string>, outcome: string[] | number]>([
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
		// Empty brackets begin a rule each.
		[
			{ 'country[][key]': 'DE', 'country[][value]': 'https://a.example' },
			['country.0.value', 'country.1.key'],
		],
		// A scalar breaks the service.
		[{ pixel_ids: '1' }, 500],
		[{ pixel_ids: '' }, 500],
		[{}, 200],
	])('%j', (form, outcome) => {
		createLink({ alias: 'other' });
		expect(refused('PUT', `links/${before.id}`, form)).toEqual(outcome);
		expect(readLink(before.id)).toEqual({ ...before, updated_at: moment });
	});
});

describe('pixels', () => {
	const pixel = { name: 'Ads', type: 'google-ads', value: 'AW-123_4' };

	test('create, read, update and delete', () => {
		const data = { id: 4, ...pixel, created_at: moment, updated_at: moment };
		const answer = (status: number, body: object) => ({ status, body: { ...body, status: 200 } });
		expect(ask('POST', 'pixels', pixel)).toMatchObject(answer(201, { data }));
		expect(ask('GET', 'pixels/4')).toMatchObject(answer(200, { data }));
		const changed = { ...data, value: 'AW-9' };
		expect(ask('PUT', 'pixels/4', { value: 'AW-9' })).toMatchObject(answer(200, { data: changed }));
		const { id } = createLink({ 'pixel_ids[]': '4' });
		const deleted = { id: 4, object: 'pixel', deleted: true };
		expect(ask('DELETE', 'pixels/4')).toMatchObject(answer(200, deleted));
		expect(column('pixels', 'id')).toEqual([3, 2, 1]);
		expect(readLink(id).pixels).toEqual([]);
	});

	test.each<[form: Record<string, string>, outcome: string[] | number]>([
		[{ ...pixel, name: '' }, ['name']],
		[{ ...pixel, name: 'é'.repeat(33) }, ['name']],
		[{ ...pixel, name: 'Analytics' }, ['name']],
		[{ name: 'n', value: 'v' }, ['type']],
		[{ ...pixel, type: 'x' }, ['type']],
		[{ name: 'n', type: 'bing' }, ['value']],
		[{ ...pixel, value: 'a b' }, ['value']],
		[{ ...pixel, value: 'v'.repeat(256) }, ['value']],
		[{}, ['name', 'type', 'value']],
		[{ ...pixel, name: '😀'.repeat(32), value: 'v'.repeat(255) }, 201],
	])('create %j', (form, outcome) => {
		expect(refused('POST', 'pixels', form)).toEqual(outcome);
	});
});

describe('lists', () => {
	test('have pages with links and meta; the links lose the filters', () => {
		for (let count = 0; count < 12; count += 1) createLink();
		const path = 'https://links.example/api/v1/links';
		const page = (number: number) => `${path}?per_page=10&page=${number}`;
		expect(ask('GET', 'links?status=1&search=example&sort=asc&page=2').body).toEqual({
			data: [expect.objectContaining({ id: 11 }), expect.objectContaining({ id: 12 })],
			links: { first: page(1), last: page(2), prev: page(1), next: null },
			meta: {
				...{ current_page: 2, from: 11, last_page: 2, path, per_page: 10, to: 12, total: 12 },
			},
			status: 200,
		});
		const sizes = ['25', '100', '7', ''].map((size) => {
			const { data, meta } = ask('GET', `links?per_page=${size}`).body;
			return [Object(meta).per_page, Object(data).length];
		});
		expect(sizes).toEqual([
			[25, 12],
			[100, 12],
			[10, 10],
			[10, 10],
		]);
		const meta = { from: null, to: null, total: 12 };
		expect(ask('GET', 'links?page=3').body).toMatchObject({ data: [], meta });
		expect(column('links?page=x', 'id')[0]).toBe(12);
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
	])('?%s', (query, ids) => {
		createLink({ url: 'https://b.example/news', alias: 'Zoo', domain_id: '2' });
		createLink({ url: 'https://c.example/shop', alias: 'ant', space_id: '2' });
		createLink({ url: 'https://a.example/100%25', alias: 'fox_1', 'pixel_ids[]': '3' });
		expect(column(`links?${query}`, 'id')).toEqual(ids);
	});

	test('filter by status: active, expired by time or clicks, disabled', () => {
		const ending = (year: string) => ({
			...{ expiration_date: `${year}-01-01`, expiration_time: '00:00' },
		});
		createLink({ alias: 'plain' });
		createLink({ alias: 'past', ...ending('2001') });
		createLink({ alias: 'future', ...ending('2999') });
		const { id } = createLink({ alias: 'used-up', expiration_clicks: '1' });
		createLink({ alias: 'unused', expiration_clicks: '1' });
		createLink({ alias: 'off', disabled: '1' });
		core.database.prepare('UPDATE links SET clicks = 1 WHERE id = ?').run(id);
		const aliases = (status: string) => column(`links?sort=asc&status=${status}`, 'alias');
		expect(aliases('1')).toEqual(['plain', 'future', 'unused']);
		expect(aliases('2')).toEqual(['past', 'used-up']);
		expect(aliases('3')).toEqual(['off']);
		expect([aliases('0').length, aliases('4').length]).toEqual([6, 6]);
	});
});

describe('strict mode', () => {
	const form = { url: site, domain_id: '1' };

	test.each<[method: string, path: string, form: Form | undefined, refusedFields: string]>([
		['POST', 'links', { ...form, title: 'x' }, 'title'],
		['POST', 'links', { ...form, url: 'x', title: 'x' }, 'title,url'],
		['POST', 'links?page=1', form, 'page'],
		['POST', 'links', { ...form, 'rotation[0][key]': 'x' }, 'rotation.0.key'],
		['PUT', 'links/1', { domain_id: '2' }, 'domain_id'],
		['PUT', 'links/1', { domain: '2' }, 'domain'],
		['POST', 'pixels', { name: 'n', type: 'bing', value: 'v', id: '1' }, 'id'],
		['PUT', 'pixels/1', { note: '' }, 'note'],
		['GET', 'links?search=x&limit=5', undefined, 'limit'],
		['GET', 'pixels?status=1', undefined, 'status'],
		['GET', 'links/1?page=1', undefined, 'page'],
		['DELETE', 'links/1?force=1', undefined, 'force'],
	])('refuses an unknown name: %s %s %j', (method, path, fields, expected) => {
		createLink();
		core.set({ strict: true });
		expect(String(refused(method, path, fields))).toBe(expected);
		expect(core.counts()).toEqual({ links: 1, pixels: 3 });
		core.set({ strict: false });
		const [name = ''] = expected.split(',');
		expect([refused(method, path, fields)].flat()).not.toContain(name);
	});

	test('accepts everything that the contract knows', () => {
		core.set({ strict: true });
		const rules = ['country', 'platform', 'language'].flatMap((list, at) => [
			[`${list}[0][key]`, ['DE', 'iOS', 'de'][at] ?? ''],
			[`${list}[0][value]`, site],
		]);
		const rest: Record<string, string> = {
			...{ alias: 'all', password: 'p', space_id: '1', 'pixel_ids[]': '1', disabled: '0' },
			...{ privacy: '2', privacy_password: 'p', expiration_url: site, expiration_clicks: '5' },
			...{ expiration_date: '2030-01-01', expiration_time: '10:00', target_type: '0' },
			...{ ...Object.fromEntries(rules), 'rotation[0][value]': site },
		};
		expect(ask('POST', 'links', { ...form, domain: '1', ...rest }).status).toBe(201);
		expect(ask('PUT', 'links/1', { url: 'app://x', ...rest }).status).toBe(200);
		const query = 'search=nothing&search_by=url&sort_by=id&sort=asc&per_page=10&page=1';
		const ids = 'status=0&space_id=1&domain_id=1&pixel_id=1';
		expect(ask('GET', `links?${query}&${ids}`)).toMatchObject({ status: 200, body: { data: [] } });
		expect(ask('GET', `pixels?${query}&type=bing`).status).toBe(200);
	});
});
