import type { IDataObject } from 'n8n-workflow';
import { RowFilters } from '../../../../nodes/shared/operations/filteredList';
import { rowOf } from '../../../support/operationRun.ts';

interface Given {
	readonly timeZone?: string;
	readonly sorting?: IDataObject;
}

const filtersOf = (filters: IDataObject, { timeZone = 'UTC', sorting = {} }: Given = {}) =>
	new RowFilters(rowOf('getAll', { returnAll: true, filters, sorting }, { timeZone }));

const day = (number: number) => `2026-01-${String(number).padStart(2, '0')}T00:00:00Z`;

/** A link that was created on this day of January, and has this ID by default. */
const created = (number: number, id: unknown = number): IDataObject =>
	({ id, created_at: day(number) }) as IDataObject;

/** The IDs of the links of a page that pass. */
const passing = (reader: ReturnType<RowFilters['start']>, page: readonly IDataObject[]) =>
	page.filter((link) => reader.isWanted(link)).map(({ id }) => id);

/** Reads pages in turn. Returns for each page whether the read ends after it. */
const endsOf = (filters: RowFilters, ...pages: IDataObject[][]) => {
	const reader = filters.start();
	return pages.map((page) => {
		passing(reader, page);
		return reader.isEnd();
	});
};

it('is not active without a filter, and then passes every link', () => {
	const filters = filtersOf({ status: 1 });
	expect(filters).toMatchObject({ isActive: false, canEndEarly: false, orderParams: [] });
	expect(passing(filters.start(), [created(2), { id: 1 }])).toEqual([2, 1]);
	expect(endsOf(filters, [created(1)], [])).toEqual([false, false]);
	expect(filters.notes()).toEqual([]);
});

it('passes the links that pass all filters', () => {
	const filters = filtersOf({ clicksAtLeast: 10, clicksAtMost: 12, hasPassword: false });
	const links = [9, 10, 12, 13].map((clicks) => ({ id: clicks, clicks, password: false }));
	expect(filters.isActive).toBe(true);
	expect(passing(filters.start(), [...links, { id: 1, clicks: 11, password: true }])).toEqual([
		10, 12,
	]);
	expect(() => filters.check()).not.toThrow();
	expect(filters.notes()).toEqual([]);
});

describe('the order of the list', () => {
	const byId = [
		['sort_by', 'id'],
		['sort', 'desc'],
	];

	it.each<
		[what: string, filters: IDataObject, sorting: IDataObject, params: unknown[] | undefined]
	>([
		['Created After', { createdAfter: day(5) }, {}, byId],
		['Created After, by Date Created', { createdAfter: day(5) }, { sortBy: 'id' }, [byId[1]]],
		['Created After, descending', { createdAfter: day(5) }, { sort: 'desc' }, [byId[0]]],
		['Created Before, ascending', { createdBefore: day(5) }, { sort: 'asc' }, [byId[0]]],
		['Created After, ascending', { createdAfter: day(5) }, { sort: 'asc' }, undefined],
		['Created Before, descending', { createdBefore: day(5) }, {}, undefined],
		['Created After, by clicks', { createdAfter: day(5) }, { sortBy: 'clicks' }, undefined],
		['Expires Before', { expiresBefore: day(5) }, {}, undefined],
	])('for %s', (_what, given, sorting, params) => {
		const filters = filtersOf(given, { sorting });
		expect(filters.canEndEarly).toBe(params !== undefined);
		expect(filters.orderParams).toEqual(params ?? []);
	});
});

describe('a read', () => {
	const after = () => filtersOf({ createdAfter: day(5) });

	it('ends after a page whose links are all too old', () => {
		expect(
			endsOf(after(), [created(7), created(6)], [created(5), created(4)], [created(3)]),
		).toEqual([false, false, true]);
	});

	it('ends after a page whose links are all too new, oldest first', () => {
		const filters = filtersOf({ createdBefore: day(5) }, { sorting: { sort: 'asc' } });
		expect(endsOf(filters, [created(4), created(5)], [created(6), created(7)])).toEqual([
			false,
			true,
		]);
	});

	it('ends by a filter of several that no later link can pass', () => {
		const filters = filtersOf({ createdAfter: day(5), createdBefore: day(20), clicksAtLeast: 1 });
		expect(endsOf(filters, [created(25)], [created(9)], [created(4)])).toEqual([
			false,
			false,
			true,
		]);
	});

	it('does not end after a page without links', () => {
		expect(endsOf(after(), [], [created(4)])).toEqual([false, true]);
	});

	it.each<[what: string, IDataObject[]]>([
		['dates are out of order', [created(3, 9), created(4, 8)]],
		['dates and IDs disagree', [created(4, 8), created(3, 9)]],
		['a date is missing', [{ id: 9, created_at: null }, created(3)]],
		['a date is in an unknown form', [{ id: 9, created_at: '2 days ago' }, created(3)]],
	])('continues to the last page if %s', (_what, page) => {
		expect(endsOf(after(), page, [created(2), created(1)])).toEqual([false, false]);
	});

	it('checks the order across pages', () => {
		expect(endsOf(after(), [created(6, 3)], [created(4, 9)])).toEqual([false, false]);
		expect(endsOf(after(), [created(6, 9)], [created(4, 3)])).toEqual([false, true]);
	});

	it.each<[what: string, IDataObject[]]>([
		['equal dates', [created(4, 9), created(4, 8), created(4, 8)]],
		['IDs that are no numbers', [created(4, 'a'), created(3, 'b'), created(3, 1)]],
	])('ends for %s, which do not contradict the order', (_what, page) => {
		expect(endsOf(after(), page)).toEqual([true]);
	});

	it('starts with a new order each time', () => {
		const filters = after();
		expect(endsOf(filters, [created(3), created(4)])).toEqual([false]);
		expect(endsOf(filters, [created(4), created(3)])).toEqual([true]);
	});
});

