import {
	isExpression,
	sleep,
	type IExecuteFunctions,
	type INodeParameters,
	type INodeProperties,
} from 'n8n-workflow';
import { inputsIn, withColumns, type ColumnMap, type Target } from '../contract/columns';
import {
	encodeRow,
	isEncoded,
	searchTextOf,
	type EncodedRow,
	type Problem,
} from '../contract/encodeRow';
import { Names } from '../contract/names';
import { collectionsOf, parametersOf } from '../contract/placement';
import { isOfScope } from '../contract/scope';
import type {
	Columns,
	EncodeOptions,
	OperationName,
	Parameters,
	ResourceContract,
} from '../contract/types';
import { isBrokenDate, isRecord, isTextual, unwrapLocator } from '../contract/values';

/** One input item: what it asks for, or why nothing can be sent for it. */
export interface Row {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The alias or name that the row gives, by which people find it in their list. */
	readonly name?: string;
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

const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim();

/** What a row gives as the text that its resource is known by; undefined where that is nothing. */
function nameIn(
	{ contract, operation }: Reading,
	given: Parameters,
	encoded: Row['encoded'],
): string | undefined {
	if (isEncoded(encoded)) return oneLine(searchTextOf(encoded) ?? '') || undefined;
	const field = contract.fields.find(({ wire }) => wire.key === contract.key.searchBy);
	const place = field?.wire.on[operation];
	const holder: unknown = place === 'top' || place === undefined ? given : given[place];
	const value = field && place && isRecord(holder) ? unwrapLocator(holder[field.name]) : undefined;
	const name = isTextual(value) ? oneLine(String(value)) : '';
	return name === '' || isBrokenDate(name) ? undefined : name;
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
	const isFormExpression = expressionsIn(form, collectionsOf(contract, operation)[0]);
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
	const rowOf = (index: number, values: Parameters, cells: Columns): Row => {
		const encoded = encodeRow(contract, operation, values, options, cells);
		return { index, encoded, name: nameIn(reading, values, encoded) };
	};
	const rows: Row[] = [];
	const unnamed: Array<() => Row> = [];
	let wanted = 0;
	for (const [index, { json: cells }] of context.getInputData().entries()) {
		await yieldBetweenBatches(index);
		const given = read(index, cells);
		rows.push(
			'values' in given
				? rowOf(index, given.values, cells)
				: { index, encoded: given.failed, name: undefined },
		);
		if ('values' in given && names.asked > wanted) {
			unnamed.push(() => rowOf(index, given.values, cells));
		}
		wanted = names.asked;
	}
	if (unnamed.length > 0) await readNames(names);
	for (const [index, readAgain] of unnamed.entries()) {
		await yieldBetweenBatches(index);
		const row = readAgain();
		rows[row.index] = row;
	}
	return rows;
}
