import { hasScope } from '../contract/operations';
import { sleep, type IExecuteFunctions, type INodeParameters } from 'n8n-workflow';
import type { ColumnMap } from '../contract/columns';
import { withColumnValues } from '../contract/columnValues';
import { encodeRow, scopeOf } from '../contract/encodeRow';
import type {
	Columns,
	EncodeOptions,
	FormParameter,
	NameSource,
	OperationName,
	Parameters,
} from '../contract/types';
import { isEncoded, searchTextOf, type EncodedRow, type Problem } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import { oneLine } from '../contract/escape';
import { NameListResolver, type NameList } from '../contract/nameResolver';
import { mergeNames, namesInRow, type RequestedNames } from '../contract/requestedNames';
import type { ReadNames } from '../operations/readNames';
import { parametersOf } from '../contract/formLayout';
import { isOfScope } from '../contract/scope';
import { isBrokenDate, isRecord, isTextual, shorten, unwrapLocator } from '../contract/values';
import type { Failure } from '../transport/failures';
import { withColumnNames } from './cellProblems';
import { expressionsIn, hasExpression } from './formExpressions';

/** One input item: its encoded values, or its problems. */
export interface Row {
	/** Index of the input item. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The alias or name of the row, so that the user finds it in the sheet. */
	readonly name?: string;
	/** Index of an earlier row with identical values. */
	readonly duplicateOf?: number;
	/** The scope of a Sync row that cannot be encoded, as text; undefined if the scope itself is invalid. */
	readonly scope?: string;
	/** Why a list of names could not be read, if the row is valid apart from these names. */
	readonly unreadNames?: Failure;
}

/** How the rows of a run are read. */
export interface Reading {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	/** Indexes of the input items that are rows. */
	readonly rows: readonly number[];
	readonly options: EncodeOptions;
	/** The targets of the columns; undefined if all values come from the form. */
	readonly columns?: Pick<ColumnMap, 'targets'>;
	/** Reads the lists of the names that rows contain. */
	readonly readNames: (requested: RequestedNames) => Promise<ReadNames>;
}

/** Number of rows between two pauses. */
const batchSize = 100;

/** Lets n8n do other work between many rows. This is the only pause outside of the rate limiter. */
export async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batchSize === batchSize - 1) await sleep(0);
}

const sentenceOf = (error: unknown) =>
	isRecord(error) && typeof error.message === 'string'
		? shorten(error.message, 200)
		: 'n8n reports no reason';

/** The value of one parameter, or the problem with it. */
type ParameterRead = { readonly value: unknown } | { readonly problem: Problem };

/** Reads one parameter of one row. An expression that fails becomes a problem of the row. */
export function readParameter(
	context: IExecuteFunctions,
	property: FormParameter,
	index: number,
): ParameterRead {
	const { name, displayName } = property;
	try {
		// A parameter that another one hides has no value; the empty text means "not set".
		return { value: context.getNodeParameter(name, index, '') };
	} catch (error) {
		const reason = `has an expression that fails (${sentenceOf(error)}); correct the expression`;
		const problem: Problem = { field: displayName, key: name, reason };
		return { problem: isOfScope(property) ? { ...problem, isRunLevel: true } : problem };
	}
}

/** Returns a reader of a parameter. Without an expression, it reads the parameter once for all rows. */
function parameterReader(
	context: IExecuteFunctions,
	property: FormParameter,
	form: INodeParameters,
): (index: number) => ParameterRead {
	if (hasExpression(form[property.name])) return (index) => readParameter(context, property, index);
	let once: ParameterRead | undefined;
	return (index) => (once ??= readParameter(context, property, index));
}

/** Returns the alias or name of a row; undefined if it has none. */
function rowName(
	{ contract, operation }: Reading,
	parameters: Parameters,
	encoded: Row['encoded'],
): string | undefined {
	if (isEncoded(encoded)) return oneLine(searchTextOf(encoded) ?? '').trim() || undefined;
	const field = contract.fields.find(({ wire }) => wire.key === contract.key.searchBy);
	const place = field?.wire.on[operation];
	if (!field || !place) return undefined;
	const holder: unknown = place === 'top' ? parameters : parameters[place];
	const value = isRecord(holder) ? unwrapLocator(holder[field.name]) : undefined;
	const name = isTextual(value) ? oneLine(String(value)).trim() : '';
	return name === '' || isBrokenDate(name) ? undefined : name;
}

/** The parameters of one row. */
interface RowParameters {
	/** The parameters that could be read. */
	readonly values: Parameters;
	/** The problems with the other parameters. */
	readonly failed: readonly Problem[];
}

