import {
	sleep,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { withColumnValues, type ColumnMap } from '../contract/columns';
import { encodeRow, scopeOf } from '../contract/encodeRow';
import type {
	Columns,
	EncodeOptions,
	NameResolver,
	OperationName,
	Parameters,
} from '../contract/types';
import { isEncoded, searchTextOf, type EncodedRow, type Problem } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { oneLine } from '../contract/escape';
import { NameListResolver } from '../contract/nameResolver';
import { mergeNames, namesInRow, type RequestedNames } from '../contract/requestedNames';
import { unreadNamesOf } from './unreadNames';
import type { ReadNames } from '../operations/readNames';
import { parametersOf } from '../contract/formLayout';
import { isOfScope } from '../contract/scope';
import { isBrokenDate, isRecord, isTextual, shorten, unwrapLocator } from '../contract/values';
import type { Failure } from '../transport/serviceError';
import { expressionsIn, holdsExpression } from './formExpressions';

/** One input item: what it asks for, or why nothing can be sent for it. */
export interface Row {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The alias or name that the row gives, by which people find it in their list. */
	readonly name?: string;
	/** The earlier row that asks for the very same, where there is one. */
	readonly duplicateOf?: number;
	/** The scope of a Sync row that cannot be encoded, as text; undefined if the scope itself is invalid. */
	readonly scope?: string;
	/** Whether each run gives the row the same alias or name, so that a later run finds what this one creates. */
	readonly hasStableKey?: boolean;
	/** Why a list of names could not be read, if the row is valid apart from these names. */
	readonly unreadNames?: Failure;
}

/** How the rows of a run are read. */
export interface Reading {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	/** Positions of the input items that are rows. */
	readonly rows: readonly number[];
	readonly options: EncodeOptions;
	/** What columns fill; undefined where all values come from the form. */
	readonly columns?: ColumnMap;
	/** Reads the lists of the names that rows contain. */
	readonly readNames: (requested: RequestedNames) => Promise<ReadNames>;
}

/** So many rows are read in one go. */
const batch = 100;

/** Lets n8n answer others between many rows. The only pause of the package that is not the rate limiter's. */
async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batch === batch - 1) await sleep(0);
}

const sentenceOf = (error: unknown) =>
	isRecord(error) && typeof error.message === 'string'
		? shorten(error.message, 200)
		: 'unknown error';

/** The value of one parameter, or why it has none. */
type Read = { readonly value: unknown } | { readonly problem: Problem };

/** Reads one parameter of one row; an expression that fails becomes the row's problem instead of an exception. */
function read(context: IExecuteFunctions, property: INodeProperties, index: number): Read {
	const { name, displayName } = property;
	try {
		// A parameter that another one hides has no value; the empty text stands for "not set".
		return { value: context.getNodeParameter(name, index, '') };
	} catch (error) {
		const reason = `has an expression that fails (${sentenceOf(error)}); correct the expression`;
		const problem: Problem = { field: displayName, key: name, reason };
		return { problem: isOfScope(property) ? { ...problem, isRunLevel: true } : problem };
	}
}

/** Reads a parameter for each row. Without an expression it is the same for all rows, and read once. */
function readerOf(
	context: IExecuteFunctions,
	property: INodeProperties,
	form: INodeParameters,
): (index: number) => Read {
	if (holdsExpression(form[property.name])) return (index) => read(context, property, index);
	let once: Read | undefined;
	return (index) => (once ??= read(context, property, index));
}

/** What a row gives as the text that its resource is known by; undefined where that is nothing. */
function nameIn(
	{ contract, operation }: Reading,
	given: Parameters,
	encoded: Row['encoded'],
): string | undefined {
	if (isEncoded(encoded)) return oneLine(searchTextOf(encoded) ?? '').trim() || undefined;
	const field = contract.fields.find(({ wire }) => wire.key === contract.key.searchBy);
	const place = field?.wire.on[operation];
	const holder: unknown = place === 'top' || place === undefined ? given : given[place];
	const value = field && place && isRecord(holder) ? unwrapLocator(holder[field.name]) : undefined;
	const name = isTextual(value) ? oneLine(String(value)).trim() : '';
	return name === '' || isBrokenDate(name) ? undefined : name;
}

/** The values of one row. */
interface Given {
	/** Those that could be read. */
	readonly values: Parameters;
	/** Why others could not. */
	readonly failed: readonly Problem[];
}

