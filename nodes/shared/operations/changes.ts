import type { IDataObject } from 'n8n-workflow';
import { differences, comparedValue } from '../contract/compare';
import { fieldsNamed, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, RowRewrite, Field } from '../contract/fieldTypes';
import { rewritten, tooLongIn } from '../contract/rewrite';
import { Invalid, type WireValue } from '../contract/types';
import { encodeCurrentValue } from '../contract/currentValue';
import { isEmpty, isUnset } from '../contract/values';
import { changedList } from './changedList';
import { rejection } from '../transport/serviceError';

/** Returns whether the fields that a row writes depend on the resource, so that it is read first. */
export const readsFirst = ({ changes, rewrite }: EncodedRow): boolean =>
	changes.length > 0 || rewrite !== undefined;

/** Returns the failure of a row that rewrites a field if the service does not return it in a known form. */
const notShown = (field: Field, { contract }: EncodedRow, { source, fields }: RowRewrite) =>
	rejection(
		`The service does not return the ${field.displayName} of the ${contract.value} in a known form, so the node cannot apply ${source.displayName}`,
		`Nothing was changed. Set ${fields[0]?.displayName ?? field.displayName} in the item as well, so that the node does not need the value of the ${contract.value}.`,
	);

/**
 * Returns the values of a field of a resource; an empty list if the field is empty.
 *
 * @throws ServiceError if the service does not return them
 */
function currentListValues(
	field: Field,
	resource: IDataObject,
	row: EncodedRow,
	rewrite: RowRewrite,
): readonly WireValue[] {
	const shown = comparedValue(field, resource, row);
	const { createDefault } = field.wire;
	// An empty field has its default (contract 2.1). Without a default, it cannot be empty, so the service did not return it.
	const current = isUnset(shown) && shown !== undefined ? createDefault : shown;
	if (current === undefined) throw notShown(field, row, rewrite);
	if (isEmpty(current, field)) return [];
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid) throw notShown(field, row, rewrite);
	return encoded;
}

/** Returns whether a field is active after the write. Another field can decide this, such as the target type. */
function isInForce(
	{ wire }: Field,
	resource: IDataObject,
	row: EncodedRow,
	rewrite: RowRewrite,
): boolean {
	const [name, expected] = wire.implies ?? [];
	const decisive = row.contract.fields.find((field) => field.name === name);
	if (!decisive) return true;
	const [written] = fieldsNamed(row, [decisive.wire.key]);
	const values = written?.values ?? currentListValues(decisive, resource, row, rewrite);
	return values[0]?.[1] === expected;
}

/**
 * Returns the fields of a resource that a row's rewrite changes.
 *
 * @throws ServiceError if the service does not return them, or if a text would be too long
 */
function rewrittenFields(
	row: EncodedRow,
	rewrite: RowRewrite,
	resource: IDataObject,
): EncodedField[] {
	const isInRow = (field: Field) => row.fields.some((each) => each.field === field);
	const before = rewrite.fields
		.filter((field) => !isInRow(field) && isInForce(field, resource, row, rewrite))
		.map(
			(field): EncodedField => ({
				field,
				values: currentListValues(field, resource, row, rewrite),
			}),
		);
	const after = before.map((field) => rewritten(rewrite, field));
	const changed = differences({ ...row, fields: after }, resource).filter(
		({ values }) => values.length > 0,
	);
	for (const rewrittenField of changed) {
		const { field } = rewrittenField;
		const old = before.find((each) => each.field === field) ?? rewrittenField;
		const [reason] = tooLongIn(rewrite, old, rewrittenField);
		if (reason !== undefined) {
			throw rejection(
				`${field.displayName} ${reason}`,
				`Nothing was changed. The address belongs to the ${row.contract.value}, not to the item.`,
			);
		}
	}
	return changed;
}

/**
 * Returns the fields that an update writes: fields that the row sets or clears, a list with added or removed values, and
 * texts of the resource that the row rewrites. Empty if nothing changes.
 *
 * @throws ServiceError if the service does not return the values that these depend on
 */
export function changesFor(row: EncodedRow, resource: IDataObject): readonly EncodedField[] {
	const { changes, fields, rewrite } = row;
	const lists = changes.flatMap((change) => changedList(row, change, resource));
	const texts = rewrite ? rewrittenFields(row, rewrite, resource) : [];
	return [...fields, ...lists, ...texts];
}

/** Returns the values that a response to an update must not contradict, although the update may not have sent them. */
