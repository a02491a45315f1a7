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

/** What a row gives as the text that its resource is known by; undefined where that is nothing. */
function nameIn(
	{ contract, operation }: Reading,
	given: Parameters,
	encoded: Row['encoded'],
): string | undefined {
	if (isEncoded(encoded)) return searchTextOf(encoded)?.trim() || undefined;
	const field = contract.fields.find(({ wire }) => wire.key === contract.key.searchBy);
	const place = field?.wire.on[operation];
	const holder: unknown = place === 'top' || place === undefined ? given : given[place];
	const value = field && place && isRecord(holder) ? unwrapLocator(holder[field.name]) : undefined;
	const name = isTextual(value) ? String(value).replace(/\s+/g, ' ').trim() : '';
	return name === '' || isBrokenDate(name) ? undefined : name;
}

/** All rows, read and encoded before anything is sent. Every parameter is evaluated once a row at most, a collection as a whole. */
export async function readRows(context: IExecuteFunctions, reading: Reading): Promise<Row[]> {
	const { contract, operation, options, columns } = reading;
	const form = context.getNode().parameters;
	const readers = parametersOf(contract, operation).map(
		(property) => [property.name, readerOf(context, property, form)] as const,
	);
	const isFormExpression = expressionsIn(form, collectionsOf(contract, operation)[0]);
	const rows: Row[] = [];
	for (const [index, { json }] of context.getInputData().entries()) {
		await yieldBetweenBatches(index);
		const values: Record<string, unknown> = {};
		const failed: Problem[] = [];
		for (const [name, reader] of readers) {
			const outcome = reader(index);
			if ('problem' in outcome) failed.push(outcome.problem);
			else values[name] = outcome.value;
		}
		const cells: Columns = json;
		const given: Parameters = columns
			? withColumns(contract, operation, values, columns, cells, isFormExpression, options)
			: values;
		const encoded =
			failed.length > 0 ? failed : encodeRow(contract, operation, given, options, cells);
		rows.push({ index, encoded, name: nameIn(reading, given, encoded) });
	}
	return rows;
}
