import type { IExecuteFunctions, INode, NodeExecutionHint } from 'n8n-workflow';
import { mapColumns, type ColumnChoice } from '../contract/columnMap';
import { readColumnNames } from '../contract/columnNames';
import type { ColumnMap, IgnoredColumn, ColumnNamePair, ColumnTarget } from '../contract/columns';
import { likelyTypos, misspelledPairs } from '../contract/columnTypos';
import { namesOfColumns } from '../contract/ignoredColumns';
import { fixedKeys, matchOf } from '../contract/matchBy';
import { Invalid, type EncodeOptions, type OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { isTextual, isUnset, quote } from '../contract/values';
import { columnNamesLabel, nodeOptions } from '../description/nodeOptions';
import { inputsToIgnore } from '../description/parameters';
import {
	columnText,
	conflictError,
	modeError,
	columnList,
	quotedList,
	pairError,
	passwordError,
	typoError,
	unknownError,
} from './columnErrors';
import { expressionsIn, expressionUse } from './formExpressions';
import type { RunOptions } from './options';
import { settingsError } from './nodeErrors';
import { isRowNumber, rowNumberOf } from './rowNumbers';

type Items = ReturnType<IExecuteFunctions['getInputData']>;

/** Returns the names in Inputs to Ignore. */
export function ignoredNames(context: IExecuteFunctions, columns: ReadonlySet<string>) {
	const value: unknown = context.getNodeParameter(inputsToIgnore.name, 0, '');
	const names = namesOfColumns(value, columns);
	if (names) return names;
	const message = `${inputsToIgnore.displayName} ${quote(value, inputsToIgnore)} is not a list of columns; write it as notes, owner`;
	throw settingsError(context.getNode(), message);
}

/** Returns the pairs of Column Names. */
function namedColumns(
	node: INode,
	pairs: ReturnType<typeof readColumnNames>,
): readonly ColumnNamePair[] {
	if (!(pairs instanceof Invalid)) return pairs;
	throw settingsError(node, `${columnNamesLabel} ${pairs.reasons.join('. It also ')}`);
}

/** Returns the columns that number the rows: their numbers increase from item to item. */
function rowNumberColumns(items: Items, columns: ReadonlySet<string>): string[] {
	return [...columns].filter(isRowNumber).filter((column) => {
		let last = -Infinity;
		return items.every(({ json }) => {
			const cell = json[column];
			if (isUnset(cell)) return true;
			const number = rowNumberOf(cell) ?? NaN;
			const increases = number > last;
			last = number;
			return increases;
		});
	});
}

/** Returns whether a cell contains a password: `true` and `false` show only whether a password is set. */
const isPassword = (cell: unknown): boolean =>
	!isUnset(cell) &&
	isTextual(cell) &&
	!['true', 'false'].includes(String(cell).slice(0, 100).trim().toLowerCase());

/** Returns the columns that have passwords in them, except those that an expression of the form replaces or uses. */
function passwordColumns(
	items: Items,
	{ secret }: ColumnMap,
	isReplaced: ReturnType<typeof expressionsIn>,
	isInExpression: (column: string) => boolean,
): string[] {
	const filled = [...secret].filter(
		([column, target]) => !isReplaced(target) && items.some(({ json }) => isPassword(json[column])),
	);
	return filled.map(([column]) => column).filter((column) => !isInExpression(column));
}

/**
 * Checks that a column has the identifiers for Match By. Without the column, each row would create a resource.
 *
 * @throws NodeOperationError if no column has them
 */
function checkMatchColumn(
	node: INode,
	contract: ResourceContract,
	options: EncodeOptions,
	{ targets }: ColumnMap,
): void {
	const { name, value, fields } = matchOf(contract, options);
	const isFound = [...targets.values()].some(({ property }) => property === contract.id);
	if (options.matchBy === undefined || fields || isFound) return;
	throw settingsError(
		node,
		`Match By is ${name}, but no column is named ${columnText(value)}; add the column, map it with ${columnNamesLabel}, or choose another Match By`,
	);
}

/**
 * Returns the fields of the columns of all items, because the first item may not have all columns.
 *
 * @throws NodeOperationError if two columns fill the same field, if a column has passwords that are not mapped, if a column has the name of a mode, if a column is
 * unknown or probably misspelled and Unknown Columns refuses it, or if Inputs to Ignore or Column Names cannot be read or contradict each other
 */
export function readColumns(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	{ encode, mapPasswords, unknownColumns, columnNames }: RunOptions,
): ColumnMap {
	const node = context.getNode();
	const items = context.getInputData();
	const columns = new Set(items.flatMap(({ json }) => Object.keys(json)));
	const isInExpression = expressionUse(node.parameters);
	const { matchBy } = encode;
	const pairs = readColumnNames(contract, operation, columnNames, encode);
	const choice: ColumnChoice = {
		ignored: ignoredNames(context, columns),
		used: rowNumberColumns(items, columns),
		mapPasswords,
		named: namedColumns(node, pairs),
		matchBy,
		isInExpression,
	};
	const map = mapColumns(contract, operation, columns, choice);
	checkMatchColumn(node, contract, encode, map);
	const [ignoredPair] = map.ignoredPairs;
	if (ignoredPair) {
		const column = columnText(ignoredPair.column);
		throw settingsError(
			node,
			`The column ${column} is in ${columnNamesLabel} and in ${inputsToIgnore.displayName}; remove it from one of them`,
		);
	}
	const [conflict] = map.conflicts;
	if (conflict) throw conflictError(node, conflict);
	const [pair] = misspelledPairs(map, isInExpression);
	if (pair) throw pairError(node, pair);
	const isReplaced = expressionsIn(node.parameters);
	const passwords = passwordColumns(items, map, isReplaced, isInExpression);
	if (passwords.length > 0) throw passwordError(node, passwords);
	const unwanted = [...map.unknown, ...map.secret.keys()];
	if (unknownColumns === 'fail' && unwanted.length > 0) {
		throw unknownError(node, unwanted, map.secret.size > 0);
	}
	const [mode] = unknownColumns === 'failOnTypos' ? map.modes : [];
	if (mode) throw modeError(node, mode);
	const typos =
		unknownColumns === 'failOnTypos' ? likelyTypos(contract, operation, map, choice) : [];
	if (typos.length > 0) throw typoError(node, typos);
	return map;
}

/** Returns the options with which the rows of a run are encoded, once its columns are known. */
export function withColumnsKnown(
	options: EncodeOptions,
	contract: ResourceContract,
	columns: ColumnMap | undefined,
): EncodeOptions {
	if (!columns || options.matchBy === undefined) return options;
	const fixed = fixedKeys(contract, matchOf(contract, options));
	const isValue = ({ property }: ColumnTarget) =>
		'wire' in property ? !fixed.includes(property.wire.key) : property !== contract.id;
	return { ...options, hasValueColumns: [...columns.targets.values()].some(isValue) };
}

/** Returns `Mapped columns: url, slug (Alias). Ignored columns: notes, source (perhaps UTM Source).` */
export function columnsHint(map: ColumnMap): NodeExecutionHint {
	const { targets, renamed, ignored, secret, unusedNamed, unusedIgnored } = map;
	const takenTexts = [...targets].map(([column, { displayName }]) =>
		renamed.has(column) ? `${columnText(column)} (${displayName})` : columnText(column),
	);
	const remarkOn = ({ column, reason }: IgnoredColumn) =>
		secret.has(column) ? `only with ${nodeOptions.mapPasswords.displayName}` : reason;
	const leftTexts = ignored.map((ignoredColumn) => {
		const reasonText = remarkOn(ignoredColumn);
		return reasonText === undefined
			? columnText(ignoredColumn.column)
			: `${columnText(ignoredColumn.column)} (${reasonText})`;
	});
	const inVain = unusedNamed.map(
		({ column, target }) => `${columnText(column)} (${target.displayName})`,
	);
	const sentences = [
		`Mapped columns: ${takenTexts.length > 0 ? columnList(takenTexts) : 'none'}`,
		ignored.length > 0 ? `Ignored columns: ${columnList(leftTexts)}` : '',
		inVain.length > 0 ? `In ${columnNamesLabel}, but in no item: ${columnList(inVain)}` : '',
		unusedIgnored.length > 0
			? `In ${inputsToIgnore.displayName}, but in no item: ${quotedList(unusedIgnored)}`
			: '',
	].filter((sentence) => sentence !== '');
	return { message: `${sentences.join('. ')}.`, location: 'outputPane' };
}
