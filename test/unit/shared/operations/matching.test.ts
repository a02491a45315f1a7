import type { IDataObject } from 'n8n-workflow';
import {
	findMatches,
	matchProblems,
	problemsOfMatches,
} from '../../../../nodes/shared/operations/matching';
import { reasonText } from '../../../../nodes/shared/contract/problems';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { clientFor, linkAccount, linkLike, rowOf } from '../../../support/operationRun.ts';

const url = 'https://example.com/x';

const byUrl = (operation: OperationName, text = url, more: object = {}) =>
	rowOf(operation, { url: text, alias: 'a', domainId: 1, ...more } as never, { matchBy: 'url' });

const byId = (operation: OperationName, id: string, more: object = {}) =>
	rowOf(operation, { linkId: id, url, alias: 'a', ...more } as never, { matchBy: 'id' });

const reasons = (row: ReturnType<typeof rowOf>, links: readonly IDataObject[]) =>
	matchProblems(row, links).map(
		(problem) => `${problem.field} (${problem.key}) ${reasonText(problem)}`,
	);

const links = (count: number, more: object = {}) =>
	Array.from({ length: count }, (_, index) =>
		linkLike({ id: index + 1, alias: `l${index + 1}`, url, ...more }),
	);

describe('the problems of a row with its matches', () => {
	it('are none with one match, or none to create', () => {
		expect(reasons(byUrl('upsert'), links(1))).toEqual([]);
		expect(reasons(byUrl('upsert'), [])).toEqual([]);
		expect(reasons(byUrl('upsert'), [linkLike({ url: `${url}y` })])).toEqual([]);
	});

	it.each([
		[2, 'l1 (ID 1), l2 (ID 2)'],
		[5, 'l1 (ID 1), l2 (ID 2), l3 (ID 3), l4 (ID 4), l5 (ID 5)'],
		[7, 'l1 (ID 1), l2 (ID 2), l3 (ID 3), l4 (ID 4), l5 (ID 5) and 2 more'],
	])('are %d matches', (count, names) => {
		expect(reasons(byUrl('upsert'), links(count))).toEqual([
			`Destination URL (url) "${url}" matches ${count} links (${names.replace(/\)/g, ') on short.example')}); match the item by ID, or keep only one of them`,
		]);
	});

	it('are no match for a row that names an ID', () => {
		expect(reasons(byId('upsert', '9'), links(1))).toEqual([
			'ID (linkId) "9" matches no link; correct it, or empty it to create a link',
		]);
		expect(
			reasons(
				rowOf('sync', { syncScope: { domainId: 1 }, linkId: '9', url, alias: 'a' } as never, {
					matchBy: 'id',
				}),
				[],
			),
		).toEqual([
			'ID (linkId) "9" matches no link of the scope; correct it, or empty it to create a link',
		]);
	});

	it('are no match for an update', () => {
		const row = rowOf('update', { updateFields: { alias: 'b', url } } as never, {
			matchBy: 'alias',
		});
		expect(reasons(row, [])).toEqual([
			'Alias (alias) "b" matches no link; correct it, or remove the item',
		]);
	});

	it('are a field that cannot be changed', () => {
		const row = byId('upsert', '1', { domainId: 2 });
		expect(reasons(row, links(1))).toEqual([
			'Domain (domain_id) differs from that of l1 (ID 1) and cannot be changed; correct it, or leave it out',
		]);
		expect(reasons(byId('upsert', '1', { domainId: 1 }), links(1))).toEqual([]);
	});

	it('are an alias that is missing for the scope', () => {
		const row = rowOf(
			'sync',
			{ syncScope: { domainId: 1, aliasStartsWith: 'spring-' }, url } as never,
			{ matchBy: 'url' },
		);
		expect(reasons(row, [])).toEqual([
			'Alias (alias) is missing; a new link needs one within Sync Scope (Alias Starts With spring-)',
		]);
		expect(reasons(row, links(1))).toEqual([]);
		const given = rowOf(
			'sync',
			{ syncScope: { aliasStartsWith: 'spring-' }, url, alias: 'spring-1' } as never,
			{ matchBy: 'url' },
		);
		expect(reasons(given, [])).toEqual([]);
	});
});

describe('rows that match the same link', () => {
	const shared = (...rows: ReturnType<typeof rowOf>[]) => {
		const problems = problemsOfMatches(rows, () => [
			linkLike({ id: 1, url, alias: 'l1', short_url: 'https://short.example/l1' }),
		]);
		return rows.map((row) => (problems.get(row) ?? []).map(reasonText));
	};

	it('are refused if they give different texts', () => {
		const other = byId('upsert', '01');
		expect(shared(byUrl('upsert'), other)).toEqual([
			[],
			[`"01" matches the same link as "${url}" (l1 (ID 1)); keep only one of the two`],
		]);
	});

	it('are executed if they give the same text', () => {
		expect(shared(byUrl('upsert'), byUrl('upsert'))).toEqual([[], []]);
		expect(shared(byId('upsert', '1'), byId('upsert', '01'))).toEqual([[], []]);
	});

	it('have their own problems first', () => {
		expect(shared(byUrl('upsert'), byId('upsert', '9'))[1]).toEqual([
			'"9" matches no link; correct it, or empty it to create a link',
		]);
		expect(shared(byUrl('upsert'), byUrl('upsert', `${url}z`))).toEqual([[], []]);
	});
});

describe('the matches of rows', () => {
	const finding = async (rows: ReturnType<typeof rowOf>[], held: ReturnType<typeof linkLike>[]) => {
		const { sent, requests, client } = clientFor(linkAccount(held));
		const own = requests();
		const candidatesFor = await findMatches(own, rows);
		own.end();
		client.close();
		return { sent, ids: rows.map((row) => candidatesFor(row).map(({ id }) => id)) };
	};

	it('are looked up for a few rows, each text once', async () => {
		const rows = [byUrl('upsert'), byUrl('upsert'), byUrl('upsert', `${url}y`)];
		const { sent, ids } = await finding(rows, [...links(1), linkLike({ id: 9, url: `${url}y` })]);
		expect(ids[0]).toEqual(ids[1]);
		expect(ids[0]).toContain(1);
		expect(ids[2]).toEqual([9]);
		expect(sent).toHaveLength(2);
	});

	it('are read from the list for many rows', async () => {
		const rows = ['a', 'b', 'c', 'd'].map((text) => byUrl('upsert', `${url}${text}`));
		const { sent, ids } = await finding(rows, [linkLike({ id: 9, url: `${url}c` })]);
		expect(ids).toEqual([[], [], [9], []]);
		expect(sent).toEqual(['GET /links domain_id=1']);
	});

	it('are none without rows', async () => {
		expect(await finding([], [])).toEqual({ sent: [], ids: [] });
	});
});
