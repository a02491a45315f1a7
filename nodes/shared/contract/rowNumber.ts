import { columnName } from './columns';
import type { Columns } from './types';

const heading = 'row_number';

/** Returns whether a column contains row numbers, by the name that n8n's Google Sheets node gives it. */
export const isRowNumber = (column: string): boolean => columnName(column) === columnName(heading);

/** Returns the column of an item that contains its row number; undefined if there is none. */
export const rowNumberColumn = (cells: Columns): string | undefined =>
	Object.hasOwn(cells, heading) ? heading : Object.keys(cells).find(isRowNumber);

/** Returns the row number in a cell, which may be text; undefined for any other value. */
export function rowNumberOf(cell: unknown): number | undefined {
	const isDigits = typeof cell === 'string' && /^\d{1,15}$/.test(cell.trim());
	const number = isDigits ? Number(cell) : cell;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