/** Reads the values of rows, each parameter once a row at most, a collection as a whole. */
function valueReader(
	context: IExecuteFunctions,
	{ contract, operation, options, columns }: Reading,
): (index: number, cells: Columns) => Given {
	const form = context.getNode().parameters;
	const readers = parametersOf(contract, operation).map(
		(property) => [property.name, readerOf(context, property, form)] as const,
	);
	const isFormExpression = expressionsIn(form);
	return (index, cells) => {
		const read = readers.map(([name, reader]) => [name, reader(index)] as const);
		const failed = read.flatMap(([, one]) => ('problem' in one ? one.problem : []));
		const given = Object.fromEntries(
			read.flatMap(([name, one]) => ('value' in one ? [[name, one.value]] : [])),
		);
		const values =
			columns && failed.length === 0
				? withColumnValues(contract, operation, given, columns, cells, isFormExpression, options)
				: given;
		return { values, failed };
	};
}

/** What a row asks for, or what is wrong with it. Of a row whose values cannot be read, the scope is checked all the same. */
function encodeGiven({ contract, operation, options }: Reading, given: Given, cells: Columns) {
	const { values, failed } = given;
	const encoded =
		failed.length > 0 ? failed : encodeRow(contract, operation, values, options, cells);
	if (operation !== 'sync' || isEncoded(encoded)) return { encoded };
	const scope = scopeOf(contract, values, options);
	if (typeof scope === 'string') return { encoded, scope };
	return {
		encoded: encoded.some(({ isRunLevel }) => isRunLevel) ? encoded : [...encoded, ...scope],
	};
}

/** Whether each run gives a row the same key: its own, or one that an option makes of its columns. */
function hasStableKey(
	{ contract, operation, options }: Reading,
	{ encoded, name }: Pick<Row, 'encoded' | 'name'>,
	parameters: Parameters,
	columns: Columns,
): boolean {
	if (operation !== 'create') return true;
	const isRandom = contract.reuse?.isKeyRandom(options.resourceOptions) ?? false;
	if (isEncoded(encoded))
		return searchTextOf(encoded) !== undefined && !(encoded.isKeyGenerated && isRandom);
	if (name !== undefined) return true;
	const row = { operation, parameters, columns, options, report: () => undefined };
	return (
		!isRandom && contract.addDefaults !== undefined && contract.addDefaults(row) !== parameters
	);
}

/** Encodes one row, given its values. */
function encodedRow(reading: Reading, index: number, given: Given, cells: Columns): Row {
	const read = encodeGiven(reading, given, cells);
	const name = nameIn(reading, given.values, read.encoded);
	const row = { index, ...read, name };
	return { ...row, hasStableKey: hasStableKey(reading, row, given.values, cells) };
}

/** Stands for a row without names. */
const noNames: RequestedNames = new Map();

/** The values of a row that is not encoded yet. */
interface PendingRow {
	readonly position: number;
	readonly index: number;
	readonly given: Given;
	readonly names: RequestedNames;
}

/**
 * Reads and encodes all rows before anything is written. A row that contains names in place of IDs is encoded after the lists of
 * these names are read. If a list cannot be read, the rows that need it are invalid.
 *
 * @throws ServiceError if the run ends before the names are read
 */
export async function readRows(context: IExecuteFunctions, reading: Reading): Promise<Row[]> {
	const { contract, operation, options } = reading;
	const valuesOf = valueReader(context, reading);
	const items = context.getInputData();
	const cellsOf = (index: number): Columns => items[index]?.json ?? {};
	const rowOf = (index: number, given: Given, names: NameResolver): Row =>
		encodedRow({ ...reading, options: { ...options, names } }, index, given, cellsOf(index));
	const withoutNames = new NameListResolver(new Map());
	const rows: Row[] = [];
	const pending: PendingRow[] = [];
	for (const [position, index] of reading.rows.entries()) {
		await yieldBetweenBatches(position);
		const given = valuesOf(index, cellsOf(index));
		const parameters = given.values;
		const names =
			given.failed.length > 0 ? noNames : namesInRow({ contract, operation, options, parameters });
		if (names.size > 0) pending.push({ position, index, given, names });
		else rows[position] = rowOf(index, given, withoutNames);
	}
	if (pending.length === 0) return rows;
	const { lists, failures } = await reading.readNames(
		mergeNames(pending.map(({ names }) => names)),
	);
	const names = new NameListResolver(lists);
	for (const [count, { position, index, given }] of pending.entries()) {
		await yieldBetweenBatches(count);
		const row = rowOf(index, given, names);
		const unreadNames = unreadNamesOf(contract, row.encoded, failures);
		rows[position] = unreadNames ? { ...row, unreadNames } : row;
	}
	return rows;
}
