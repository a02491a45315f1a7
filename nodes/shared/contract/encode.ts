import type { INodeProperties } from 'n8n-workflow';
import { emptied } from './clearing';
import { id as idCodec } from './codecs/id';
import { choice, flag, integer, textOf } from './codecs/scalar';
import { collections } from './collections';
import { addedIn, draftOf, type Draft } from './draft';
import { limit as limitProperty, returnAll as returnAllProperty } from './paging';
import { pairsOf, type EncodedField, type Merge, type PlannedRequest, type Problem } from './plan';
import { isList, takesId } from './places';
import type { Row } from './reading';
import {
	Invalid,
	type Codec,
	type Field,
	type Operation,
	type Parameters,
	type Reading,
	type ResourceContract,
} from './types';
import { choicesOf, isEmpty, isRecord, isTextual, isUnset } from './values';

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

/** A field as the row wants it; nothing where it was left alone, or where it is reported. */
function encodeField(
	{ contract, operation, report }: Row,
	field: Field,
	{ values, givers, cleared }: Draft,
): EncodedField[] {
	if (cleared.has(field.name)) return [emptied(field) ?? []].flat();
	if (isEmpty(values[field.name], field)) {
		const isMissing = field.required && field.wire.on[operation.value] === 'top';
		if (isMissing) report(field, ['is missing; enter a value']);
		return [];
	}
	const encoded = field.wire.codec(values[field.name], field);
	if (encoded instanceof Invalid) {
		report(givers.get(field.name) ?? field, encoded.reasons);
		return [];
	}
	const companion = encoded.length > 0 ? missingCompanion(contract, field, values) : undefined;
	if (companion) report(field, [companion]);
	return [{ field, values: encoded }];
}

/** How a field's values go together with what the resource has, where they do not replace it. */
function mergeOf(row: Row, added: Parameters, fields: readonly EncodedField[]): Merge | undefined {
	const field = row.contract.fields.find(({ wire }) => wire.merge);
	const property = field?.wire.merge;
	if (!property || row.operation.value !== 'update') return undefined;
	const mode = encodeOne(row, choice, property, added);
	const list = fields.find((one) => one.field === field && !one.cleared);
	return list && (mode === 'add' || mode === 'remove') ? { ...list, mode } : undefined;
}

/** The text of a value that is a parameter of its own, or of its default; undefined, and reported, where it has none. */
function encodeOne(
	{ report }: Row,
	codec: Codec,
	property: INodeProperties,
	parameters: Parameters,
): string | undefined {
	const text = textOf(codec, parameters[property.name], property);
	if (!(text instanceof Invalid)) return text;
	report(property, text.reasons);
	return undefined;
}

function encodeLimit(row: Row): number {
	const { parameters, report } = row;
	if (encodeOne(row, flag, returnAllProperty, parameters) === '1') return Infinity;
	const wanted = Number(encodeOne(row, integer, limitProperty, parameters) ?? 1);
	if (wanted < 1) report(limitProperty, ['is less than 1; enter how many results to return']);
	return wanted;
}

/** What names the resource in the path: its id, or an address that it is to be found by. */
function targetOf(row: Row): Pick<PlannedRequest, 'address' | 'id'> {
	const { contract, operation, parameters, report } = row;
	if (!takesId(operation)) return {};
	const given = parameters[contract.id.name];
	if (isUnset(given)) {
		report(contract.id, ['is missing; choose one from the list, or enter its ID']);
		return {};
	}
	const isMeant = isRecord(given) && given.mode === 'url';
	const address = contract.address?.(given, contract.id, isMeant);
	if (address instanceof Invalid) {
		report(contract.id, address.reasons);
		return {};
	}
	return address ? { address } : { id: encodeOne(row, idCodec, contract.id, parameters) };
}

/**
 * Encodes one row: parameters in, the request of its operation or all its problems out. Nothing is sent here, and what
 * is not set makes no pair (contract 4).
 */
export function encode(
	contract: ResourceContract,
	operation: Operation,
	parameters: Parameters,
	reading: Reading,
): PlannedRequest | readonly Problem[] {
	const problems: Problem[] = [];
	const report: Row['report'] = (property, reasons) => {
		const key = contract.fields.find((field) => field === property)?.wire.key ?? property.name;
		problems.push(...reasons.map((reason) => ({ field: property.displayName, key, reason })));
	};
	const row: Row = { contract, operation, parameters, reading, report };

	const target = targetOf(row);
	const limit = isList(operation) ? encodeLimit(row) : 1;
	const added = addedIn(row);
	const draft = draftOf(row, added);
	const encoded = contract.fields.flatMap((field) => encodeField(row, field, draft));
	const merge = mergeOf(row, added, encoded);
	const fields = encoded.filter(({ field }) => field !== merge?.field);

	const { method, path, task } = operation.endpoint;
	// A create has nothing to clear; an upsert clears only what it finds.
	const sent = method === 'POST' ? fields.filter(({ cleared }) => !cleared) : fields;
	const pairs = sent.flatMap(pairsOf);
	if (method === 'PUT' && pairs.length === 0 && !merge && problems.length === 0) {
		report(collections.updateFields, ['holds no value; fill in at least one field to change']);
	}
	if (problems.length > 0) return problems;
	const filled =
		target.id === undefined ? path : path.replace('{id}', encodeURIComponent(target.id));
	return { ...target, task, method, path: filled, pairs, fields, merge, key: contract.key, limit };
}
