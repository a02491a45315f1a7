import {
	isRowNumber,
	rowNumberColumn,
	rowNumberOf,
} from '../../../../nodes/shared/contract/rowNumber';

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