/** Returns a reader of the parameters of a row. It reads each parameter at most once per row, and a collection as a whole. */
function valueReader(
	context: IExecuteFunctions,
	{ contract, operation, options, columns }: Reading,
): (index: number, cells: Columns) => RowParameters {
	const form = context.getNode().parameters;
	const readers = parametersOf(contract, operation).map(
		(property) => [property.name, parameterReader(context, property, form)] as const,
	);
	const isFormExpression = expressionsIn(form);
	return (index, cells) => {
		const read = readers.map(([name, reader]) => [name, reader(index)] as const);
		const failed = read.flatMap(([, parameter]) =>
			'problem' in parameter ? parameter.problem : [],
		);
		const formValues = Object.fromEntries(
			read.flatMap(([name, parameter]) => ('value' in parameter ? [[name, parameter.value]] : [])),
		);
		const values = columns
			? withColumnValues({
					...{ contract, operation, options, columns, cells },
					...{ parameters: formValues, isExpression: isFormExpression },
				})
			: formValues;
		return { values, failed };
	};
}

/** Encodes the parameters of a row. It checks the scope of a row whose values cannot be read as well. */
function encodeParameters(reading: Reading, { values, failed }: RowParameters) {
	const encoded = failed.length > 0 ? failed : encodeRow(reading, values);
	if (!hasScope(reading.operation) || isEncoded(encoded)) return { encoded };
	const scope = scopeOf(reading, values);
	if (typeof scope === 'string') return { encoded, scope };
	return {
		encoded: encoded.some(({ isRunLevel }) => isRunLevel) ? encoded : [...encoded, ...scope],
	};
}

/** Encodes one row. */
function encodedRow(reading: Reading, index: number, parameters: RowParameters): Row {
	const row = encodeParameters(reading, parameters);
	return { index, ...row, name: rowName(reading, parameters.values, row.encoded) };
}

/** Returns a function that adds the names of columns to the problems of a row. */
function columnNamer(context: IExecuteFunctions, { columns }: Reading): (row: Row) => Row {
	const isExpression = expressionsIn(context.getNode().parameters);
	const items = context.getInputData();
	return (row) => {
		if (!columns || isEncoded(row.encoded)) return row;
		const cells = items[row.index]?.json ?? {};
		return { ...row, encoded: withColumnNames(row.encoded, columns, cells, isExpression) };
	};
}

/** Returns why a list of names could not be read, if each problem of a row is a name of such a list. */
function unreadNamesOf({ encoded }: Row, failures: ReadNames['failures']): Failure | undefined {
	if (isEncoded(encoded)) return undefined;
	const reasons = encoded.map(({ unreadNames }) => unreadNames && failures.get(unreadNames));
	return reasons.includes(undefined) ? undefined : reasons[0];
}

/** The names of a row whose parameters cannot be read. */
const noNames: RequestedNames = new Map();

/** A row that is encoded after the lists of its names are read. */
interface PendingRow {
	readonly position: number;
	readonly index: number;
	readonly parameters: RowParameters;
	readonly names: RequestedNames;
}

/**
 * Reads and encodes all rows before anything is written. A row that contains names instead of IDs is encoded after the lists of
 * these names are read. If a list cannot be read, the rows that need it are invalid.
 *
 * @throws ServiceError if the run ends before the names are read
 */
export async function readRows(context: IExecuteFunctions, reading: Reading): Promise<Row[]> {
	const { contract, operation, options } = reading;
	const valuesOf = valueReader(context, reading);
	const items = context.getInputData();
	const readingWith = (lists: ReadonlyMap<NameSource, NameList>): Reading => ({
		...reading,
		options: { ...options, names: new NameListResolver(lists) },
	});
	const withoutLists = readingWith(new Map());
	const withColumns = columnNamer(context, reading);
	const rows: Row[] = [];
	const pending: PendingRow[] = [];
	for (const [position, index] of reading.rows.entries()) {
		await yieldBetweenBatches(position);
		const parameters = valuesOf(index, items[index]?.json ?? {});
		const { values, failed } = parameters;
		const names =
			failed.length > 0
				? noNames
				: namesInRow({ contract, operation, options, parameters: values });
		if (names.size > 0) pending.push({ position, index, parameters, names });
		else rows[position] = withColumns(encodedRow(withoutLists, index, parameters));
	}
	if (pending.length === 0) return rows;
	const { lists, failures } = await reading.readNames(
		mergeNames(pending.map(({ names }) => names)),
	);
	const withLists = readingWith(lists);
	for (const [count, { position, index, parameters }] of pending.entries()) {
		await yieldBetweenBatches(count);
		const row = encodedRow(withLists, index, parameters);
		const unreadNames = unreadNamesOf(row, failures);
		rows[position] = unreadNames ? { ...row, unreadNames } : withColumns(row);
	}
	return rows;
}
