import { byId, useService } from '../../support/service.ts';

const { current, link, load, search } = useService();

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
