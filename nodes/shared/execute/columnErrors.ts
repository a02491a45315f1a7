import type { INode, NodeOperationError } from 'n8n-workflow';
import type { ColumnConflict, FillableField } from '../contract/columns';
import { quoteText } from '../contract/values';
import { nodeOptions } from '../description/nodeOptions';
import { inputsToIgnore } from '../description/parameters';
import { columnText } from './cellProblems';
import { settingsError } from './nodeErrors';
import { cutText } from './byteLimits';

/** Max number of columns in an error or a hint, and max bytes of their names. */
const maxColumnsNamed = 30;
const maxNames = 500;

/** Max number of columns in an error that suggests what to do with each. */
const maxSuggested = 4;

/** Joins texts with commas, cut to the max size of an error or a hint. */
export const columnList = (texts: readonly string[]): string => {
	const more = texts.length > maxColumnsNamed ? ` and ${texts.length - maxColumnsNamed} more` : '';
	return `${cutText(texts.slice(0, maxColumnsNamed).join(', '), maxNames)}${more}`;
};

/** Returns `a`, `a and b`, or `a, b and c`. */
const joined = (texts: readonly string[]): string =>
	texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Returns the names of columns in quotes, and the number of those that are too many to name. */
function quotedColumns(columns: readonly string[]): string {
	const more = columns.length - maxSuggested;
	return joined([
		...columns.slice(0, maxSuggested).map(quoteText),
		...(more > 0 ? [`${more} more`] : []),
	]);
}

/** Returns the error for columns that fill the same field. */
export const conflictError = (
	node: INode,
	{ displayName, columns }: ColumnConflict,
): NodeOperationError =>
	settingsError(
		node,
		`The columns ${quotedColumns(columns)} both fill ${displayName}; keep one of them, or add the other to ${inputsToIgnore.displayName}`,
	);

/** A required field that neither a column nor the form fills, and what to do instead of adding a column. */
export interface MissingField {
	readonly displayName: string;
	readonly name: string;
	readonly remedy: string;
}

/** Returns the sentences about required fields that no column fills; empty without such a field. */
export function missingText(fields: readonly MissingField[], columns: readonly string[]): string {
	const [first] = fields;
	if (!first) return '';
	const names = joined(fields.map(({ name }) => name));
	const rename =
		columns.length === 0
			? `Add ${fields.length === 1 ? 'the column' : 'the columns'}`
			: `Rename ${fields.length === 1 ? 'one' : 'them'} to`;
	return `No column fills ${joined(fields.map(({ displayName }) => displayName))}. Columns that came: ${columns.length === 0 ? 'none' : columnList(columns.map(columnText))}. ${rename} ${names}, or ${first.remedy}.`;
}

/** A column that fills no field, and the field that it looks like. */
export interface LeftOver {
	readonly column: string;
	readonly field: FillableField;
}

/** Returns the sentences about left-over columns that look like fields that nothing fills; empty without such a column. */
export function leftOverText(leftOver: readonly LeftOver[]): string {
	if (leftOver.length === 0) return '';
	const columns = quotedColumns(leftOver.map(({ column }) => column));
	const names = [...new Set(leftOver.slice(0, maxSuggested).map(({ field }) => field.name))];
	const isSingle = leftOver.length === 1;
	const ignore = `Add ${isSingle ? 'it' : 'them'} to ${inputsToIgnore.displayName}`;
	const each =
		leftOver.length === names.length ? 'them' : names.length === 1 ? 'one of them' : 'one each';
	return `${isSingle ? 'Column' : 'Columns'} ${columns} ${isSingle ? 'is' : 'are'} not used. ${ignore}, or rename ${isSingle ? 'it' : each} to ${joined(names)}.`;
}

/** Returns the sentence about columns with passwords that are not mapped; empty without such a column. It quotes no value. */
export function passwordText(columns: readonly string[]): string {
	if (columns.length === 0) return '';
	const [noun, contain, them] =
		columns.length === 1
			? ['column', 'contains passwords and is', 'it']
			: ['columns', 'contain passwords and are', 'them'];
	return `The ${noun} ${columnList(columns.map(columnText))} ${contain} not mapped. Add ${nodeOptions.mapPasswords.displayName} under Options, or add ${them} to ${inputsToIgnore.displayName}.`;
}