describe('a value that the service does not show', () => {
	it('excludes its link, which the notes count once', () => {
		const filters = filtersOf({ clicksAtMost: 4, hasPassword: true });
		const links = [
			{ id: 4, clicks: 1, password: true },
			{ id: 3, clicks: null, password: true },
			{ id: 2, clicks: 1 },
			{ id: 1, clicks: 9 },
			{ id: 5, clicks: '1,234', password: true },
		];
		// A list that changes is read again.
		expect([1, 2].map(() => passing(filters.start(), links))).toEqual([[4], [4]]);
		expect(() => filters.check()).not.toThrow();
		expect(filters.notes()).toEqual([
			'The node left out 3 of 5 links, because the service does not show the values for Clicks At Most, Has Password',
		]);
	});

	it('fails the row if no link shows it', () => {
		const filters = filtersOf({ createdBefore: '2030-01-01', clicksAtMost: 4 });
		passing(filters.start(), [
			{ id: 2, created_at: 'yesterday', clicks: 4 },
			{ id: 1, created_at: 'today', clicks: 4 },
		]);
		expect(() => filters.check()).toThrow(
			expect.objectContaining({
				failure: {
					cause: 'rejected',
					message:
						'Created Before cannot filter the list, because the service returns no readable created_at',
					advice: 'Remove Created Before. To see what the service returns, set Output to Raw.',
				},
			}),
		);
	});

	it('does not matter if another filter excludes each link without it', () => {
		const filters = filtersOf({ createdBefore: '2030-01-01', clicksAtMost: 4 });
		expect(passing(filters.start(), [{ id: 1, clicks: 9 }])).toEqual([]);
		expect(() => filters.check()).not.toThrow();
		expect(filters.notes()).toEqual([]);
	});

	it('is no failure of an empty list', () => {
		const filters = filtersOf({ createdBefore: '2030-01-01' });
		expect(passing(filters.start(), [])).toEqual([]);
		expect(() => filters.check()).not.toThrow();
	});
});

describe('a Z that may mean local time', () => {
	const doubtOf = (filters: IDataObject, links: IDataObject[]) => {
		const row = filtersOf(filters, { timeZone: 'Europe/Berlin' });
		return { ids: passing(row.start(), links), notes: row.notes() };
	};

	it('is UTC, and the notes count the links whose result depends on it', () => {
		const links = [
			{ id: 3, created_at: '2026-01-01T13:00:00Z' },
			{ id: 2, created_at: '2026-01-01T11:30:00Z' },
			{ id: 1, created_at: '2026-01-01T10:00:00Z' },
		];
		const note =
			'For 1 of 3 links, the result depends on the Z at the end of a time; the node read it as UTC';
		expect(doubtOf({ createdAfter: '2026-01-01T12:00:00' }, links)).toEqual({
			ids: [3, 2],
			notes: [note],
		});
		expect(doubtOf({ createdBefore: '2026-01-01T12:00:00' }, links)).toEqual({
			ids: [1],
			notes: [note],
		});
	});

	it('does not matter for a link that another filter excludes', () => {
		const link = { id: 1, created_at: '2026-01-01T11:30:00Z', clicks: 0 };
		const filters = { createdBefore: '2026-01-01T12:00:00', clicksAtLeast: 1 };
		expect(doubtOf(filters, [link])).toEqual({ ids: [], notes: [] });
		expect(doubtOf(filters, [{ ...link, clicks: 1 }]).notes).toEqual([
			'For 1 of 1 link, the result depends on the Z at the end of a time; the node read it as UTC',
		]);
	});
});
