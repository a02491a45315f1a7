import { clearedBy, clearFields, clearFieldsName } from './clearing';
import { collections } from './collections';
import { clearedByEmptiness } from './emptiness';
import { collectionOf } from './places';
import type { Row } from './reading';
import { Invalid, type Aid, type Parameters, type Place } from './types';
import { isEmpty, isRecord, isUnset } from './values';

/** What a row wants of the fields. */
export interface Draft {
	/** Values by field name; what was left alone has an empty text. */
	readonly values: Parameters;
	/** The aids that gave values, by the names of the fields that have them: what is wrong with those stands there. */
	readonly givers: ReadonlyMap<string, Aid>;
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

/** The names of the fields that Clear Fields names. */
function clearedByName({ contract, operation, parameters, report }: Row): readonly string[] {
	const value = operation.value === 'update' ? parameters[clearFieldsName] : undefined;
	const property = isUnset(value) ? undefined : clearFields(contract);
	if (!property || isEmpty(value, property)) return [];
	const names = clearedBy(contract, value, property);
	if (!(names instanceof Invalid)) return names;
	report(property, names.reasons);
	return [];
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
	const givers = new Map<string, Aid>();
	for (const aid of contract.aids ?? []) {
		const value = valueAt(aid.name, aid.aid.on[operation.value]);
		if (isEmpty(value, aid)) continue;
		const given = givenBy(row, aid, value, values);
		values = { ...values, ...given };
		for (const name of aid.aid.gives) if (Object.hasOwn(given, name)) givers.set(name, aid);
	}
	const cleared = new Set([...clearedByName(row), ...clearedByEmptiness(row, added)]);
	for (const field of contract.fields) {
		if (cleared.has(field.name) && !isEmpty(values[field.name], field)) {
			report(field, ['is set and cleared at the same time; do one of the two']);
		}
	}
	return { values, givers, cleared };
}
