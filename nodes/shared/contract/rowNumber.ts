import { columnName } from './columns';
import type { Columns } from './types';

const heading = 'row_number';

/** Whether a column holds the numbers of the rows in their sheet, under the heading that n8n's Google Sheets node gives it. */
export const isRowNumber = (column: string): boolean => columnName(column) === columnName(heading);

/** Returns the column of an item that holds the number of its row; undefined if there is none. */
export const rowNumberColumn = (cells: Columns): string | undefined =>
	Object.hasOwn(cells, heading) ? heading : Object.keys(cells).find(isRowNumber);

/** Returns the row number that a cell holds, also as digits in a text; undefined for any other value. */
export function rowNumberOf(cell: unknown): number | undefined {
	const isDigits = typeof cell === 'string' && /^\d{1,15}$/.test(cell.trim());
	const number = isDigits ? Number(cell) : cell;
	return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0
		? number
		: undefined;
}
