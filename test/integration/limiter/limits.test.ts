import type { IDataObject } from 'n8n-workflow';
import { linkAs, oneOf, pageOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf, useService } from '../../support/service.ts';

const { current, link } = useService();
const scripted = useScriptedService();

const rowsOf = (count: number): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({ alias: `row-${index}` }));

it('503 means that nothing was processed, so a create goes again, without an alias and with or without Retry-After', async () => {
	const refusal = { kind: 'status', status: 503 } as const;
	current().set({
		faults: [
			{ times: 1, effect: { ...refusal, retryAfter: '1' } },
			{ times: 2, effect: refusal },
		],
	});
	const parameters = { url: 'https://example.com/', domainId: byId(1) };
	expect(jsonOf(await link('create', { parameters }))).toMatchObject([{ id: 1 }]);
	expect(current().requests.map(({ status }) => status)).toEqual([503, 503, 503, 201]);
	expect(current().counts().links).toBe(1);
});

it('16 refusals and then an error of the server are outlived', async () => {
	const faults = [
		{ times: 16, effect: { kind: 'status', status: 429, retryAfter: '1' } as const },
		{ times: 1, effect: { kind: 'status', status: 500 } as const },
	];
	current().set({ faults });
	const result = await link('getAll', { parameters: { returnAll: true } });
	expect(result.error).toBeUndefined();
	const statuses = current().requests.map(({ status }) => status);
	expect(statuses).toEqual([...new Array<number>(16).fill(429), 500, 200]);
});

describe('no more requests than Concurrency are under way', () => {
	const concurrency = 4;
	const lastPage = 12;
	const soon = async () => await new Promise((resolve) => setTimeout(resolve, 15));
	const many = (number: number) =>
		Array.from({ length: 100 }, (_, index) => {
			const id = (number - 1) * 100 + index + 1;
			return linkAs({ id, alias: `a-${id}` });
		});

	it('while Get Many reads pages for several rows', async () => {
		scripted.current().follow(async ({ query }) => {
			await soon();
			return pageOf(many(Number(query.page)), Number(query.page), lastPage);
		});
		const result = await scripted.link('getAll', {
			items: rowsOf(concurrency),
			parameters: { returnAll: true, options: { concurrency } },
		});
		expect(jsonOf(result)).toHaveLength(concurrency * lastPage * 100);
		expect(scripted.current().mostUnderWay).toBe(concurrency);
	});

	it('while Create or Update looks for the links of several rows', async () => {
		scripted.current().follow(async ({ method, query, body }) => {
			await soon();
			if (method === 'GET') return pageOf(many(Number(query.page)), Number(query.page), lastPage);
			return oneOf(linkAs({ id: 9999, alias: new URLSearchParams(body).get('alias') }));
		});
		const result = await scripted.link('upsert', {
			items: rowsOf(concurrency * 2),
			parameters: {
				url: 'https://example.com/',
				domainId: byId(1),
				alias: '={{ $json.alias }}',
				options: { concurrency },
			},
		});
		expect(jsonOf(result).map(({ outcome }) => outcome)).toEqual(
			new Array(concurrency * 2).fill('created'),
		);
		expect(scripted.current().mostUnderWay).toBe(concurrency);
	});
});
