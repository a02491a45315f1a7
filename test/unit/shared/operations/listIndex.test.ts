import type { IDataObject } from 'n8n-workflow';
import { ListIndex, readListIndex } from '../../../../nodes/shared/operations/listIndex';
import {
	clientFor,
	linkAccount,
	linkLike,
	rowOf,
	type Answers,
} from '../../../support/operationRun.ts';

const row = (alias: string, more: object = {}) =>
	rowOf('upsert', { alias, url: 'https://example.com/', domainId: 1, ...more });

const rows = (...aliases: string[]) => aliases.map((alias) => row(alias));

const key = { searchBy: 'alias' };

const byId = (id: string) => rowOf('get', { linkId: id });

const byUrl = (text: string) => rowOf('get', { linkId: { mode: 'url', value: text } } as never);

const ids = (links: readonly IDataObject[]) => links.map(({ id }) => id);

describe('the links that rows ask for', () => {
	it('are found by their text, apart from case', () => {
		const known = new ListIndex(rows('a', 'b', 'A'), key);
		expect(known.size).toBe(2);
		for (const [index, alias] of ['A', 'c', ' b '].entries())
			known.add(linkLike({ id: index + 1, alias }));
		expect(ids(known.candidatesFor(row('a')))).toEqual([1]);
		expect(ids(known.candidatesFor(row('b')))).toEqual([3]);
		expect(ids(known.candidatesFor(row('c')))).toEqual([]);
		expect(ids(known.all)).toEqual([1, 3]);
		expect(known.hasEntryFor(linkLike({ alias: 'c' }))).toBe(false);
		expect(known.hasEntryFor(linkLike({ alias: 'B' }))).toBe(true);
		expect(known.hasEntryFor(linkLike({ alias: { text: 'b' } }))).toBe(false);
	});

	it('are found by their ID or short URL', () => {
		const known = new ListIndex([byId('07'), byUrl('https://short.example/b')], undefined);
		known.add(linkLike({ id: 7 }));
		known.add(linkLike({ id: 8, alias: 'b' }));
		known.add(linkLike({ id: 9, alias: 'c' }));
		expect(ids(known.candidatesFor(byId('7')))).toEqual([7]);
		expect(ids(known.candidatesFor(byUrl('https://short.example/b')))).toEqual([8]);
		expect(known.hasEntryFor(linkLike({ id: 9, alias: 'c' }))).toBe(false);
	});

	it('are none for rows without a text', () => {
		const known = new ListIndex([{ ...row('a'), fields: [] }], key);
		expect(known.size).toBe(0);
		expect(known.hasEntryFor(linkLike())).toBe(false);
		expect(known.candidatesFor({ ...row('a'), fields: [] })).toEqual([]);
	});

	it('are asked for unless something else identifies them', () => {
		const known = new ListIndex(rows('a'), key);
		expect(known.isRequested(linkLike())).toBe(true);
		expect(known.isRequested(linkLike({ alias: 'A' }))).toBe(true);
		expect(known.isRequested(linkLike({ domain: { id: 2 } }))).toBe(false);
		expect(known.isRequested(linkLike({ alias: 'b' }))).toBe(false);
	});

	it('lock rows that differ from a link in case only', () => {
		const known = new ListIndex(rows('a', 'b'), key);
		known.add(linkLike({ id: 1, alias: 'A' }));
		expect(known.caseLockOf(row('a'))).toBe('/links in another case');
		expect(known.caseLockOf(row('b'))).toBeUndefined();
		known.add(linkLike({ id: 2, alias: 'a' }));
		expect(known.caseLockOf(row('a'))).toBeUndefined();
	});
});

describe('the list', () => {
	const reading = async (
		given: ReturnType<typeof rowOf>[],
		answers: Answers,
		by: typeof key | null = key,
	) => {
		const { sent, requests, client } = clientFor(answers);
		const own = requests();
		const known = await readListIndex(own, given, by ?? undefined).catch((error: unknown) => error);
		own.end();
		client.close();
		return { sent, known: known as ListIndex | undefined };
	};

	const many = (count: number, name = 'l') =>
		Array.from({ length: count }, (_, index) =>
			linkLike({ id: index + 1, alias: `${name}${index + 1}` }),
		);

	it('is not read for two rows', async () => {
		expect(await reading(rows('a', 'b'), linkAccount([]))).toEqual({ sent: [], known: undefined });
		expect(await reading(rows('a', 'b', 'B'), linkAccount([]))).toEqual({
			sent: [],
			known: undefined,
		});
	});

	it('is read for three rows, with the domain that they share', async () => {
		const { sent, known } = await reading(rows('l1', 'l2', 'z'), linkAccount(many(3)));
		expect(sent).toEqual(['GET /links domain_id=1']);
		expect(ids(known?.all ?? [])).toEqual([1, 2]);
	});

	it('is read without a filter if rows have several domains', async () => {
		const given = [...rows('a', 'b'), row('c', { domainId: 2 })];
		expect((await reading(given, linkAccount([]))).sent).toEqual(['GET /links']);
	});

	it('is read for rows that give IDs', async () => {
		const given = ['1', '2', '3'].map(byId);
		const { sent, known } = await reading(given, linkAccount(many(3)), null);
		expect(sent).toEqual(['GET /links']);
		expect(known?.size).toBe(3);
	});

	it('is not read to its end if that takes more requests than to look up each row', async () => {
		const answers = linkAccount(many(450));
		const { sent, known } = await reading(rows('a', 'b', 'c'), answers);
		expect([sent, known]).toEqual([['GET /links domain_id=1'], undefined]);
		const five = await reading(rows('l1', 'b', 'c', 'd', 'e'), answers);
		expect(five.sent).toHaveLength(5);
		expect(ids(five.known?.all ?? [])).toEqual([1]);
	});

	it('shows one link for each domain', async () => {
		const links = [...many(3), linkLike({ id: 4, alias: 'z', domain: { id: 2 } })];
		const given = ['l1', 'l2', 'z'].map((alias) => row(alias, { domainId: '' }));
		const { sent, known } = await reading(given, linkAccount(links));
		expect(sent).toEqual(['GET /links']);
		expect(ids(known?.keys ?? [])).toEqual([3, 4]);
	});

	it('is not used if it cannot be read', async () => {
		const { known } = await reading(rows('a', 'b', 'c'), () => ({ status: 403 }));
		expect(known).toBeUndefined();
	});
});
