import type { INodeProperties } from 'n8n-workflow';
import { id as idCodec } from './codecs/id';
import { flag, integer } from './codecs/scalar';
import { collections } from './collections';
import { limit as limitProperty, returnAll as returnAllProperty } from './paging';
import { collectionOf, fieldsIn, isList, takesId } from './properties';
import {
	Invalid,
	type Codec,
	type Field,
	type Method,
	type Operation,
	type ResourceContract,
	type ResourceKey,
	type Task,
	type WireValue,
} from './types';
import { choicesOf, isRecord, isTextual, isUnset } from './values';

/** One name and value of a query or form, in the order in which it is sent. */
export type Pair = readonly [name: string, text: string];

/** One field as it was encoded. */
export interface EncodedField {
	readonly field: Field;
	readonly values: readonly WireValue[];
}

/** A request as the contract describes it, without base URL, headers or pages. */
export interface PlannedRequest {
	readonly task: Task;
	readonly method: Method;
	/** Path under the API prefix, with the id filled in and percent-encoded. */
	readonly path: string;
	/** The id as it was given, where the path names one. */
	readonly id?: string;
	/** Query of a GET, form of a POST or PUT. */
	readonly pairs: readonly Pair[];
	/** The fields that the pairs were made of. */
	readonly fields: readonly EncodedField[];
	/** What the resource can be found by again. */
	readonly key: ResourceKey;
	/** How many results of a list are wanted; Infinity for all. */
	readonly limit: number;
}

/** What is wrong with one field of one row: its display name and contract name, and a clause that ends with the remedy. */
export interface Problem {
	readonly field: string;
	readonly key: string;
	readonly reason: string;
}

/** The values of a row's parameters by name, collections as objects. */
export type Parameters = Readonly<Record<string, unknown>>;

/** The names of the parameters that an operation reads. Each is to be read once per row. */
export function parameterNames(contract: ResourceContract, operation: Operation): string[] {
	return [
		...(takesId(operation) ? [contract.id.name] : []),
		...fieldsIn(contract, operation.value, 'top').map((field) => field.name),
		...(isList(operation) ? [returnAllProperty.name, limitProperty.name] : []),
		...[collectionOf(contract, operation.value) ?? []].flat(),
	];
}

/** Collects problems while the parts of a request are encoded. */
type Report = (property: INodeProperties, reasons: readonly string[]) => void;

/** The value of each field, read from the place where the operation has it and from nowhere else. */
function fieldValues(
	contract: ResourceContract,
	operation: Operation,
	parameters: Parameters,
	report: Report,
): Parameters {
	const name = collectionOf(contract, operation.value);
	const collection = name && !isUnset(parameters[name]) ? parameters[name] : {};
	if (name && !isRecord(collection)) {
		report(collections[name], ['is not a set of fields; add the fields one by one in the form']);
	}
	const inCollection = isRecord(collection) ? collection : {};
	const values = contract.fields.map((field) => {
		const place = field.wire.on[operation.value];
		const holder = place === 'top' ? parameters : inCollection;
		return [field.name, place && Object.hasOwn(holder, field.name) ? holder[field.name] : ''];
	});
	return Object.fromEntries(values);
}

/** The sibling that a set field needs by its own `displayOptions`, where its value is another. */
function missingCompanion(
	contract: ResourceContract,
	field: Field,
	values: Parameters,
): string | undefined {
	for (const [name, allowed = []] of Object.entries(field.displayOptions?.show ?? {})) {
		const companion = contract.fields.find((other) => other.name === name);
		const value = values[name];
		const fits = isTextual(value) && allowed.some((one) => String(one) === String(value));
		if (!companion || fits) continue;
		const wanted = choicesOf(companion).filter((option) => allowed.includes(option.value));
		const names = wanted.map((option) => option.name).join(' or ');
		return `is set, but ${companion.displayName} is not ${names}; set it to ${names}, or remove this field`;
	}
	return undefined;
}

function encodeField(
	contract: ResourceContract,
	field: Field,
	values: Parameters,
	report: Report,
): EncodedField[] {
	const encoded = field.wire.codec(values[field.name], field);
	if (encoded instanceof Invalid) {
		report(field, encoded.reasons);
		return [];
	}
	const companion = encoded.length > 0 ? missingCompanion(contract, field, values) : undefined;
	if (companion) report(field, [companion]);
	return [{ field, values: encoded }];
}

/** The pairs of a field, as they are sent. */
export const pairsOf = ({ field, values }: EncodedField): Pair[] =>
	values.map(([suffix, text]) => [`${field.wire.key}${suffix}`, text]);

/** The text of a value that is a parameter of its own, or of its default; undefined, and reported, where it has none. */
function encodeOne(
	codec: Codec,
	property: INodeProperties,
	parameters: Parameters,
	report: Report,
): string | undefined {
	const given = parameters[property.name];
	const encoded = codec(isUnset(given) ? property.default : given, property);
	if (!(encoded instanceof Invalid)) return encoded[0]?.[1];
	report(property, encoded.reasons);
	return undefined;
}

function encodeLimit(parameters: Parameters, report: Report): number {
	if (encodeOne(flag, returnAllProperty, parameters, report) === '1') return Infinity;
	const wanted = Number(encodeOne(integer, limitProperty, parameters, report) ?? 1);
	if (wanted < 1) report(limitProperty, ['is less than 1; enter how many results to return']);
	return wanted;
}

/**
 * Encodes one row: parameters in, the request of its operation or all its problems out. Nothing is sent here, and what
 * is not set makes no pair (contract 4).
 */
export function encode(
	contract: ResourceContract,
	operation: Operation,
	parameters: Parameters,
): PlannedRequest | readonly Problem[] {
	const problems: Problem[] = [];
	const report: Report = (property, reasons) => {
		const key = contract.fields.find((field) => field === property)?.wire.key ?? property.name;
		problems.push(...reasons.map((reason) => ({ field: property.displayName, key, reason })));
	};

	const id = takesId(operation) ? encodeOne(idCodec, contract.id, parameters, report) : undefined;
	const limit = isList(operation) ? encodeLimit(parameters, report) : 1;
	const values = fieldValues(contract, operation, parameters, report);
	const fields = contract.fields.flatMap((field) => {
		if (!isUnset(values[field.name])) return encodeField(contract, field, values, report);
		const isMissing = field.required && field.wire.on[operation.value] === 'top';
		if (isMissing) report(field, ['is missing; enter a value']);
		return [];
	});
	const pairs = fields.flatMap(pairsOf);
	const { method, path, task } = operation.endpoint;
	if (method === 'PUT' && pairs.length === 0 && problems.length === 0) {
		report(collections.updateFields, ['holds no value; add at least one field to change']);
	}
	if (problems.length > 0) return problems;
	const { key } = contract;
	const filled = path.replace('{id}', encodeURIComponent(id ?? ''));
	return { task, method, path: filled, id, pairs, fields, key, limit };
}
