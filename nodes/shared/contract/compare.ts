import { groupsOf } from './clearing';
import { fieldsNamed, type EncodedField, type EncodedRow } from './encodeRow';
import { Invalid, type EncodeOptions, type Field, type Resource, type WireValue } from './types';
import { isEmpty, isUnset } from './values';

/** Texts in an order of their own where the service keeps none: the ids of an array. */
const comparable = (values: readonly WireValue[]) => {
	const isArray = values.every(([suffix]) => suffix === '[]');
	const texts = values.map((value) => JSON.stringify(value));
	return (isArray ? texts.sort() : texts).join();
};

/** What a resource holds of a field: undefined where its description does not tell, null where it holds nothing. */
const heldOf = (field: Field, resource: Resource, options: EncodeOptions): unknown =>
	field.wire.fromResponse ? field.wire.fromResponse(resource, options) : resource[field.wire.key];

/**
 * Whether a resource holds what a field was encoded to; undefined where its description does not tell. Of a secret only
 * whether there is one comes back (assumption: one resource).
 */
export function holds(
	{ field, values, cleared }: EncodedField,
	resource: Resource,
	options: EncodeOptions,
): boolean | undefined {
	const held = heldOf(field, resource, options);
	if (held === undefined) return undefined;
	const isNothing = isEmpty(held, field) || (field.typeOptions?.password && held === false);
	if (cleared) return Boolean(isNothing);
	if (isNothing) return false;
	if (field.typeOptions?.password) return undefined;
	const encoded = field.wire.codec(held, field);
	return encoded instanceof Invalid ? undefined : comparable(encoded) === comparable(values);
}

/** Whether a resource is the one that a row speaks of: it surely has all that the row gave of what makes it unique. */
export const isSame = (row: EncodedRow, resource: Resource): boolean =>
	fieldsNamed(row, row.contract.key.uniqueBy).every(
		(field) => holds(field, resource, row.options) === true,
	);

/**
 * The fields of a row that a resource does not surely hold, beside those that make it unique. Fields that make sense
 * together only are all there as soon as one of them is.
 */
export function differences(row: EncodedRow, resource: Resource): EncodedField[] {
	const { contract, fields, options } = row;
	const comparedFields = fields.filter(
		({ field }) => !contract.key.uniqueBy.includes(field.wire.key),
	);
	const different = comparedFields.filter((field) => holds(field, resource, options) !== true);
	const names = new Set(different.map(({ field }) => field.name));
	for (const { derive } of groupsOf(contract)) {
		if (derive.sets.some((name) => names.has(name))) derive.sets.forEach((name) => names.add(name));
	}
	return comparedFields.filter(({ field }) => names.has(field.name));
}

/**
 * Whether a resource may be what a create of this row made: no value that can be compared is another, neither of those
 * that the row sent nor of those that the contract states for a create which does not send them (2.1).
 */
export function mayBeCreatedBy(row: EncodedRow, resource: Resource): boolean {
	const { contract, fields, options } = row;
	const unsent = contract.fields.filter(
		(field) => !fields.some((one) => one.field === field && !one.cleared),
	);
	const defaults = unsent.flatMap((field): EncodedField[] =>
		field.wire.createDefault === undefined || isUnset(heldOf(field, resource, options))
			? []
			: [{ field, values: [['', field.wire.createDefault]] }],
	);
	const sent = fields.filter(({ cleared }) => !cleared);
	return [...sent, ...defaults].every((field) => holds(field, resource, options) !== false);
}
