import type { INodeProperties } from 'n8n-workflow';
import { clearables, clearedBy, clearFields } from './clearing';
import { collections } from './collections';
import { collectionOf } from './places';
import {
	Invalid,
	type Aid,
	type Operation,
	type Parameters,
	type Place,
	type Reading,
	type ResourceContract,
} from './types';
import { isEmpty, isRecord, isUnset } from './values';

/** Collects problems while the parts of a row are read. */
export type Report = (property: INodeProperties, reasons: readonly string[]) => void;

/** One row as it is being read. */
export interface Row {
	readonly contract: ResourceContract;
	readonly operation: Operation;
	readonly parameters: Parameters;
	readonly reading: Reading;
	readonly report: Report;
}

/** What a row wants of the fields. */
export interface Draft {
	/** Values by field name; what was left alone has an empty text. */
	readonly values: Parameters;
	/** Names of the fields that are to be emptied. */
	readonly cleared: ReadonlySet<string>;
}

/** The optional fields of a row, as they were added in the form. */
export function addedIn({ contract, operation, parameters, report }: Row): Parameters {
	const name = collectionOf(contract, operation.value);
	const collection = name === undefined ? {} : parameters[name];
	if (isRecord(collection)) return collection;
	if (name && !isUnset(collection)) {
		report(collections[name], ['is not a set of fields; add the fields one by one in the form']);
	}
	return {};
}

/** The names of the fields that an empty value of a field that was added stands for clearing, where it is meant so. */
function clearedByEmptiness(row: Row, added: Parameters): string[] {
	const { contract, operation, reading, report } = row;
	if (reading.emptyValues === 'skip') return [];
	const known = clearables(contract, operation.value);
	const empty = [...contract.fields, ...(contract.aids ?? [])].filter(
		(property) => Object.hasOwn(added, property.name) && isEmpty(added[property.name], property),
	);
	return empty.flatMap((property) => {
		const clearable = known.find(({ name }) => name === property.name);
		if (reading.emptyValues === 'fail') {
			report(property, ['is empty; fill it in, or change Empty Values under Options']);
		} else if (!clearable) {
			report(property, ['is empty, and the service cannot clear it; fill it in, or leave it out']);
		}
		return clearable?.fields ?? [];
	});
}

/** The names of the fields that a row wants emptied, by name or by an empty value. */
function clearedIn(row: Row, added: Parameters): Set<string> {
	const { contract, operation, parameters, report } = row;
	const property = operation.value === 'update' ? clearFields(contract) : undefined;
	const value = property && parameters[property.name];
	const named = property && !isEmpty(value, property) ? clearedBy(contract, value, property) : [];
	if (property && named instanceof Invalid) report(property, named.reasons);
	const names = named instanceof Invalid ? [] : named;
	return new Set([...names, ...clearedByEmptiness(row, added)]);
}

/** The field beside an aid that sets the same, if there is one. */
function rival({ contract }: Row, { aid }: Aid, values: Parameters) {
	return contract.fields.find(
		(field) => aid.gives.includes(field.name) && !isEmpty(values[field.name], field),
	);
}

/** The values of fields that an aid gives. */
function givenBy(row: Row, aid: Aid, value: unknown, values: Parameters): Parameters {
	const other = rival(row, aid, values);
	const given = aid.aid.read(value, aid, values, row.reading);
	if (other) row.report(aid, [`sets the same as ${other.displayName}; keep one of the two`]);
	if (!(given instanceof Invalid)) return given;
	row.report(aid, given.reasons);
	return {};
}

/** Reads what a row wants of the fields, each value from the place where the operation has it and from nowhere else. */
export function draftOf(row: Row, added: Parameters): Draft {
	const { contract, operation, parameters, report } = row;
	const valueAt = (name: string, place: Place | undefined): unknown => {
		const holder = place === 'top' ? parameters : added;
		return place && Object.hasOwn(holder, name) ? holder[name] : '';
	};
	const own = contract.fields.map(({ name, wire }) => [
		name,
		valueAt(name, wire.on[operation.value]),
	]);
	let values: Parameters = Object.fromEntries(own);
	for (const aid of contract.aids ?? []) {
		const value = valueAt(aid.name, aid.aid.on[operation.value]);
		if (!isEmpty(value, aid)) values = { ...values, ...givenBy(row, aid, value, values) };
	}
	const cleared = clearedIn(row, added);
	for (const field of contract.fields) {
		if (cleared.has(field.name) && !isEmpty(values[field.name], field)) {
			report(field, ['is set and cleared at the same time; do one of the two']);
		}
	}
	return { values, cleared };
}
