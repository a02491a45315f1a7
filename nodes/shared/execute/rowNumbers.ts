import type { INodeExecutionData } from 'n8n-workflow';
import { columnName } from '../contract/columns';
import type { Columns } from '../contract/types';

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

/** Returns the row numbers of all items; undefined unless each item has one, and they increase. */
function sheetNumbers(items: readonly INodeExecutionData[]): number[] | undefined {
	const numbers: number[] = [];
	let column: string | undefined;
	for (const { json: cells } of items) {
		if (column === undefined || !Object.hasOwn(cells, column)) column = rowNumberColumn(cells);
		const number = column === undefined ? undefined : rowNumberOf(cells[column]);
		if (number === undefined || number <= (numbers.at(-1) ?? -1)) return undefined;
		numbers.push(number);
	}
	return numbers.length > 0 ? numbers : undefined;
}

/** Returns a text with a capital first letter. */
export const capitalized = (text: string): string =>
	`${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/**
 * The numbers of rows in messages: the row numbers of the sheet if every input item has one in `row_number`, otherwise
 * the positions of the input items, starting at 1.
 */
export class RowNumbers {
	/** Whether the run has a single item with values from the form. Its messages have no number. */
	readonly isSingle: boolean;

	private readonly sheet: readonly number[] | undefined;

	/** @param isMapped whether the values of the rows come from columns */
	constructor(items: readonly INodeExecutionData[], isMapped: boolean) {
		this.isSingle = items.length === 1 && !isMapped;
		this.sheet = sheetNumbers(items);
	}

	private get word(): string {
		return this.sheet ? 'sheet row' : 'item';
	}

	/** Returns `row` for the rows of a sheet, and `item` otherwise. */
	get noun(): string {
		return this.sheet ? 'row' : 'item';
	}

	/** Returns `1 item`, `5 items`, or `5 rows` for the rows of a sheet. */
	counted(count: number): string {
		return `${count} ${this.noun}${count === 1 ? '' : 's'}`;
	}

	private numberOf(index: number): number {
		return this.sheet?.[index] ?? index + 1;
	}

	/** Returns `item 7` or `sheet row 8` for the index of an input item. Appends the name in parentheses, if set. */
	row(index: number, name?: string): string {
		return `${this.word} ${this.numbered(index, name)}`;
	}

	/** Returns `7 (spring-7)`, or only the number without a name. */
	numbered(index: number, name?: string): string {
		return name === undefined ? `${this.numberOf(index)}` : `${this.numberOf(index)} (${name})`;
	}

	/** Returns `items` or `sheet rows`. */
	get plural(): string {
		return `${this.word}s`;
	}

	/**
	 * Returns numbers as ranges, such as `1–4, 6`.
	 *
	 * @param indexes positions in ascending order
	 * @param most max number of ranges
	 */
	ranges(indexes: readonly number[], most = Infinity): string {
		const runs: Array<{ from: number; to: number; count: number }> = [];
		for (const number of indexes.map((index) => this.numberOf(index))) {
			const last = runs.at(-1);
			if (last?.to === number - 1) {
				last.to = number;
				last.count += 1;
			} else {
				runs.push({ from: number, to: number, count: 1 });
			}
		}
		const rest = runs.slice(most).reduce((sum, { count }) => sum + count, 0);
		const texts = runs
			.slice(0, most)
			.map(({ from, to }) => (from === to ? `${from}` : `${from}–${to}`));
		return `${texts.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
	}

	/** Returns the position of a row, starting at 1, and its number in the sheet if known, for the data of an error. */
	dataOf(index: number): { row: number; sheetRow?: number } {
		const sheetRow = this.sheet?.[index];
		return { row: index + 1, ...(sheetRow === undefined ? {} : { sheetRow }) };
	}
}
