import type { IDataObject } from 'n8n-workflow';
import { isBlank } from '../../../../nodes/shared/contract/values';
import {
	isRowNumber,
	rowNumberColumn,
	rowNumberOf,
	RowNumbers,
} from '../../../../nodes/shared/execute/rowNumbers';

const numbersOf = (cells: IDataObject[], isMapped = true) =>
	new RowNumbers(
		cells.map((json) => ({ json })),
		isMapped,
	);

describe('row numbers', () => {
	it('are those of the sheet, or the positions from 1', () => {
		const sheet = numbersOf([2, 3, 5, 9].map((number) => ({ row_number: number })));
		expect(sheet.row(2, 'a')).toBe('sheet row 5 (a)');
		expect(sheet.plural).toBe('sheet rows');
		expect([1, 2].map((count) => sheet.counted(count))).toEqual(['1 row', '2 rows']);
		expect(sheet.dataOf(2)).toEqual({ row: 3, sheetRow: 5 });
		const items = numbersOf([{}, {}, {}, {}]);
		expect(items.row(2)).toBe('item 3');
		expect(items.plural).toBe('items');
		expect([1, 2].map((count) => items.counted(count))).toEqual(['1 item', '2 items']);
		expect(items.dataOf(2)).toEqual({ row: 3 });
	});

	it('prefer the heading to the letter', () => {
		const cells = { 'Row Number': 'x', row_number: 7 };
		expect(numbersOf([cells]).row(0)).toBe('sheet row 7');
	});

	it.each<[number[], number, string]>([
		[[], Infinity, ''],
		[[0], Infinity, '2'],
		[[0, 1, 2, 3, 4], Infinity, '2–3, 5, 8–9'],
		[[0, 2, 4], Infinity, '2, 5, 9'],
		[[0, 1, 2, 3, 4], 1, '2–3 and 3 more'],
	])('of positions %j in at most %d ranges are %s', (indexes, most, text) => {
		const sheet = numbersOf([2, 3, 5, 8, 9].map((number) => ({ row_number: number })));
		expect(sheet.ranges(indexes, most)).toBe(text);
	});

	it('are needless for one item whose values come from the form', () => {
		expect(numbersOf([{}], false).isSingle).toBe(true);
		expect(numbersOf([{}], true).isSingle).toBe(false);
		expect(numbersOf([{}, {}], false).isSingle).toBe(false);
	});
});

describe('a cell', () => {
	it.each([
		undefined,
		null,
		'',
		' \n\t',
		'\u00A0',
		'\uFEFF',
		'\u200B\u2060',
		[],
		{},
		[null],
		'[]',
		' {} ',
	])('that has %j is empty', (cell) => expect(isBlank(cell)).toBe(true));

	it.each([0, false, NaN, 'x', '0', '-', '\u200Bx', [0], { a: false }, new Date(0), '#N/A'])(
		'that has %j is not',
		(cell) => expect(isBlank(cell)).toBe(false),
	);
});

it.each([
	['row_number', true],
	['Row Number', true],
	['row', false],
])('%j is the column of row numbers: %j', (column, isIt) => {
	expect(isRowNumber(column)).toBe(isIt);
});

it('prefers the exact name', () => {
	expect(rowNumberColumn({ 'Row Number': 1, row_number: 2 })).toBe('row_number');
	expect(rowNumberColumn({ a: 1, 'Row Number': 1 })).toBe('Row Number');
	expect(rowNumberColumn({ a: 1 })).toBeUndefined();
});

it.each([
	[7, 7],
	[0, 0],
	[' 7 ', 7],
	['7.0', undefined],
	['', undefined],
	[-1, undefined],
	[1.5, undefined],
	[2 ** 53, undefined],
	['1234567890123456', undefined],
	[null, undefined],
])('reads the number %p', (cell, number) => {
	expect(rowNumberOf(cell)).toBe(number);
});
