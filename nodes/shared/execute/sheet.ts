import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { takesColumns } from '../contract/operations';
import type { Columns } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { isBlank, without } from '../contract/values';
import { inputsToIgnore, mapAutomatically, mappingMode } from '../description/parameters';
import { expressionsOf } from './cells';
import { ignoredColumns } from './columns';
import { isRowNumber, RowNumbers } from './rowNumbers';

/** The input items of a run that are rows, and their numbers in messages. */
export interface Sheet {
	/** Indexes of the input items that are rows. A single item is always a row. */
	readonly rows: readonly number[];
	/** Indexes of the input items whose cells are all empty, if columns fill the fields. */
	readonly empty: readonly number[];
	readonly numbers: RowNumbers;
}

const wordsOf = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? [];

/**
 * Returns the columns that make an item a row: all except row numbers and ignored columns. An ignored column counts if an
 * expression of the form has all words of its name, because the row may have its value there.
 */
function rowColumns(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
): ReadonlySet<string> {
	const columns = new Set<string>();
	for (const { json } of items) for (const column of Object.keys(json)) columns.add(column);
	const { ignored } = ignoredColumns(context, columns);
	const form = without(context.getNode().parameters, inputsToIgnore.name);
	const words = new Set(expressionsOf(form).flatMap(wordsOf));
	const isUsed = (column: string) => wordsOf(column).every((word) => words.has(word));
	return new Set(
		[...columns].filter(
			(column) =>
				!isRowNumber(column) && (!ignored.has(column) || (words.size > 0 && isUsed(column))),
		),
	);
}

/** Returns the indexes of the items without a value in the columns that make an item a row. */
function emptyItems(context: IExecuteFunctions, items: readonly INodeExecutionData[]): number[] {
	const counted = rowColumns(context, items);
	const isEmpty = (cells: Columns) =>
		Object.entries(cells).every(([column, cell]) => isBlank(cell) || !counted.has(column));
	return items.flatMap(({ json }, index) => (isEmpty(json) ? [index] : []));
}

function isMapped(context: IExecuteFunctions, { operations }: ResourceContract): boolean {
	const value: unknown = context.getNodeParameter('operation', 0, '');
	const operation = operations.find((candidate) => candidate.value === value);
	if (!operation || !takesColumns(operation.value)) return false;
	return context.getNodeParameter(mappingMode.name, 0, '') === mapAutomatically;
}

/**
 * Finds the input items that are rows. With mapped columns, an empty item is not a row, unless it is the only item.
 *
 * @throws NodeOperationError for an invalid setting, or an expression that fails
 */
export function readSheet(context: IExecuteFunctions, contract: ResourceContract): Sheet {
	const items = context.getInputData();
	const mapped = isMapped(context, contract);
	const empty = mapped ? emptyItems(context, items) : [];
	const skipped = new Set(items.length > 1 ? empty : []);
	const rows = [...items.keys()].filter((index) => !skipped.has(index));
	return { rows, empty, numbers: new RowNumbers(items, mapped) };
}

/** Returns the sheet of a run whose settings cannot be read: each input item is a row. */
export function allItems(context: IExecuteFunctions): Sheet {
	const items = context.getInputData();
	return { rows: [...items.keys()], empty: [], numbers: new RowNumbers(items, false) };
}

/** Max number of ranges of empty rows in a hint. */
const maxHintRanges = 10;

/** Returns a sentence about the empty input items that were skipped, without a full stop; an empty list if there are none. */
export function skippedNotes({ rows, empty, numbers }: Sheet): string[] {
	const isRow = new Set(rows);
	const skipped = empty.filter((index) => !isRow.has(index));
	const [first, ...more] = skipped;
	if (first === undefined) return [];
	return more.length === 0
		? [`1 empty ${numbers.noun} was skipped (${numbers.row(first)})`]
		: [
				`${skipped.length} empty ${numbers.noun}s were skipped (${numbers.plural} ${numbers.ranges(skipped, maxHintRanges)})`,
			];
}
