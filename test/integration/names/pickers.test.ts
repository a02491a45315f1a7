import { useColumns } from '../../support/columns.ts';
import { linkAs, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf } from '../../support/service.ts';

const { current, link, load, madeLink, madePixel, pixel, search } = useColumns();
const scripted = useScriptedService();

/** Many links at once; their aliases are numbers of four digits behind a prefix. */
const createMany = async (count: number, prefix = 'link') =>
	await link('create', {
		items: Array.from({ length: count }, (_, index) => ({
			number: String(index).padStart(4, '0'),
		})),
		parameters: {
			url: `=https://example.com/{{ $json.number }}`,
			domainId: byId(1),
			alias: `=${prefix}-{{ $json.number }}`,
			options: { concurrency: 20 },
		},
	});

const queries = () =>
	current().requests.map(({ path, query }) => {
		const { search: text, search_by: by, page } = Object.fromEntries(new URLSearchParams(query));
		return [path.replace('/api/v1', ''), by, text, page].filter(Boolean).join(' ');
	});

describe('links', () => {
	it('are shown by alias and destination, newest first, with their short URL to open', async () => {
		const first = await madeLink('first');
		const second = await madeLink('second');
		const { results, paginationToken } = await search('link', 'searchLinks');
		expect(results).toEqual([
			{
				name: 'second → https://example.com/old',
				value: second,
				url: `${current().url}/s/second`,
			},
			{ name: 'first → https://example.com/old', value: first, url: `${current().url}/s/first` },
		]);
		expect(paginationToken).toBeUndefined();
	});

	it('come page by page, every link once', async () => {
		await createMany(60);
		current().requests.length = 0;
		const values: unknown[] = [];
		let token: string | undefined;
		do {
			const page = await search('link', 'searchLinks', '', token);
			values.push(...page.results.map(({ value }) => value));
			token = page.paginationToken;
		} while (token);
		expect(new Set(values).size).toBe(60);
		expect(values).toHaveLength(60);
		expect(queries()).toEqual(['/links 1', '/links 2', '/links 3']);
	});

	it('end where the service has no other page than the first', async () => {
		await createMany(60);
		current().set({ ignorePage: true });
		const first = await search('link', 'searchLinks');
		const { paginationToken } = await search('link', 'searchLinks', '', first.paginationToken);
		expect(paginationToken).toBeUndefined();
	});

	it('are searched by alias, destination and title, each once', async () => {
		await madeLink('spring', { url: 'https://example.com/a' });
		await madeLink('other', { url: 'https://example.com/spring/b' });
		await madeLink('third', { url: 'https://spring.example/' });
		await madeLink('none', { url: 'https://example.com/c' });
		const { results, paginationToken } = await search('link', 'searchLinks', ' SPRING ');
		expect(results.map(({ name }) => name)).toEqual([
			'spring → https://example.com/a',
			'third → https://spring.example/',
			'other → https://example.com/spring/b',
		]);
		expect(paginationToken).toBeUndefined();
		expect(queries()).toEqual([
			'/links alias SPRING 1',
			'/links url SPRING 1',
			'/links title SPRING 1',
		]);
	});

	it('go on where they stopped when a search has more than a screenful', async () => {
		await createMany(30, 'sale');
		await madeLink('extra', { url: 'https://example.com/sale' });
		const first = await search('link', 'searchLinks', 'sale');
		expect(first.results).toHaveLength(25);
		const second = await search('link', 'searchLinks', 'sale', first.paginationToken);
		expect(second.results).toHaveLength(6);
		expect(second.paginationToken).toBeUndefined();
		expect(queries().slice(0, 3)).toEqual([
			'/links alias sale 1',
			'/links alias sale 2',
			'/links url sale 1',
		]);
	});
});

describe('pixels', () => {
	it('are shown by name with their type, and searched by name, in both nodes', async () => {
		const id = await madePixel('Spring visitors', 'google-ads');
		await madePixel('Others');
		for (const node of ['link', 'pixel'] as const) {
			const { results } = await search(node, 'searchPixels', 'spring');
			expect(results).toEqual([{ name: 'Spring visitors – Google Ads', value: id }]);
		}
		expect((await search('pixel', 'searchPixels')).results).toHaveLength(2);
	});

	it('are all there for a multi-select, by name', async () => {
		for (let number = 0; number < 12; number += 1) await madePixel(`P${(number * 7) % 12}`);
		const names = (await load('link', 'getPixels')).map(({ name }) => name);
		expect(names).toHaveLength(12);
		expect(names).toEqual([...names].sort((one, other) => one.localeCompare(other)));
	});
});

describe('domains and spaces', () => {
	it('are those that links carry, each once, and searched by name', async () => {
		await madeLink('a', { spaceId: byId(2) });
		await madeLink('b', { spaceId: byId(1) });
		await madeLink('c', { domain: 2, spaceId: byId(1) });
		expect((await search('link', 'searchDomains')).results).toEqual([
			{ name: 'go.example', value: 2 },
			{ name: 'short.example', value: 1 },
		]);
		expect((await search('link', 'searchSpaces')).results).toEqual([
			{ name: 'Marketing', value: 1 },
			{ name: 'Support', value: 2 },
		]);
		expect((await search('link', 'searchSpaces', 'mark')).results).toHaveLength(1);
		expect((await search('link', 'searchDomains', 'nothing')).results).toEqual([]);
	});

	it('are taken from the newest 1,000 links, as the form says', async () => {
		const { url: baseUrl } = scripted.current();
		scripted.current().follow(({ query }) => {
			const page = Number(query.page);
			const links = Array.from({ length: 100 }, (_, at) => linkAs({ id: page * 100 + at }));
			return pageOf(links, page, 99);
		});
		const searching = search('link', 'searchSpaces', '', undefined, { baseUrl });
		await expect(searching).rejects.toMatchObject({
			message: 'None of your newest 1,000 links has a space',
			description: expect.stringContaining('Choose By ID'),
		});
		expect(scripted.current().requests).toHaveLength(10);
	});
});

