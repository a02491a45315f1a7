import type { IDataObject } from 'n8n-workflow';
import {
	hintsOf,
	linksOf,
	linksOfItems,
	numbered,
	outcomesOf,
	row,
	rows,
	type Oddities,
} from '../../support/account.ts';
import { useScriptedSync } from '../../support/scriptedSync.ts';
import { jsonOf } from '../../support/service.ts';

const { sync, begin, writes, methods } = useScriptedSync();
const aliasesOf = (links: readonly IDataObject[]) => links.map(({ alias }) => alias).toReversed();
const continues = { onError: 'continueRegularOutput' } as const;
const missing = { status: 404, body: { message: 'Resource not found.', status: 404 } };

const listOf = (data: IDataObject[], number: number, last: number, total: number) => ({
	data,
	meta: { current_page: number, last_page: last, total },
});

describe('nothing is removed', () => {
	it('where a page of the list cannot be read', async () => {
		const links = begin(linksOf(...numbered(250)), {
			before: ({ query }) => (query.page === '2' ? { status: 500 } : undefined),
		});
		const options = { maxRemovals: 1000, maxWait: 1 };
		const result = await sync(numbered(3), options);
		expect(result.error?.message).toMatch(/HTTP 500/);
		expect(result.error?.message).not.toMatch(/Row/);
		const going = await sync([...numbered(2), ...rows('new')], options, continues);
		expect(jsonOf(going)).toMatchObject(
			Array(3).fill({ error: expect.stringMatching(/HTTP 500/) }),
		);
		expect(writes()).toEqual([]);
		expect(links).toHaveLength(250);
	});

	it.each<[string, NonNullable<Oddities['wrap']>]>([
		[
			'has nothing on its second page',
			(page, number, ...more) => listOf(number === 2 ? [] : page, number, ...more),
		],
		['sends the first page again and again', (page, _, ...more) => listOf(page, 1, ...more)],
		['reports a larger total than it lists', (page, ...more) => listOf(page.slice(1), ...more)],
		['answers with something else', () => ({ message: 'Welcome' })],
	])('where the service %s', async (_name, wrap) => {
		const links = begin(linksOf(...numbered(250)), { wrap });
		const result = await sync(numbered(2), { maxRemovals: 1000 });
		expect(result.error?.message).toMatch(/list|page/);
		expect(writes()).toEqual([]);
		expect(links).toHaveLength(250);
	});

	it('where the list gets shorter each time it is read', async () => {
		const links = begin(linksOf(...numbered(250)), {
			before: ({ query }) => {
				if (query.page === '2') links.splice(0, 1);
				return undefined;
			},
		});
		const result = await sync(numbered(2), { maxRemovals: 1000 });
		expect(result.error?.message).toMatch(/The list changed 3 times/);
		expect(writes()).toEqual([]);
	});

	it.each([
		['create', 'POST', row('new')],
		['update', 'PUT', row('a', { url: 'https://example.com/new' })],
	])('where a %s failed', async (_name, method, item) => {
		const refusal = { status: 422, body: { message: { url: ['No.'] }, status: 422 } };
		const links = begin(linksOf(...rows('a', 'b', 'c')), {
			before: (request) => (request.method === method ? refusal : undefined),
		});
		const items = [item, row('c')];
		expect((await sync(items)).error?.message).toMatch(/^Item 1 \((a|new)\): .*HTTP 422/);
		const result = await sync(items, {}, continues);
		expect(outcomesOf(result)).toEqual([undefined, 'unchanged']);
		expect(hintsOf(result)).toMatch(/Nothing was removed, because not all items succeeded/);
		expect(aliasesOf(links)).toEqual(['a', 'b', 'c']);
	});
});

describe('a removal', () => {
	it('that finds nothing more is told as missing, and the others go on', async () => {
		const links = begin(linksOf(...rows('a', 'b', 'c')), {
			before: ({ method, path }) =>
				method === 'DELETE' && path === '/links/3' ? missing : undefined,
		});
		const result = await sync(rows('a'));
		expect(jsonOf(result).map(({ alias, outcome }) => [alias, outcome])).toEqual([
			['a', 'unchanged'],
			['c', 'missing'],
			['b', 'deleted'],
		]);
		expect(hintsOf(result)).toMatch(
			/^1 item: 1 unchanged; 1 link that is no longer in the rows was deleted; 1 link that is no longer in the rows was already missing\.$/m,
		);
		expect(links).toHaveLength(2);
	});

	it('that fails names what it is about, and no row', async () => {
		const begins = () =>
			begin(linksOf(...rows('a', 'b', 'c')), {
				before: ({ path }) => (path === '/links/3' ? { status: 403 } : undefined),
			});
		begins();
		const result = await sync(rows('a', 'new'));
		expect(result.error?.message).toMatch(/^The link c \(ID 3\), which is in no row: .*HTTP 403/);
		expect(result.error?.description).toMatch(/Items done: 1–2\./);
		expect(result.error?.context.data).not.toHaveProperty('row');
		expect(methods()).toEqual(['POST ', 'DELETE 3']);

		begins();
		const going = await sync(rows('a', 'new'), {}, continues);
		expect(outcomesOf(going)).toEqual(['unchanged', 'created', undefined, 'deleted']);
		expect(jsonOf(going)[2]).toEqual({
			error: expect.stringMatching(/^The link c \(ID 3\), which is in no row/),
			errorDetails: expect.objectContaining({ statusCode: 403 }),
		});
		expect(linksOfItems(going)).toEqual([{ item: 0 }, { item: 1 }, undefined, undefined]);

		begins();
		const split = await sync(rows('a', 'new'), {}, { onError: 'continueErrorOutput' });
		expect(split.outputs.map((items) => items.length)).toEqual([3, 1]);
		expect(split.outputs[1]?.[0]?.json.error).toMatch(/^The link c \(ID 3\), which is in no row/);
	});

	it('that was refused in so many words', async () => {
		const links = begin(linksOf(...rows('a', 'b')), {
			before: ({ method }) => (method === 'DELETE' ? { body: { deleted: false } } : undefined),
		});
		expect((await sync(rows('a'))).error?.message).toMatch(/The service did not delete the link 2/);
		expect(links).toHaveLength(2);
	});

	it('has no columns of a row beside it', async () => {
		begin(linksOf(...rows('a', 'b')));
		const result = await sync([row('a', { note: 'n' })], { includeInput: true });
		expect(jsonOf(result)).toMatchObject([
			{ note: 'n', link: { alias: 'a' }, outcome: 'unchanged' },
			{ link: { alias: 'b' }, outcome: 'deleted' },
		]);
		expect(Object.keys(jsonOf(result)[1] ?? {})).toEqual(['outcome', 'link']);
	});
});
