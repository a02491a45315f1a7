import type { IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { columnName } from '../contract/columns';
import type { ResourceContract } from '../contract/resourceTypes';
import type { Columns } from '../contract/types';
import { isBlank, without } from '../contract/values';
import { inputsToIgnore } from '../description/parameters';
import { expressionsOf } from './cells';

const rowNumber = 'row_number';

/** Returns whether a column contains row numbers, by the name that n8n's Google Sheets node gives it. */
export const isRowNumber = (column: string): boolean =>
	columnName(column) === columnName(rowNumber);

/** Returns the columns of all items, because the first item may not have all columns. */
export function columnsIn(items: readonly INodeExecutionData[]): ReadonlySet<string> {
	const columns = new Set<string>();
	for (const { json } of items) for (const column of Object.keys(json)) columns.add(column);
	return columns;
}

/** Returns the row number in a cell, which may be text; -1 for any other value. */
function rowNumberIn(cell: unknown): number {
	const isDigits = typeof cell === 'string' && /^\d{1,15}$/.test(cell.trim());
	const number = isDigits ? Number(cell) : cell;
	return typeof number === 'number' && Number.isSafeInteger(number) ? number : -1;
}

/** Returns the row numbers of all items; undefined unless each item has one, and they increase. */
function sheetNumbers(items: readonly INodeExecutionData[]): number[] | undefined {
	const columns = [rowNumber, ...columnsIn(items)].filter(isRowNumber);
	const numbers = items.map(({ json }) => {
		const column = columns.find((name) => Object.hasOwn(json, name));
		return column === undefined ? -1 : rowNumberIn(json[column]);
	});
	const isSheet = numbers.every((number, at) => number > (numbers[at - 1] ?? -1));
	return isSheet && numbers.length > 0 ? numbers : undefined;
}

/** Returns a text with a capital first letter. */
export const capitalized = (text: string): string =>
	`${text.charAt(0).toUpperCase()}${text.slice(1)}`;

/** Returns `1 item` or `5 items`. */
export const counted = (count: number, noun: string): string =>
	`${count} ${noun}${count === 1 ? '' : 's'}`;

/** Max number of ranges in a message. */
const maxRanges = 10;

/**
 * The numbers of rows in messages: the row numbers of the sheet if every input item has one in `row_number`, otherwise
 * the positions of the input items, starting at 1.
 */
export class RowNumbers {
	/** Whether the run has a single item with values from the form. Its messages have no number. */
	readonly isSingle: boolean;

	/** `row` for the rows of a sheet, and `item` otherwise. */
	readonly noun: string;

	/** `items` or `sheet rows`. */
	readonly plural: string;

	private readonly sheet: readonly number[] | undefined;

	/** @param isMapped whether the values of the rows come from columns */
	constructor(items: readonly INodeExecutionData[], isMapped: boolean) {
		this.isSingle = items.length === 1 && !isMapped;
		this.sheet = sheetNumbers(items);
		this.noun = this.sheet ? 'row' : 'item';
		this.plural = this.sheet ? 'sheet rows' : 'items';
	}

	/** Returns `1 item`, `5 items`, or `5 rows` for the rows of a sheet. */
	counted(count: number): string {
		return counted(count, this.noun);
	}

	private numberOf(index: number): number {
		return this.sheet?.[index] ?? index + 1;
	}

	/** Returns `item 7` or `sheet row 8` for the index of an input item. Appends the name in parentheses, if set. */
	row(index: number, name?: string): string {
		return `${this.plural.slice(0, -1)} ${this.numbered(index, name)}`;
	}

	/** Returns `7 (spring-7)`, or only the number without a name. */
	numbered(index: number, name?: string): string {
		return `${this.numberOf(index)}${name === undefined ? '' : ` (${name})`}`;
	}

	/**
	 * Returns numbers as ranges, such as `1–4, 6`.
	 *
	 * @param indexes positions in ascending order
	 * @param most max number of ranges
	 */
	ranges(indexes: readonly number[], most = Infinity): string {
		const runs: Array<[from: number, to: number]> = [];
		for (const number of indexes.map((index) => this.numberOf(index))) {
			const last = runs.at(-1);
			if (last?.[1] === number - 1) last[1] = number;
			else runs.push([number, number]);
		}
		const rest = runs.slice(most).reduce((sum, [from, to]) => sum + to - from + 1, 0);
		const texts = runs
			.slice(0, most)
			.map(([from, to]) => (from === to ? `${from}` : `${from}–${to}`));
		return `${texts.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
	}

	/** Returns `item 7`, or `items 1–4, 6` with a max number of ranges. */
	rows(indexes: readonly number[]): string {
		const [first = 0] = indexes;
		const isOne = indexes.length === 1;
		return isOne ? this.row(first) : `${this.plural} ${this.ranges(indexes, maxRanges)}`;
	}

	/** Returns the position of a row, starting at 1, and its number in the sheet if known, for the data of an error. */
	dataOf(index: number): { row: number; sheetRow?: number } {
		const sheetRow = this.sheet?.[index];
		return { row: index + 1, ...(sheetRow === undefined ? {} : { sheetRow }) };
	}
}

/** The input items of a run that are rows, and their numbers in messages. */
export interface Sheet {
	/** Indexes of the input items that are rows. A single item is always a row. */
	readonly rows: readonly number[];
	/** Indexes of the input items whose cells are all empty, if columns fill the fields. */
	readonly empty: readonly number[];
	readonly numbers: RowNumbers;
}

/** One run of a node. */
export interface NodeRun extends Sheet {
	readonly context: IExecuteFunctions;
	readonly node: INode;
	readonly contract: ResourceContract;
	readonly items: readonly INodeExecutionData[];
}

/** Returns the sheet of a run whose rows have their values from the form: each input item is a row. */
export const allItems = (items: readonly INodeExecutionData[]): Sheet => ({
	rows: [...items.keys()],
	empty: [],
	numbers: new RowNumbers(items, false),
});

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * Returns the sheet of a run whose rows have their values from columns. An item is no row if all its cells are empty, apart
 * from row numbers and ignored columns, and if it is not the only item. An ignored column that an expression of the form names
 * counts, because the row may have its value there.
 *
 * @param ignored the columns in Inputs to Ignore
 */
export function mappedSheet({ node, items }: NodeRun, ignored: ReadonlySet<string>): Sheet {
	const form = without(node.parameters, inputsToIgnore.name);
	const named = new Set(expressionsOf(form).flatMap(wordsOf));
	const isNamed = (column: string) =>
		named.size > 0 && wordsOf(column).every((word) => named.has(word));
	const counted = new Set(
		[...columnsIn(items)].filter(
			(column) => !isRowNumber(column) && (!ignored.has(column) || isNamed(column)),
		),
	);
	const isEmpty = (cells: Columns) =>
		Object.entries(cells).every(([column, cell]) => isBlank(cell) || !counted.has(column));
	const empty = [...items.entries()].flatMap(([index, { json }]) => (isEmpty(json) ? [index] : []));
	const skipped = new Set(items.length > 1 ? empty : []);
	const rows = [...items.keys()].filter((index) => !skipped.has(index));
	return { rows, empty, numbers: new RowNumbers(items, true) };
}

/** Returns a sentence about the empty input items that were skipped, without a full stop; an empty list if there are none. */
export function skippedNotes({ rows, empty, numbers }: Sheet): string[] {
	const [first] = empty;
	if (first === undefined || first === rows[0]) return [];
	const were = empty.length === 1 ? 'was' : 'were';
	return [
		`${counted(empty.length, `empty ${numbers.noun}`)} ${were} skipped (${numbers.rows(empty)})`,
	];
}
