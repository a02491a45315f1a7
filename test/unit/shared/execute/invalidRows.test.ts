import { linkContract } from '../../../../nodes/Link/link.contract';
import { invalidRow, invalidRowsError } from '../../../../nodes/shared/execute/errors';
import type { Reason } from '../../../../nodes/shared/contract/types';
import type { InvalidRow, RowState } from '../../../../nodes/shared/execute/outcome';
import { RowNumbers } from '../../../../nodes/shared/execute/sheet';
import { nodeLike } from '../../../support/execution.ts';

const missingText = 'is missing; enter a value';
const missing: Reason = { what: missingText };
const wrong: Reason = { what: 'is wrong' };

const row = (index: number, reasons: Record<string, Reason>, more: object = {}): InvalidRow => ({
	index,
	encoded: Object.entries(reasons).map(([field, reason]) => ({
		...{ field, key: field.toLowerCase(), ...reason },
	})),
	...more,
});

/** The error about invalid rows of a sheet of 50 rows. */
function errorFor(rows: InvalidRow[], states: Record<number, RowState> = {}, count = 50) {
	const items = Array.from({ length: count }, () => ({ json: {} }));
	const context = {
		...{ node: nodeLike(), contract: linkContract },
		numbers: new RowNumbers(items, true),
	};
	const all = items.map((_, index) => [index, states[index] ?? 'not sent'] as const);
	return invalidRowsError(context, rows, new Map(all));
}

it('hands on what is wrong with a row', () => {
	const invalid = row(3, { URL: missing, Alias: wrong });
	expect(invalidRow(invalid)).toEqual({
		index: 3,
		row: invalid,
		failure: {
			...{ cause: 'rejected', advice: 'Nothing was sent for this item.' },
			message: `URL ${missingText}. Alias is wrong`,
			fieldErrors: { url: [`URL ${missingText}`], alias: ['Alias is wrong'] },
		},
	});
	const unread = { cause: 'connectFailed', message: '', advice: 'Wait.' };
	expect(invalidRow(row(3, { URL: missing }, { unreadNames: unread })).failure).toMatchObject({
		...{ cause: 'connectFailed', advice: 'Nothing was sent for this item. Wait.' },
	});
});

it('names the only invalid row', () => {
	const error = errorFor([row(3, { URL: missing }, { name: 'a' })]);
	expect(error.message).toBe(`Item 4 (a): URL ${missingText}`);
	expect(error.description).toBe('Nothing was sent.');
	expect(error.context.data).toEqual({
		rows: [
			{
				...{ row: 4, outcome: 'failed', retryable: false },
				fieldErrors: { url: [`URL ${missingText}`] },
			},
		],
	});
});

const description = (rows: InvalidRow[], states: Record<number, RowState> = {}) =>
	errorFor(rows, states).description?.split('\n');

it('has a line for all rows with the same problems', () => {
	const two = { URL: missing, Alias: wrong };
	const rows = [row(1, two, { name: 'a' }), row(2, { URL: missing }), row(3, two)];
	expect(errorFor(rows).message).toBe('3 of 50 items cannot be sent');
	expect(description(rows)).toEqual([
		'Items 2 (a), 4: URL is missing; enter a value. Alias is wrong.',
		'Item 3: URL is missing; enter a value.',
		'Nothing was sent.',
	]);
});

const value = (text: string, more: Partial<Reason> = {}): Reason => ({
	...{ value: text, what: 'is wrong; correct it' },
	...more,
});

it.each<[reason: Reason, line: string]>([
	[value('"a;b"'), 'Items 1–4: URL "a;b" is wrong; correct it.'],
	[wrong, 'Items 1–4: URL is wrong.'],
	[
		value('"a"', { before: 'rule 1: Country' }),
		'Items 1–4: URL rule 1: Country "a" is wrong; correct it.',
	],
])('names the rows before %j', (reason, line) => {
	const rows = [0, 1, 2, 3].map((index) => row(index, { URL: reason }));
	expect(description(rows)).toEqual([line, 'Nothing was sent.']);
});

it.each<[field: string, reasons: Reason[], lines: string[]]>([
	[
		'URL',
		[value('"a.example"'), value('"b"')],
		['Items 1, 2: URL "a.example", … is wrong; correct it.'],
	],
	[
		'Rules',
		[
			value('"a;b"', { before: 'contain', what: 'as DE' }),
			value('"c"', { before: 'contain', what: 'as DE' }),
		],
		['Items 1, 2: Rules contain "a;b", … as DE.'],
	],
	[
		'URL',
		[value('"a"'), value('"a"', { what: 'is too long' })],
		['Item 1: URL "a" is wrong; correct it.', 'Item 2: URL "a" is too long.'],
	],
])('has one line for a fault of %s in several rows: %j', (field, reasons, lines) => {
	const rows = reasons.map((reason, index) => row(index, { [field]: reason }));
	expect(description(rows)).toEqual([...lines, 'Nothing was sent.']);
});

it('names the columns that the values come from', () => {
	const columns = ['url'];
	const rows = [
		{ index: 0, encoded: [{ field: 'URL', key: 'url', ...value('"a"'), columns }] },
		{ index: 1, encoded: [{ field: 'URL', key: 'url', ...wrong, columns: ['a b', '=c'] }] },
	];
	expect(description(rows)?.slice(0, 2)).toEqual([
		'Item 1: URL "a" is wrong; correct it, or add the column url to Inputs to Ignore.',
		'Item 2: URL is wrong, or add the columns a b and "=c" to Inputs to Ignore.',
	]);
});

it('lists all values of a single row', () => {
	const values = ['"a"', '"b"'].map((text) => ({
		...{ field: 'Destination URL', key: 'country', ...value(text) },
	}));
	const rows = [{ index: 0, encoded: values }, row(1, { URL: missing })];
	expect(description(rows)?.[0]).toBe(
		'Item 1: Destination URL "a" is wrong; correct it. Destination URL "b" is wrong; correct it.',
	);
});

it('lists twenty lines', () => {
	const rows = Array.from({ length: 32 }, (_, index) => row(index, { [`URL ${index}`]: wrong }));
	const lines = description(rows);
	expect(lines).toHaveLength(22);
	expect(lines?.slice(-3)).toEqual([
		'Item 20: URL 19 is wrong.',
		'and 12 more items.',
		'Nothing was sent.',
	]);
	expect(description(rows.slice(0, 21))?.at(-2)).toBe('and 1 more item.');
	expect(errorFor(rows).context.data).toMatchObject({ rows: { length: 10 } });
});

it('cuts long lines, and lists fewer of them', () => {
	const what = 'is wrong '.repeat(100);
	const rows = Array.from({ length: 32 }, (_, index) => row(index, { [`URL ${index}`]: { what } }));
	const error = errorFor(rows);
	expect(error.description?.length).toBeLessThan(6200);
	expect(error.description).toMatch(/^Item 1: URL 0 is wrong .*…\n[^]*\nand 12 more items\.\n/);
});

it('says what an earlier try has done, and why names could not be read', () => {
	const unread = { cause: 'connectFailed', message: '', advice: 'Wait.' };
	const rows = [
		row(1, { URL: missing }, { unreadNames: unread }),
		row(2, { URL: missing }, { unreadNames: unread }),
	];
	expect(description(rows, { 0: 'done' })).toEqual([
		'Items 2, 3: URL is missing; enter a value.',
		'Nothing was sent in this try. Items done: 1. Items not sent: 2–50.',
		'Wait.',
	]);
});
