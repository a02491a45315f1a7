import type { INode, NodeOperationError } from 'n8n-workflow';
import type { ColumnMap } from '../contract/columns';
import type { MisspelledPair, Typo } from '../contract/columnTypos';
import { quoteText, shorten } from '../contract/values';
import { columnNamesLabel, nodeOptions } from '../description/nodeOptions';
import { inputsToIgnore } from '../description/parameters';
import { settingsError } from './nodeErrors';
import { cutText, joinTexts } from './byteLimits';

/** Max number of columns in an error or a hint, and max bytes of their names. */
const maxColumnsNamed = 30;
const maxNames = 500;

/** Max number of columns in the error about columns of the same field. */
const maxConflicting = 4;

/** Returns the name of a column, shortened. Adds quotes if it could be misread, such as an empty name. */
export function columnText(column: string): string {
	const text = shorten(column);
	const isPlain = /^[\p{L}\p{N}_]([\p{L}\p{N} _.()-]*[\p{L}\p{N}_)])?$/u.test(text);
	return isPlain ? text : quoteText(column);
}

/** Joins texts with commas, cut to the max size of an error or a hint. */
export const columnList = (texts: readonly string[]): string => {
	const more = texts.length > maxColumnsNamed ? ` and ${texts.length - maxColumnsNamed} more` : '';
	return `${cutText(texts.slice(0, maxColumnsNamed).join(', '), maxNames)}${more}`;
};

export const quotedList = (columns: readonly string[]): string =>
	columnList(columns.map(columnText));

/** Returns the error for columns that match the same field. */
export function conflictError(
	node: INode,
	{ target, columns }: ColumnMap['conflicts'][number],
): NodeOperationError {
	const more = columns.length - maxConflicting;
	const quoted = [
		...columns.slice(0, maxConflicting).map(quoteText),
		...(more > 0 ? [`${more} more`] : []),
	].join(' and ');
	return settingsError(
		node,
		`The columns ${quoted} both fill ${target.displayName}; keep one of them, or add the other to ${inputsToIgnore.displayName}`,
	);
}

/** Returns the error for columns with passwords that are not mapped. It quotes no value. */
export function passwordError(node: INode, columns: readonly string[]): NodeOperationError {
	const isSingle = columns.length === 1;
	const contain = isSingle ? 'contains passwords' : 'contain passwords';
	return settingsError(
		node,
		`The ${isSingle ? 'column' : 'columns'} ${quotedList(columns)} ${contain} and ${isSingle ? 'is' : 'are'} not mapped; add ${nodeOptions.mapPasswords.displayName} under Options, or add ${isSingle ? 'it' : 'them'} to ${inputsToIgnore.displayName}`,
	);
}

/** Returns the error for columns that match no field. */
export function unknownError(
	node: INode,
	columns: readonly string[],
	hasPasswords: boolean,
): NodeOperationError {
	const passwords = hasPasswords ? `, or add ${nodeOptions.mapPasswords.displayName}` : '';
	const isSingle = columns.length === 1;
	const fill = isSingle ? 'The column' : 'The columns';
	const correct = isSingle
		? 'matches no field; correct its name, or add it'
		: 'match no field; correct their names, or add them';
	return settingsError(
		node,
		`${fill} ${quotedList(columns)} ${correct} to ${inputsToIgnore.displayName}${passwords}`,
	);
}

const anyOf = (texts: readonly string[]): string => texts.slice(0, maxConflicting).join(' or ');

/** Returns the error of columns whose names are probably misspelled. */
export function typoError(node: INode, typos: readonly Typo[]): NodeOperationError {
	const [first] = typos;
	if (first && typos.length === 1) {
		return settingsError(
			node,
			`Column ${quoteText(first.column)} is not used. Did you mean ${anyOf(first.target)}? Rename it, map it with ${columnNamesLabel}, or add it to ${inputsToIgnore.displayName}.`,
		);
	}
	const texts = typos.map(
		({ column, target }) => `${quoteText(column)} (did you mean ${anyOf(target)}?)`,
	);
	return settingsError(
		node,
		`Columns ${joinTexts(texts, ', ', maxNames)} are not used. Rename them, map them with ${columnNamesLabel}, or add them to ${inputsToIgnore.displayName}.`,
	);
}

/**
 * Returns the error of a column with the name of a mode. If it were ignored, an update would replace lists to which the user
 * wants to add.
 */
export const modeError = (
	node: INode,
	[column, mode]: readonly [column: string, mode: string],
): NodeOperationError =>
	settingsError(
		node,
		`Column ${quoteText(column)} does not set ${mode}. Set ${mode} in the form, or to an expression that uses the column. Otherwise, add the column to ${inputsToIgnore.displayName}.`,
	);

/** Returns the error of a pair of Column Names with a column that the input probably has under another name. */
export const pairError = (node: INode, { column, meant }: MisspelledPair): NodeOperationError =>
	settingsError(
		node,
		`${columnNamesLabel} has the column ${quoteText(column)}, which no item has. Did you mean ${anyOf(meant.map(quoteText))}? Correct the pair, or rename the column.`,
	);
