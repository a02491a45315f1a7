import { DeletedLinkFields } from '../../../../nodes/LinkTrigger/polling/deletedLinkFields';
import { range } from '../../../support/pollReading.ts';

const link = (id: number, alias: string | null, shortUrl: string | null) => ({
	id,
	alias,
	short_url: shortUrl,
});

/** The fields after they were stored and read again. */
function stored(links: readonly ReturnType<typeof link>[], room = 10_000) {
	const ids = links.map(({ id }) => id).toSorted((a, b) => b - a);
	const fields = new DeletedLinkFields([], undefined);
	for (const each of links) fields.note(each, each.id);
	const state = fields.store(ids, room);
	const again = new DeletedLinkFields(ids, JSON.parse(JSON.stringify(state ?? null)));
	return { state, fields: ids.map((id) => again.of(id)) };
}

it.each<[what: string, alias: string | null, shortUrl: string | null, fields: object | undefined]>([
	['a usual link', 'spring', 'https://go.example/spring', {}],
	['another host', 'spring', 'https://other.example/s/spring', {}],
	['an address that does not end with the alias', 'spring', 'https://go.example/?a=spring&b', {}],
	['no address', 'spring', null, {}],
	['letters of any script', 'frühling-春', 'https://go.example/frühling-春', {}],
	['a comma in the alias', 'a,b', 'https://go.example/a,b', undefined],
	['a space in the alias', 'a b', 'https://go.example/a b', undefined],
	['no alias', null, 'https://go.example/', undefined],
])('returns alias and short URL of %s', (_what, alias, shortUrl, fields) => {
	const others = [
		link(9, 'new', 'https://go.example/new'),
		link(2, 'old', 'https://go.example/old'),
	];
	const result = stored([...others, link(5, alias, shortUrl)]);
	expect(result.fields).toEqual([
		{ alias: 'new', shortUrl: 'https://go.example/new' },
		fields && { alias, shortUrl },
		{ alias: 'old', shortUrl: 'https://go.example/old' },
	]);
});

it('stores the newest 5,000 links', () => {
	const links = range(1, 5001).map((id) => link(id, `a-${id}`, `https://go.example/a-${id}`));
	const { fields, state } = stored(links, Infinity);
	expect(fields[0]).toEqual({ alias: 'a-5001', shortUrl: 'https://go.example/a-5001' });
	expect(fields.filter(Boolean)).toHaveLength(5000);
	expect(fields.at(-1)).toBeUndefined();
	expect(JSON.stringify(state).length).toBeLessThan(40_000);
});

it.each([0, 40, 60, 100, 150, 500])('stores the newest links that fit in %i bytes', (room) => {
	const links = range(1, 40).flatMap((id) =>
		link(id, `é-${id}`, `https://${id % 3}.example/é-${id}`),
	);
	const { fields, state } = stored(links, room);
	const size = state ? Buffer.byteLength(JSON.stringify(state)) : 0;
	expect(size).toBeLessThanOrEqual(room);
	const known = [...fields, undefined].indexOf(undefined);
	expect(fields.slice(known).every((field) => field === undefined)).toBe(true);
	if (room >= 100) expect(known).toBeGreaterThan(0);
});

it.each([
	undefined,
	null,
	5,
	'text',
	[],
	{},
	{ newest: 3, bases: 'x', links: 'a' },
	{ newest: 4, bases: [''], links: 'a' },
])('knows no fields from %j', (state) => {
	expect(new DeletedLinkFields([3, 2, 1], state).of(3)).toBeUndefined();
});

it('stores nothing without a link, and nothing about links without known fields', () => {
	const fields = new DeletedLinkFields([], undefined);
	fields.note(link(7, 'spring', 'https://go.example/spring'), 7);
	expect(fields.store([], 1000)).toBeUndefined();
	expect(fields.store([9, 8], 1000)).toBeUndefined();
	expect(fields.store([8, 7], 1000)).toEqual({
		...{ newest: 8, bases: ['https://go.example/'] },
		links: ' spring',
	});
});

it('reads no more links than the list has', () => {
	const state = { newest: 3, bases: ['https://go.example/'], links: 'a b c d' };
	const fields = new DeletedLinkFields([3, 2, 1], state);
	expect([3, 2, 1, 0].map((id) => fields.of(id)?.alias)).toEqual(['a', 'b', 'c', undefined]);
});
