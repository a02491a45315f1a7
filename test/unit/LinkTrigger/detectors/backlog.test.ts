import {
	isContiguous,
	nextBacklog,
	storedBacklog,
	type Backlog,
} from '../../../../nodes/LinkTrigger/detectors/backlog';
import type { IdPage } from '../../../../nodes/LinkTrigger/polling/idList';

const page = (number: number, ids: number[], last = 9): IdPage => ({
	...{ number, ids, last, items: [], total: 90, offset: 0, isLast: number >= last },
});

it.each<
	[
		what: string,
		number: number,
		first: number | undefined,
		above: Backlog['above'],
		gapless: boolean,
	]
>([
	['the first page', 1, 50, undefined, true],
	['a page that begins with a known ID', 3, 10, undefined, true],
	['a page that begins with the ID after the known ones', 3, 11, undefined, true],
	['a page that begins with a higher ID', 3, 12, undefined, false],
	['a page beyond the end', 10, undefined, undefined, false],
	['a page that still begins with the same ID', 3, 12, { number: 3, first: 12 }, true],
	['a page that begins with another ID than before', 3, 12, { number: 3, first: 13 }, false],
	['another page that begins with the same ID', 3, 12, { number: 4, first: 12 }, false],
	['a page that is still beyond the end', 10, undefined, { number: 10 }, true],
])('knows whether no new link is below %s', (_what, number, first, above, gapless) => {
	const ids = first === undefined ? [] : [first, first + 5];
	expect(isContiguous(page(number, ids), { next: number, above }, 10)).toBe(gapless);
});

it.each<[what: string, number: number, gapless: boolean, next: Backlog | undefined]>([
	['continues with the page above', 3, true, { next: 4, above: { number: 4, first: 40 } }],
	['ends with the last page', 9, true, undefined],
	['ends beyond the end', 10, true, undefined],
	['looks at the page below', 3, false, { next: 2, above: { number: 3, first: 30 } }],
	[
		'returns from beyond the end to the last page',
		50,
		false,
		{ next: 9, above: { number: 50, first: 30 } },
	],
])('%s', (_what, number, gapless, next) => {
	const backlog = { next: number, above: { number: 4, first: 40 } };
	expect(nextBacklog(page(number, [30]), backlog, gapless)).toEqual(next);
});

it.each([
	{ next: 5 },
	{ next: 5, above: { number: 6, first: 51 } },
	{ next: 5, above: { number: 6 } },
])('reads the stored backlog %j', (backlog) => {
	expect(storedBacklog(JSON.parse(JSON.stringify(backlog)))).toEqual(backlog);
});

it.each([
	[undefined],
	[{}],
	[{ next: 0 }],
	[{ next: 5, above: 6 }],
	[{ next: 5, above: { number: 0, first: 51 } }],
	[{ next: 5, above: { number: 6, first: -1 } }],
])('does not read the stored backlog %j', (backlog) => {
	expect(() => storedBacklog(backlog)).toThrow(SyntaxError);
});
