import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	isExpression,
} from 'n8n-workflow';
import { columnName } from '../contract/text';
import type { ResourceContract } from '../contract/resourceTypes';
import { isBlank, isRecord, without } from '../contract/values';
import { inputsToIgnore } from '../description/parameters';
import { counted, inflected } from '../contract/wording';

const rowNumber = 'row_number';

/** Returns whether a column contains row numbers, by the name that n8n's Google Sheets node gives it. */
export const isRowNumber = (column: string) => columnName(column) === columnName(rowNumber);

/** Returns the columns of all items, because the first item may not have all columns. */
export function columnsIn(items: readonly INodeExecutionData[]): ReadonlySet<string> {
	const columns = new Set<string>();
	for (const { json } of items) for (const column of Object.keys(json)) columns.add(column);
	return columns;
}

/** Returns whether an item looks like a row: without files and objects, and without several headings in one. */
export const looksLikeRow = ({ json, binary }: INodeExecutionData): boolean =>
	!binary && Object.entries(json).every(([name, cell]) => !isRecord(cell) && !/[;\t|]/.test(name));

/** Returns the row numbers of all items; undefined unless each item has one, and they increase. */
function sheetNumbers(items: readonly INodeExecutionData[]): number[] | undefined {
	const columns = [rowNumber, ...columnsIn(items)].filter(isRowNumber);
	const numbers: number[] = [];
	for (const { json } of items) {
		const column = columns.find((name) => Object.hasOwn(json, name));
		const cell = column === undefined ? undefined : json[column];
		const number = typeof cell === 'string' && /^\d{1,15}$/.test(cell.trim()) ? Number(cell) : cell;
		const isNumber = typeof number === 'number' && Number.isSafeInteger(number);
		if (!isNumber || number <= (numbers.at(-1) ?? -1)) return undefined;
		numbers.push(number);
	}
	return numbers.length > 0 ? numbers : undefined;
}

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

	private numberOf(index: number, name?: string): string {
		const number = this.sheet?.[index] ?? index + 1;
		return name === undefined ? `${number}` : `${number} (${name})`;
	}

	/** Returns `item 7` or `sheet row 8` for the index of an input item. Appends the name in parentheses, if set. */
	row(index: number, name?: string): string {
		return `${this.plural.slice(0, -1)} ${this.numberOf(index, name)}`;
	}

	/**
	 * Returns numbers as ranges, such as `1–4, 6`.
	 *
	 * @param indexes positions in ascending order
	 * @param most max number of ranges
	 */
	ranges(indexes: readonly number[], most = Infinity): string {
		const runs: Array<[from: number, to: number]> = [];
		for (const number of indexes.map((index) => Number(this.numberOf(index)))) {
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
		const [first = 0, ...others] = indexes;
		return others.length === 0
			? this.row(first)
			: `${this.plural} ${this.ranges(indexes, maxRanges)}`;
	}

	/** Returns the position of a row, starting at 1, and its number in the sheet if known, for the data of an error. */
	dataOf(index: number): { row: number; sheetRow?: number } {
		const sheetRow = this.sheet?.[index];
		return { row: index + 1, ...(sheetRow === undefined ? {} : { sheetRow }) };
	}
}

/**
 * Returns whether a node runs as a tool of an AI agent. n8n adds `Tool` to the type of each tool variant. Its `isToolExecution`
 * returns false for the tools of the current AI Agent, because n8n's engine runs them like other nodes.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** One run of a node. */
export interface NodeRun {
	readonly context: IExecuteFunctions;
	readonly node: INode;
	readonly contract: ResourceContract;
	readonly items: readonly INodeExecutionData[];
	/** Indexes of the input items that are rows. A single item is always a row. */
	readonly rows: readonly number[];
	/** Indexes of the input items whose cells are all empty, if columns fill the fields. */
	readonly empty: readonly number[];
	readonly numbers: RowNumbers;
}

/** Returns the expressions in a value of the form, at any depth. */
export function expressionsOf(value: unknown): string[] {
	if (typeof value === 'string') return isExpression(value) ? [value] : [];
	if (Array.isArray(value)) return value.flatMap(expressionsOf);
	return isRecord(value) ? Object.values(value).flatMap(expressionsOf) : [];
}

/** Returns whether an expression names a column: as a word, or in quotes. */
export const namesColumn = (expression: string, column: string): boolean =>
	expression.split(/[^\p{L}\p{M}\p{N}_$]+/u).includes(column) ||
	["'", '"', '`'].some((quote) => expression.includes(`${quote}${column}${quote}`));

/** Returns whether a value of the form contains an expression at any depth. */
export const hasExpression = (value: unknown): boolean => expressionsOf(value).length > 0;

/**
 * Returns a run whose rows have their values from columns. An item is no row if all its cells are empty, apart from row numbers
 * and ignored columns, and if it is not the only item. An ignored column that an expression of the form names counts, because
 * the row may have its value there.
 *
 * @param ignored the columns in Inputs to Ignore
 */
export function withoutEmptyRows(run: NodeRun, ignored: ReadonlySet<string>): NodeRun {
	const { node, items } = run;
	const expressions = expressionsOf(without(node.parameters, inputsToIgnore.name));
	const isNamed = (column: string) => expressions.some((text) => text.includes(column));
	const isLeftOut = (name: string) => isRowNumber(name) || (ignored.has(name) && !isNamed(name));
	const leftOut = new Set([...columnsIn(items)].filter(isLeftOut));
	const empty = [...items.entries()].flatMap(([index, { json }]) =>
		Object.entries(json).every(([column, cell]) => leftOut.has(column) || isBlank(cell))
			? [index]
			: [],
	);
	const skipped = new Set(items.length > 1 ? empty : []);
	const rows = [...items.keys()].filter((index) => !skipped.has(index));
	return { ...run, rows, empty, numbers: new RowNumbers(items, true) };
}

/** Returns a sentence about the empty input items that were skipped, without a full stop; an empty list if there are none. */
export function skippedNotes({ rows, empty, numbers }: NodeRun): string[] {
	const [first] = empty;
	if (first === undefined || first === rows[0]) return [];
	const skipped = inflected(empty.length)`[was|were] skipped`;
	return [`${counted(empty.length, `empty ${numbers.noun}`)} ${skipped} (${numbers.rows(empty)})`];
}
