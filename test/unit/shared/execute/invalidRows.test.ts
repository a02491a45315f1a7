import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	invalidRow,
	invalidRowsError,
	type InvalidRow,
} from '../../../../nodes/shared/execute/invalidRows';
import type { RowState } from '../../../../nodes/shared/execute/outcome';
import { RowNumbers } from '../../../../nodes/shared/execute/rowNumbers';
import { nodeLike } from '../../../support/execution.ts';

const missing = 'is missing; enter a value';

const row = (index: number, reasons: Record<string, string>, more: object = {}): InvalidRow => ({
	index,
	encoded: Object.entries(reasons).map(([field, reason]) => ({
		...{ field, key: field.toLowerCase(), reason },
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
	const invalid = row(3, { URL: missing, Alias: 'is wrong' });
	expect(invalidRow(invalid)).toEqual({
		index: 3,
		row: invalid,
		failure: {
			...{ cause: 'rejected', advice: 'Nothing was sent for this item.' },
			message: `URL ${missing}. Alias is wrong`,
			fieldErrors: { url: [`URL ${missing}`], alias: ['Alias is wrong'] },
		},
	});
	const unread = { cause: 'connectFailed', message: '', advice: 'Wait.' };
	expect(invalidRow(row(3, { URL: missing }, { unreadNames: unread })).failure).toMatchObject({
		...{ cause: 'connectFailed', advice: 'Nothing was sent for this item. Wait.' },
	});
});

it('names the only invalid row', () => {
	const error = errorFor([row(3, { URL: missing }, { name: 'a' })]);
	expect(error.message).toBe(`Item 4 (a): URL ${missing}`);
	expect(error.description).toBe('Nothing was sent.');
	expect(error.context.data).toEqual({
		rows: [
			{
				...{ row: 4, outcome: 'failed', retryable: false },
				fieldErrors: { url: [`URL ${missing}`] },
			},
		],
	});
});

const description = (rows: InvalidRow[], states: Record<number, RowState> = {}) =>
	errorFor(rows, states).description?.split('\n');

it('has a line for each row, and for each message of several rows', () => {
	const rows = [
		row(1, { URL: missing, Alias: 'is wrong' }, { name: 'a' }),
		row(2, { URL: missing }),
	];
	expect(errorFor(rows).message).toBe('2 of 50 items cannot be sent');
	expect(description(rows)).toEqual([
		'Item 2 (a): Alias is wrong.',
		'URL is missing in items 2 (a), 3; enter a value.',
		'Nothing was sent.',
	]);
});

it.each<[reason: string, line: string]>([
	['"a;b" is wrong; correct it', 'URL "a;b" is wrong in items 1–4; correct it.'],
	['is wrong', 'URL is wrong in items 1–4.'],
])('names the rows before the remedy of %j', (reason, line) => {
	const rows = [0, 1, 2, 3].map((index) => row(index, { URL: reason }));
	expect(description(rows)).toEqual([line, 'Nothing was sent.']);
});

it.each<[field: string, reasons: string[], lines: string[]]>([
	[
		'URL',
		['"a.example" is wrong; correct it', '"b" is wrong; correct it'],
		['URL is wrong in items 1, 2, such as "a.example"; correct it.'],
	],
	[
		'Clicks',
		['1.5 is not a whole number', '-2.5 is not a whole number'],
		['Clicks is not a whole number in items 1, 2, such as 1.5.'],
	],
	[
		'Rules',
		['contain "a;b" as DE; correct it', 'contain "c" as DE; correct it'],
		['Rules contain … as DE in items 1, 2, such as "a;b"; correct it.'],
	],
	[
		'URL',
		['"a" is wrong', '"a" is too long'],
		['Item 1: URL "a" is wrong.', 'Item 2: URL "a" is too long.'],
	],
])('has one line for a fault of %s in several rows: %j', (field, reasons, lines) => {
	const rows = reasons.map((reason, index) => row(index, { [field]: reason }));
	expect(description(rows)).toEqual([...lines, 'Nothing was sent.']);
});

it('lists all values of a single row', () => {
	const values = ['"a" is wrong', '"b" is wrong'].map((reason) => ({
		...{ field: 'Destination URL', key: 'country', reason },
	}));
	const rows = [{ index: 0, encoded: values }, row(1, { URL: missing })];
	expect(description(rows)?.[0]).toBe(
		'Item 1: Destination URL "a" is wrong. Destination URL "b" is wrong.',
	);
});

it('lists ten lines', () => {
	const rows = Array.from({ length: 12 }, (_, index) =>
		row(index, { [`URL ${index}`]: 'is wrong' }),
	);
	const lines = description(rows);
	expect(lines).toHaveLength(12);
	expect(lines?.slice(-3)).toEqual([
		'Item 10: URL 9 is wrong.',
		'… and 2 more items.',
		'Nothing was sent.',
	]);
	expect(errorFor(rows).context.data).toMatchObject({ rows: { length: 10 } });
});

it('says what an earlier try has done, and why names could not be read', () => {
	const unread = { cause: 'connectFailed', message: '', advice: 'Wait.' };
	const rows = [
		row(1, { URL: missing }, { unreadNames: unread }),
		row(2, { URL: missing }, { unreadNames: unread }),
	];
	expect(description(rows, { 0: 'done' })).toEqual([
		'URL is missing in items 2, 3; enter a value.',
		'Nothing was sent in this try. Items done: 1. Items not sent: 2–50.',
		'Wait.',
	]);
});
