import {
	type ColumnConflict,
	type ColumnMap,
	columnName,
	type ColumnTarget,
} from '../contract/columns';
import { collections } from '../contract/layout';
import type { ResourceContract } from '../contract/resourceTypes';
import { quoteText } from '../contract/values';
import { nodeOptions } from '../description/nodeOptions';
import { inputsToIgnore } from '../description/parameters';
import { columnText, firstTexts, inflected, joined } from './wording';

/** A column that fills no field, and the field that it looks like. */
export interface LeftOverColumn {
	readonly column: string;
	readonly target: ColumnTarget;
}

/** Why the columns of a run cannot be used. */
export interface ColumnProblems {
	readonly conflicts: readonly ColumnConflict[];
	/** The required fields that neither a column nor the form fills. */
	readonly missing: readonly ColumnTarget[];
	/** Whether the form of the operation can fill the first missing field. */
	readonly isInForm: boolean;
	/** Whether an update has nothing to change, in any row. */
	readonly changesNothing: boolean;
	/** Left-over columns that look like a field that nothing fills. */
	readonly leftOver: readonly LeftOverColumn[];
	/** Columns with passwords that are not mapped. */
	readonly passwords: readonly string[];
	/** All columns, apart from row numbers. */
	readonly columns: readonly string[];
}

/** The columns of a run. */
export interface RunColumns {
	readonly map: ColumnMap;
	/** Columns that fill no field. */
	readonly ignored: readonly string[];
	/** Columns for passwords, if the settings do not allow them. */
	readonly secret: readonly string[];
	/** Ignored columns that look like the key, if new resources get a generated key. */
	readonly unusedKeys: readonly LeftOverColumn[];
}

const ignore = inputsToIgnore.displayName;
const mapPasswords = nodeOptions.mapPasswords.displayName;

/** Max number of characters of the names of columns in an error or a hint. */
const maxNames = 500;

/** Max number of columns in an error that suggests what to do with each. */
const maxSuggested = 4;

/** Returns the names of columns, up to the max size of an error or a hint. */
const columnList = (columns: readonly string[]): string => firstTexts(columns, maxNames).join(', ');

/** Returns the names of columns in quotes, and the number of those that are too many to name. */
function quotedColumns(columns: readonly string[]): string {
	const more = columns.length - maxSuggested;
	const names = columns.slice(0, maxSuggested).map(quoteText);
	return joined(more > 0 ? [...names, `${more} more`] : names);
}

/** Returns the names of all columns of the input, for a sentence. */
const cameText = (columns: readonly string[]): string =>
	`Columns that came: ${columnList(columns.map(columnText)) || 'none'}.`;

/** Returns the sentences about required fields that no column fills. */
function missingText({ missing, columns, isInForm }: ColumnProblems): string[] {
	if (missing.length === 0) return [];
	const names = joined(missing.map(({ name }) => name));
	const labels = joined(missing.map(({ displayName }) => displayName));
	const add = inflected(missing.length);
	const rename = columns.length > 0 ? add`Rename [one|columns] to` : add`Add the column[|s]`;
	const remedy = isInForm ? add`set the field[|s] in the form` : 'choose another Match By';
	return [`No column fills ${labels}. ${cameText(columns)} ${rename} ${names}, or ${remedy}.`];
}

/** Returns the sentence about an update without a value. */
const noChangeText = (columns: readonly string[]): string =>
	`No column fills a field to change. ${cameText(columns)} Rename one of them to the name of a field, or fill in ${collections.updateFields.displayName}.`;

/** Returns the sentences about left-over columns that look like fields. */
function leftOverText({ leftOver }: ColumnProblems): string[] {
	if (leftOver.length === 0) return [];
	const columns = quotedColumns(leftOver.map(({ column }) => column));
	const names = [...new Set(leftOver.slice(0, maxSuggested).map(({ target }) => target.name))];
	const text = inflected(leftOver.length);
	const each = names.length === 1 ? 'one of them' : 'one each';
	const renamed = leftOver.length === names.length ? text`[it|them]` : each;
	return [
		text`Column[|s] ${columns} [is|are] not used. Add [it|them] to ${ignore}, or rename ${renamed} to ${joined(names)}.`,
	];
}

/** Returns the sentence about columns with passwords that are not mapped. It quotes no value. */
function passwordText({ passwords }: ColumnProblems): string[] {
	if (passwords.length === 0) return [];
	const names = columnList(passwords.map(columnText));
	const text = inflected(passwords.length);
	return [
		text`The column[|s] ${names} contain[s|] passwords and [is|are] not mapped. Add ${mapPasswords} under Options, or add [it|them] to ${ignore}.`,
	];
}

/** Returns the sentences about the problems of columns; an empty list if there are none. A conflict makes the others uncertain. */
export function columnProblemTexts(problems: ColumnProblems): string[] {
	const [conflict] = problems.conflicts;
	if (!conflict) {
		const texts = [missingText, leftOverText, passwordText].flatMap((textOf) => textOf(problems));
		const isOnly = texts.length === 0 && problems.changesNothing;
		return isOnly ? [noChangeText(problems.columns)] : texts;
	}
	const columns = quotedColumns(conflict.columns);
	return [
		`The columns ${columns} both fill ${conflict.displayName}; keep one of them, or add the other to ${ignore}`,
	];
}

/** Returns the name of a column, and of its field if it differs. */
function mappingText([column, target]: readonly [string, ColumnTarget]): string {
	const { property, inputName, displayName } = target;
	const key = 'wire' in property ? property.wire.key : displayName;
	const names = [inputName ?? property.name, key, displayName].map(columnName);
	const isNamed = names.includes(columnName(column));
	return isNamed ? columnText(column) : `${columnText(column)} (${displayName})`;
}

/** Returns the sentence about new resources that get a generated key, although an ignored column may have it. */
function generatedKeyText({ value }: ResourceContract, unusedKeys: RunColumns['unusedKeys']) {
	const [first] = unusedKeys;
	if (!first) return [];
	const { displayName } = first.target;
	const names = columnList(unusedKeys.map(({ column }) => columnText(column)));
	const are = inflected(unusedKeys.length)`[is|are]`;
	return [
		`New ${value}s get a generated ${displayName.toLowerCase()}, because nothing fills ${displayName} and ${names} ${are} ignored`,
	];
}

/** Returns `Mapped columns: url, slug (Alias). Ignored columns: notes.` */
export function columnsHint(contract: ResourceContract, columns: RunColumns): string {
	const { map, ignored, secret, unusedKeys } = columns;
	const leftOut = ignored.map((column) =>
		secret.includes(column)
			? `${columnText(column)} (only with ${mapPasswords})`
			: columnText(column),
	);
	const mapped = map.size > 0 ? [...map].map(mappingText) : ['none'];
	const sentences = [
		`Mapped columns: ${columnList(mapped)}`,
		...(leftOut.length > 0 ? [`Ignored columns: ${columnList(leftOut)}`] : []),
		...generatedKeyText(contract, unusedKeys),
	];
	return `${sentences.join('. ')}.`;
}
