import {
	afterPage,
	beginBacklog,
	isGapless,
	storedBacklog,
	type Backlog,
} from '../../../../nodes/shared/poll/backlog';
import type { IdPage } from '../../../../nodes/shared/poll/idList';

const page = (number: number, ids: number[], isLast = false): IdPage => ({
	number,
	ids,
	items: ids.map((id) => ({ id })),
	isLast,
	mayBeLast: isLast,
});

it.each<[stored: unknown, backlog: Backlog | undefined]>([
	[undefined, undefined],
	[null, undefined],
	['text', undefined],
	[{}, undefined],
	[{ next: 0 }, undefined],
	[{ next: 3 }, { next: 3, low: 0, high: undefined, highBegin: undefined }],
	[
		{ next: 3, low: -1, high: 0 },
		{ next: 3, low: 0, high: undefined, highBegin: undefined },
	],
	[
		{ next: 3, low: 2, high: 7, highBegin: 70 },
		{ next: 3, low: 2, high: 7, highBegin: 70 },
	],
	[
		{ next: 3, highBegin: 1.5 },
		{ next: 3, low: 0, high: undefined, highBegin: undefined },
	],
	[
		{ next: 3, highBegin: '7' },
		{ next: 3, low: 0, high: undefined, highBegin: undefined },
	],
])('reads the stored backlog %j', (stored, backlog) => {
	expect(storedBacklog(stored)).toEqual(backlog);
});

it.each<[highest: number, guess: number, last: number | undefined, backlog: Backlog]>([
	[0, 0, undefined, { next: 1, low: 0, high: undefined }],
	[0, 5, 9, { next: 1, low: 0, high: 10 }],
	[50, 5, 9, { next: 5, low: 5, high: 10 }],
	[50, 0, 9, { next: 5, low: 0, high: 10 }],
	[50, 0, 8, { next: 5, low: 0, high: 9 }],
	[50, 0, undefined, { next: 1, low: 0, high: undefined }],
])('begins after ID %d with the guess %d of %p pages', (highest, guess, last, backlog) => {
	expect(beginBacklog(highest, guess, last)).toEqual(backlog);
});

it.each<[what: string, page: IdPage, backlog: Backlog, gapless: boolean]>([
	['the first page', page(1, [90]), { next: 1, low: 0 }, true],
	['the first page without links', page(1, []), { next: 1, low: 0 }, true],
	['an empty page', page(2, []), { next: 2, low: 0 }, false],
	['a page that begins with a known ID', page(2, [49]), { next: 2, low: 0 }, true],
	['a page that begins with the next ID', page(2, [51]), { next: 2, low: 0 }, true],
	['a page that begins behind a gap', page(2, [52]), { next: 2, low: 0 }, false],
	['that page again', page(2, [52]), { next: 2, low: 1, high: 2, highBegin: 52 }, true],
	['that page with another ID', page(2, [53]), { next: 2, low: 1, high: 2, highBegin: 52 }, false],
	['another page with that ID', page(3, [52]), { next: 3, low: 1, high: 2, highBegin: 52 }, false],
])('takes %s for gapless, or not', (_what, read, backlog, gapless) => {
	expect(isGapless(read, backlog, 50)).toBe(gapless);
});

describe('the backlog after a page', () => {
	it.each<[what: string, page: IdPage, before: Backlog, found: string, after: Backlog | undefined]>(
		[
			['the last one', page(4, [60], true), { next: 4, low: 3 }, 'gapless new', undefined],
			['an empty one behind the last', page(4, []), { next: 4, low: 3 }, '', undefined],
			[
				'an empty one farther behind',
				page(8, []),
				{ next: 8, low: 3 },
				'',
				{ next: 5, low: 3, high: 8, highBegin: undefined },
			],
			[
				'the last one behind a gap',
				page(8, [90], true),
				{ next: 8, low: 3 },
				'',
				{ next: 5, low: 3, high: 8, highBegin: 90 },
			],
			[
				'one behind a gap',
				page(2, [60]),
				{ next: 2, low: 1 },
				'',
				{ next: 1, low: 1, high: 2, highBegin: 60 },
			],
			[
				'one behind a gap that deletions moved below the lower bound',
				page(3, [60]),
				{ next: 3, low: 3 },
				'',
				{ next: 1, low: 0, high: 3, highBegin: 60 },
			],
			[
				'one with new links',
				page(4, [51]),
				{ next: 4, low: 3 },
				'gapless new',
				{ next: 5, low: 4 },
			],
			['one without new links', page(4, [31]), { next: 4, low: 3 }, 'gapless', { next: 8, low: 4 }],
			[
				'one without new links below the upper bound',
				page(4, [31]),
				{ next: 4, low: 3, high: 9, highBegin: 90 },
				'gapless',
				{ next: 7, low: 4, high: 9, highBegin: 90 },
			],
			[
				'one with new links right below the upper bound',
				page(4, [51]),
				{ next: 4, low: 3, high: 5, highBegin: 90 },
				'gapless new',
				{ next: 5, low: 4, high: 5, highBegin: 90 },
			],
			[
				'one with new links farther below the upper bound',
				page(4, [51]),
				{ next: 4, low: 3, high: 6, highBegin: 90 },
				'gapless new',
				{ next: 5, low: 4 },
			],
			[
				'the upper bound itself',
				page(5, [31]),
				{ next: 5, low: 3, high: 5, highBegin: 31 },
				'gapless',
				{ next: 10, low: 5 },
			],
		],
	)('%s', (_what, read, before, found, after) => {
		const result = afterPage(read, before, found.includes('gapless'), found.includes('new'));
		expect(result).toEqual(after);
	});
});
