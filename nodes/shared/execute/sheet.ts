import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { mapAutomatically, mappingMode, inputsToIgnore, takesColumns } from '../contract/columns';
import { ColumnNameSet } from '../contract/columnNameSet';
import { isRowNumber } from '../contract/rowNumber';
import type { Columns } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { isBlank, isRecord, without } from '../contract/values';
import { ignoredNames } from './readColumns';
import { RowNumbers } from './rowNumbers';

/** The input items of a run: which are rows, and what messages call them. */
export interface Sheet {
	/** Positions of the input items that are rows, from 0. An item that is alone is a row. */
	readonly rows: readonly number[];
	/** Positions of the input items whose cells are all empty, if values come from columns. */
	readonly empty: readonly number[];
	readonly numbers: RowNumbers;
}

/** The texts of the form that may name columns: expressions, and templates with braces. */
function templatesIn(value: unknown): string[] {
	if (typeof value === 'string') return value.includes('{') ? [value] : [];
	if (Array.isArray(value)) return value.flatMap(templatesIn);
	return isRecord(value) ? Object.values(value).flatMap(templatesIn) : [];
}

const isPartOfName = (character: string | undefined) =>
	character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Whether a text contains a name, in any case, that is no part of a longer one. */
function isNamedIn(given: string, column: string): boolean {
	const [text, name] = [given.toLowerCase(), column.toLowerCase()];
	if (name === '') return false;
	for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + name.length)) {
		if (!isPartOfName(text[at - 1]) && !isPartOfName(text[at + name.length])) return true;
	}
	return false;
}

/**
 * Returns a check for the columns that make an item a row. Row numbers and columns to ignore do not, unless the form uses
 * them.
 */
function rowColumns(
	context: IExecuteFunctions,
	items: readonly INodeExecutionData[],
): (column: string) => boolean {
	const columns = new Set<string>();
	for (const { json } of items) for (const column of Object.keys(json)) columns.add(column);
	const ignored = new ColumnNameSet(ignoredNames(context, columns), columns);
	const form = without(context.getNode().parameters, inputsToIgnore.name);
	const templates = templatesIn(form);
	const isUsed = (column: string) => templates.some((template) => isNamedIn(template, column));
	return (column) => !isRowNumber(column) && (!ignored.has(column) || isUsed(column));
}

/** Returns the positions of the items without a value in any column that says that an item is a row. */
function emptyItems(context: IExecuteFunctions, items: readonly INodeExecutionData[]): number[] {
	const isRowColumn = rowColumns(context, items);
	const known = new Map<string, boolean>();
	const counts = (column: string): boolean => {
		const answer = known.get(column) ?? isRowColumn(column);
		known.set(column, answer);
		return answer;
	};
	const isEmpty = (cells: Columns) =>
		Object.entries(cells).every(([column, cell]) => isBlank(cell) || !counts(column));
	return items.flatMap(({ json }, index) => (isEmpty(json) ? [index] : []));
}

function isMapped(context: IExecuteFunctions, { operations }: ResourceContract): boolean {
	const value: unknown = context.getNodeParameter('operation', 0, '');
	const operation = operations.find((candidate) => candidate.value === value);
	if (!operation || !takesColumns(operation.value)) return false;
	return context.getNodeParameter(mappingMode.name, 0, '') === mapAutomatically;
}

/**
 * Finds out which input items are rows. With mapped columns, empty items are none, unless one is alone.
 *
 * @throws NodeOperationError for a setting that cannot be, or an expression that fails
 */
export function readSheet(context: IExecuteFunctions, contract: ResourceContract): Sheet {
	const items = context.getInputData();
	const mapped = isMapped(context, contract);
	const empty = mapped ? emptyItems(context, items) : [];
	const none = new Set(items.length > 1 ? empty : []);
	const rows = [...items.keys()].filter((index) => !none.has(index));
	return { rows, empty, numbers: new RowNumbers(items, mapped) };
}

/** Returns the sheet of a run whose settings cannot be read: each input item is a row. */
export function allItems(context: IExecuteFunctions): Sheet {
	const items = context.getInputData();
	return { rows: [...items.keys()], empty: [], numbers: new RowNumbers(items, false) };
}

/** Max number of ranges of empty rows in a hint. */
const maxRanges = 10;

/** Returns how many input items were skipped because they are empty, and which: a sentence without a full stop, if any. */
export function skippedNotes({ rows, empty, numbers }: Sheet): string[] {
	const isRow = new Set(rows);
	const skipped = empty.filter((index) => !isRow.has(index));
	const [first, ...more] = skipped;
	if (first === undefined) return [];
	return more.length === 0
		? [`1 empty row was skipped (${numbers.row(first)})`]
		: [
				`${skipped.length} empty rows were skipped (${numbers.plural} ${numbers.ranges(skipped, maxRanges)})`,
			];
}
