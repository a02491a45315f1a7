import { hasAny, knownLinksIn, storedLink } from '../../../../nodes/LinkTrigger/polling/knownLinks';
import { accountWith, range, requestsTo } from '../../../support/pollReading.ts';

const links = (count: number, created = '2026-01-01') =>
	range(1, count).map((id) => ({ id, created_at: created }));

it.each([
	[0, []],
	[1, [1]],
	[2, [1, 2]],
	[3, [1, 2, 3]],
	[100, [1, 51, 100]],
])('of %d links keeps the first, the middle and the last', (count, ids) => {
	expect(knownLinksIn(links(count)).map(({ id }) => id)).toEqual(ids);
});

it('finds one of the links in the account', async () => {
	const known = knownLinksIn([{ id: 7 }, { id: 3 }]);
	const { requests, sent } = requestsTo(accountWith([3, 5]));
	expect(await hasAny(requests, known)).toBe(true);
	expect(sent).toEqual(['get 7', 'get 3']);
	expect(await hasAny(requests, [])).toBe(false);
});

it('does not take a link with the same ID for a known one if it was created at another time', async () => {
	const { requests } = requestsTo(accountWith([1, 2]));
	expect(await hasAny(requests, knownLinksIn(links(2)))).toBe(false);
});

it('throws if a link cannot be read', async () => {
	const { requests } = requestsTo({ read: () => ({ statusCode: 401, headers: {}, body: '{}' }) });
	await expect(hasAny(requests, knownLinksIn(links(1)))).rejects.toMatchObject({
		failure: { statusCode: 401 },
	});
});

it('reads a stored link, and nothing else', () => {
	const [link] = knownLinksIn(links(1));
	expect(storedLink(JSON.parse(JSON.stringify(link)))).toEqual(link);
	for (const value of [null, {}, { id: 5 }, { id: '5', print: '' }, { id: 5, print: 5 }]) {
		expect(() => storedLink(value)).toThrow(SyntaxError);
	}
});
