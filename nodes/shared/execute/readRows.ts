import {
	isExpression,
	sleep,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { inputsIn, withColumns, type ColumnMap, type Target } from '../contract/columns';
import { encodeRow, type EncodedRow, type Problem } from '../contract/encodeRow';
import { Names } from '../contract/names';
import { collectionOf, parametersOf } from '../contract/placement';
import { isOfScope } from '../contract/scope';
import type {
	Columns,
	EncodeOptions,
	OperationName,
	Parameters,
	ResourceContract,
} from '../contract/types';
import { isRecord } from '../contract/values';

/** One input item: what it asks for, or why nothing can be sent for it. */
export interface Row {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The earlier row that asks for the very same, where there is one. */
	readonly repeats?: number;
}

/** How the rows of a run are read. */
export interface Reading {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly options: EncodeOptions;
	/** What columns fill; undefined where all values come from the form. */
	readonly columns?: ColumnMap;
	/** Reads the lists of the names that are wanted. */
	readonly readNames: (names: Names) => Promise<void>;
}

/** So many rows are read in one go. */
const batch = 100;

/** Lets n8n answer others between many rows. The only pause of the package that is not the rate limiter's. */
async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batch === batch - 1) await sleep(0);
}

const sentenceOf = (error: unknown) =>
	isRecord(error) && typeof error.message === 'string' ? error.message : 'unknown error';

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
		return { problem: isOfScope(property) ? { ...problem, isOfRun: true } : problem };
	}
}

/** Whether a value of the form holds an expression, however deep. */
function holdsExpression(value: unknown): boolean {
	if (typeof value === 'string') return isExpression(value);
	if (Array.isArray(value)) return value.some(holdsExpression);
	return isRecord(value) && Object.values(value).some(holdsExpression);
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

/** Tells whether the form has an expression for what a column fills. */
function expressionsIn(form: INodeParameters, collection: string | undefined) {
	const added: unknown = collection === undefined ? undefined : form[collection];
	return ({ property, place, part }: Target): boolean => {
		const { name } = property;
		const held: unknown = place === 'top' ? form[name] : isRecord(added) ? added[name] : added;
		const isWhole = part === undefined || !isRecord(held);
		return holdsExpression(isWhole ? held : inputsIn(property, held)[part]);
	};
}

/** The values of one row, or why they cannot be read. */
type Given = { readonly values: Parameters } | { readonly failed: readonly Problem[] };

/** Reads the values of rows, each parameter once a row at most, a collection as a whole. */
function valueReader(
	context: IExecuteFunctions,
	{ contract, operation, options, columns }: Reading,
): (index: number, cells: Columns) => Given {
	const form = context.getNode().parameters;
	const readers = parametersOf(contract, operation).map(
		(property) => [property.name, readerOf(context, property, form)] as const,
	);
	const isFormExpression = expressionsIn(form, collectionOf(contract, operation));
	return (index, cells) => {
		const read = readers.map(([name, reader]) => [name, reader(index)] as const);
		const failed = read.flatMap(([, one]) => ('problem' in one ? one.problem : []));
		if (failed.length > 0) return { failed };
		const values = Object.fromEntries(
			read.map(([name, one]) => [name, 'value' in one ? one.value : '']),
		);
		return {
			values: columns
				? withColumns(contract, operation, values, columns, cells, isFormExpression, options)
				: values,
		};
	};
}

/**
 * All rows, read and encoded before anything is written. Where rows hold names in place of IDs, the lists of the names are
 * read once, and these rows are encoded again.
 *
 * @throws ServiceError where the names cannot be read
 */
export async function readRows(context: IExecuteFunctions, reading: Reading): Promise<Row[]> {
	const { contract, operation, readNames } = reading;
	const read = valueReader(context, reading);
	const names = new Names();
	const options = { ...reading.options, names };
	const rows: Row[] = [];
	const unnamed: Array<{ index: number; values: Parameters; cells: Columns }> = [];
	let wanted = 0;
	for (const [index, { json: cells }] of context.getInputData().entries()) {
		await yieldBetweenBatches(index);
		const given = read(index, cells);
		const encoded =
			'values' in given
				? encodeRow(contract, operation, given.values, options, cells)
				: given.failed;
		rows.push({ index, encoded });
		if ('values' in given && names.asked > wanted) {
			unnamed.push({ index, values: given.values, cells });
		}
		wanted = names.asked;
	}
	if (unnamed.length > 0) await readNames(names);
	for (const { index, values, cells } of unnamed) {
		rows[index] = { index, encoded: encodeRow(contract, operation, values, options, cells) };
	}
	return rows;
}