describe('a list that cannot be shown', () => {
	it('says why, and what to do', async () => {
		const credential = { apiKey: 'a-wrong-key-000' };
		await expect(search('link', 'searchLinks', '', undefined, credential)).rejects.toMatchObject({
			message: 'The service did not accept the API key',
			description: expect.stringMatching(/^Open the credential and enter a valid API key/),
			httpCode: '401',
		});
		await expect(load('link', 'getPixels', credential)).rejects.toMatchObject({
			message: expect.stringMatching(/^The service did not accept the API key \(HTTP 401\)\. Open/),
		});
	});

	it('does not wait for the end of a rate limit', async () => {
		current().set({ throttle: { limit: 1, windowSeconds: 60 } });
		await search('pixel', 'searchPixels');
		await expect(search('pixel', 'searchPixels')).rejects.toMatchObject({
			message: expect.stringMatching(/^The service accepts no requests for another \d+ seconds$/),
			description: 'Try again after the rate limit ends.',
		});
	});
});

/** What the editor has of the error that a list fails with. */
const errorOf = async (asking: Promise<unknown>) => {
	const [asked] = await Promise.allSettled([asking]);
	if (asked.status === 'fulfilled') throw new Error('the list did not fail');
	return asked.reason as { message: string; description?: string };
};
/** Hyphens and dashes that no host can have. */
const lookAlikes = /[\u00AD\u2010-\u2015\u2212]/;

it.each([
	['refused', 'http://not-a-host.localhost:9'],
	['not found', 'http://not-a-host.invalid'],
])("a picker's error has the host in a text that can be copied: %s", async (_, baseUrl) => {
	const { host } = new URL(baseUrl);
	const credential = { baseUrl };
	const searched = await errorOf(search('link', 'searchLinks', '', undefined, credential));
	expect(searched.description).toContain(host);
	// The editor drops hyphens from this message, so that no host may stand there.
	expect(searched.message).not.toMatch(/not.?a.?host/);
	const loaded = await errorOf(load('link', 'getPixels', credential));
	for (const error of [searched, loaded])
		expect(`${error.message} ${error.description}`).not.toMatch(lookAlikes);
	expect(loaded.message).toContain(host);
});

describe('a link named by its short URL', () => {
	// From an expression, as rows have it: what is typed in the form is checked by the form as well.
	const get = async (value: string, mode = 'url') =>
		await link('get', {
			items: [{ value }],
			parameters: { linkId: { __rl: true, mode, value: '={{ $json.value }}' } },
		});

	it('is found by URL, by domain and alias, and by a whole URL where an ID is meant', async () => {
		const id = await madeLink('spring');
		const twin = await madeLink('spring', { domain: 2 });
		await madeLink('spring-2');
		const { url } = current();
		for (const [value, expected] of [
			[`${url}/s/spring`, id],
			[`  ${url.toUpperCase().replace('HTTP', 'http')}/s/spring/?utm_source=x#top `, id],
			['short.example/spring', id],
			['https://SHORT.example/spring', id],
			['go.example/spring', twin],
			[`${url}/s/2/spring`, twin],
		] as const) {
			const result = await get(value);
			expect({ value, id: jsonOf(result)[0]?.id }).toEqual({ value, id: expected });
		}
		expect(jsonOf(await get('https://go.example/spring', 'id'))).toMatchObject([{ id: twin }]);
	});

	it('fails where more than one has it, and changes none', async () => {
		const data = [7, 8].map((id) => ({ id, short_url: 'https://short.example/spring' }));
		current().set({ faults: [{ on: { method: 'GET' }, effect: { kind: 'body', body: data } }] });
		const linkId = { __rl: true, mode: 'url', value: 'short.example/spring' };
		const { error } = await link('delete', { parameters: { linkId } });
		expect(String(error?.message)).toBe(
			'2 links have the short URL short.example/spring: ID 7, ID 8',
		);
		expect(current().requests.map(({ method }) => method)).toEqual(['GET']);
	});

	it('is no pixel: a URL as the ID of a pixel is refused as one', async () => {
		const pixelId = byId('={{ "https://e.com/5" }}');
		const { error } = await pixel('get', { parameters: { pixelId } });
		expect(String(error?.message)).toContain('"https://e.com/5" is a URL, not an ID');
	});

	it.each([
		['url', 'spring', 'This is not a short URL; enter one like https://short.example/spring-sale'],
		[
			'id',
			'https://short.example/spring',
			'This is not an ID; enter the ID that the service shows',
		],
	])('is checked in the form, by %s', async (mode, value, told) => {
		const linkId = { __rl: true, mode, value };
		await expect(link('get', { parameters: { linkId } })).rejects.toThrow(told);
	});
});
