import { sleep as wait } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, useService } from '../../support/service.ts';

const { current, link, load, search } = useService();
const scripted = useScriptedService();

describe('5,000 bad rows make an error of a few kilobytes', () => {
	/** Bytes of the error as n8n stores it, without the node, which has its own size. */
	const sizeOf = ({ error }: Awaited<ReturnType<typeof link>>) =>
		Buffer.byteLength(JSON.stringify({ ...error, stack: error?.stack, node: undefined }));

	it.each([
		[
			'a misspelt address',
			'htp//example.com/page',
			/^Items 1–5000: Destination URL "htp\/\/example\.com\/page 0.*", … must start with https:\/\//,
		],
		// Shortened, they are all the same.
		[
			'a long text',
			'x'.repeat(5000),
			/^Items 1–5000: Destination URL "x+…" must start with https:\/\//,
		],
	])('with %s in each', async (_, url, described) => {
		const items = Array.from({ length: 5000 }, (_, row) => ({ url: `${url} ${row}\n` }));
		const parameters = { url: '={{ $json.url }}', domainId: byId(1) };
		const result = await link('create', { items, parameters });
		expect(result.error?.message).toBe('5000 of 5000 items cannot be sent');
		expect(result.error?.description).toMatch(described);
		expect(sizeOf(result)).toBeLessThan(10_000);
		expect(current().requests).toEqual([]);
	});
});

describe("a picker's error", () => {
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
	])('has the host in a text that can be copied: %s', async (_, baseUrl) => {
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
});

describe('a short URL of 300,000 slashes is read within the time of a test', () => {
	const slashes = '/'.repeat(300_000);
	const linkId = { __rl: true, mode: 'url', value: '={{ $json.name }}' };
	/** Jest notices that the time of a test is over when the test waits for something. */
	const meetTimeout = async () => await wait(1);

	it.each([
		['and nothing behind them', `https://short.example${slashes}`],
		['and a blank behind them', `short.example${slashes} `],
		['and two words behind them', `https://short.example${slashes}one two`],
	])('from a cell, %s', async (_, name) => {
		const result = await link('get', { items: [{ name }], parameters: { linkId } });
		await meetTimeout();
		expect(result.error?.message).toMatch(/^Link ".*" is not a short URL/);
		expect(current().requests).toEqual([]);
	});

	it('from the service', async () => {
		const one = linkAs({ short_url: `https://short.example${slashes}` });
		scripted.current().follow(({ path }) => (path === '/links' ? pageOf([one]) : oneOf(one)));
		const items = [{ name: 'short.example/two' }];
		const result = await scripted.link('get', { items, parameters: { linkId } });
		await meetTimeout();
		expect(result.error?.message).toBe('No link has the short URL short.example/two');
	});
});

describe('Generate Alias', () => {
	it.each([1e21, 1e9, 256, 3, 'Infinity', '={{ 1e21 }}'])(
		'refuses %j in words',
		async (generateAlias) => {
			const result = await link('create', {
				parameters: {
					url: 'https://example.com/',
					domainId: byId(1),
					options: { generateAlias },
				},
			});
			expect(result.error?.message).toMatch(/^Generate Alias .* is not a number from 4 to 255$/);
			expect(current().requests).toEqual([]);
		},
	);
});
