import type { Fault } from '../../../testkit/service/index.ts';
import { byId, jsonOf, useService, type Run } from '../../support/service.ts';

const { current, link } = useService();

const slowly = (method: string): Fault => ({
	on: { method },
	times: 1,
	effect: { kind: 'latency', milliseconds: 300 },
});

const create = (more: Run = {}) => {
	const parameters = {
		url: '={{ $json.url }}',
		domainId: byId(1),
		alias: '={{ $json.alias }}',
		...more.parameters,
	};
	return link('create', { ...more, parameters });
};

const numbered = (count: number) =>
	Array.from({ length: count }, (_, index) => `https://example.com/${index}`);

/** The destinations that writes sent, in the order in which they arrived. */
const written = () =>
	current()
		.requests.filter(({ method }) => method !== 'GET')
		.map(({ body }) => new URLSearchParams(body).get('url'));

async function heldUrls() {
	return jsonOf(await link('getAll', { parameters: { returnAll: true } })).map(({ url }) => url);
}

describe('updates of one link in one run', () => {
	it.each<[string, (id: number) => (number | string)[]]>([
		['by either', (id) => [id, 'https://short.example/one', id, 'https://short.example/one']],
		['of more rows than may wait', (id) => new Array<number>(120).fill(id)],
	])('arrive in the order of the rows, %s', async (_, names) => {
		const [made] = jsonOf(await create({ items: [{ alias: 'one', url: 'https://example.com/' }] }));
		const named = names(Number(made?.id));
		const urls = numbered(named.length);
		const items = named.map((name, row) => ({ name, url: urls[row] }));
		current().requests.length = 0;
		// The service takes its time for the first one, so that the others would overtake it.
		current().set({ faults: [slowly('PUT')] });
		const result = await link('update', {
			items,
			parameters: {
				linkId: byId('={{ $json.name }}'),
				updateFields: { url: '={{ $json.url }}' },
			},
		});
		expect(result.error).toBeUndefined();
		expect(jsonOf(result).map(({ url }) => url)).toEqual(urls);
		expect(await heldUrls()).toEqual([urls.at(-1)]);
		expect(written()).toEqual(urls);
	});
});

describe('creates with one alias in two executions', () => {
	it('give it to one of them, and the other one fails', async () => {
		const [one = '', two = ''] = numbered(2);
		current().set({ faults: [slowly('POST')] });
		const results = await Promise.all(
			[one, two].map(async (url) => await create({ items: [{ alias: 'same', url }] })),
		);
		const failed = results.filter(({ error }) => error !== undefined);
		expect(failed).toHaveLength(1);
		expect(failed[0]?.error?.message).toMatch(/^The service did not accept .*Alias/);
		const made = results.flatMap((result) => jsonOf(result));
		expect(made).toMatchObject([{ alias: 'same' }]);
		expect(await heldUrls()).toEqual(made.map(({ url }) => url));
		// The second one waits until the first one has its answer.
		expect(written()).toHaveLength(2);
	});
});
