import { sleep as wait } from 'n8n-workflow';
import {
	linkAs,
	oneOf,
	pageOf,
	useScriptedService,
	type Script,
} from '../../support/scriptedService.ts';
import { byId, type Run } from '../../support/service.ts';

const { current, link } = useScriptedService();

/** Rows that are created without an alias, so that nothing can be looked up; row 1 leads to the destination 1. */
const create = (rows: number, more: Run = {}) => {
	const items = Array.from({ length: rows }, (_, index) => ({ row: index + 1 }));
	const parameters = {
		url: '=https://example.com/{{ $json.row }}',
		domainId: byId(1),
		options: { concurrency: 5 },
		...more.parameters,
	};
	return link('create', { items, ...more, parameters });
};

/** Until a run has seen a link of the account, only one write is in flight. */
beforeEach(async () => {
	current().follow(() => pageOf([linkAs({ id: 99 })]));
	await link('getAll', {});
});

/** The row that a write is about. */
const rowOf = ({ body }: Parameters<Script>[0]) => Number(/example\.com\/(\d+)/.exec(body)?.[1]);

/** What a refused row is answered with. */
const refusal = { status: 422, body: { message: { url: ['The url is bad.'] }, status: 422 } };

/** Gives the row that stops the run the time to do so. */
const later = async () => await wait(250);

describe('On Error: Stop Workflow names each row', () => {
	it('those under way too, as done, failed, not sent or unknown', async () => {
		current().follow(async (request) => {
			await current().arrivalOf(5);
			const row = rowOf(request);
			if (row === 3) return refusal;
			await later();
			if (row === 4) return 'drop';
			return row === 5 ? refusal : oneOf(linkAs({ id: row, url: `https://example.com/${row}` }));
		});
		const result = await create(8);
		expect(result.error?.message).toMatch(/^Item 3: .*HTTP 422/);
		expect(result.error?.description).toMatch(
			/ Items done: 1–2\. Items not sent: 6–8\. Items failed: 3, 5\. Items unknown: 4\. Fix the failures, remove the items that are done or unknown, and run the node again\. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead\.$/,
		);
		expect(current().requests).toHaveLength(5);
	});

	it('a write that waits to be repeated is unknown', async () => {
		current().follow(async ({ path }, earlier) => {
			await current().arrivalOf(2);
			if (path === '/links/2') return earlier < 2 ? { status: 500 } : oneOf(linkAs({ id: 2 }));
			await later();
			return refusal;
		});
		const result = await link('update', {
			items: [{ id: 1 }, { id: 2 }],
			parameters: { linkId: byId('={{ $json.id }}'), updateFields: { disabled: true } },
		});
		expect(result.error?.message).toMatch(/^Item 1: /);
		expect(result.error?.description).toMatch(
			/ Items done: none\. Items failed: 1\. Items unknown: 2\. Fix the failures and run the node again with all items: items that are done do not change\.$/,
		);
		expect(current().requests).toHaveLength(2);
	});

	it('a create that waits to be looked for is unknown', async () => {
		current().follow(async (request, earlier) => {
			if (request.method === 'GET') return earlier < 3 ? { status: 500 } : pageOf([]);
			if (rowOf(request) === 2) return earlier < 2 ? 'drop' : oneOf(linkAs({ id: 2 }));
			// Both creates, and the first look for the second one.
			await current().arrivalOf(3);
			await later();
			return refusal;
		});
		const result = await create(2, { parameters: { alias: '=row-{{ $json.row }}' } });
		expect(result.error?.message).toMatch(/^Item 1 \(row-1\): /);
		expect(result.error?.description).toMatch(
			/ Items done: none\. Items failed: 1\. Items unknown: 2\. Fix the failures, remove the items that are done or unknown, and run the node again\. If Alias is set in each item, you can switch Operation to Create or Update and keep all items instead\.$/,
		);
		expect(current().requests).toHaveLength(3);
	});
});

describe('On Error: Stop Workflow does not wait for rows that wait', () => {
	it.each([
		['a rate limit', { status: 429, headers: { 'retry-after': '2' } }],
		['maintenance', { status: 503, headers: { 'retry-after': '2' } }],
		['a service that is away', { status: 503 }],
	])('for %s to end', async (_, answer) => {
		current().follow(async (request, earlier) => {
			await current().arrivalOf(2);
			if (rowOf(request) === 2) return earlier < 2 ? answer : oneOf(linkAs({ id: 2 }));
			await later();
			return refusal;
		});
		const result = await create(2);
		expect(result.error?.message).toMatch(/^Item 1: .*HTTP 422/);
		expect(result.error?.description).toMatch(
			/ Items done: none\. Items not sent: 2\. Items failed: 1\.$/,
		);
		expect(current().requests.map(rowOf).toSorted()).toEqual([1, 2]);
		// As long as the service told, and longer than the first pause where it told nothing.
		await wait(2500);
		expect(current().requests).toHaveLength(2);
	});
});
