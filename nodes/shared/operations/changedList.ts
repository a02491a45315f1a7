import type { IDataObject } from 'n8n-workflow';
import { comparedValue } from '../contract/compare';
import { encodeCurrentValue } from '../contract/currentValue';
import type { EncodedRow, ListChange } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { mergeList } from '../contract/listChanges';
import { Invalid, type WireValue } from '../contract/types';
import { choicesOf, isUnset } from '../contract/values';
import { rejection } from '../transport/serviceError';

/** Returns the failure of a row if the service does not return a value that the change depends on. */
const notReturned = (
	{ contract }: EncodedRow,
	{ field }: ListChange,
	{ displayName }: Field,
	form: string,
) =>
	rejection(
		`The service does not return the ${displayName} of the ${contract.value}${form}, so the node cannot add or remove values`,
		`Nothing was changed. Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and set all values of the ${contract.value}.`,
	);

const unknownForm = ' in a known form';

/**
 * Returns the entries of a resource's list. Null is an empty list (assumption: one resource). Any other value than a list
 * of known entries could hide entries, which the write would then remove.
 *
 * @throws ServiceError if the service does not return all entries
 */
function currentEntries(
	row: EncodedRow,
	change: ListChange,
	list: Field,
	resource: IDataObject,
): readonly WireValue[] {
	const current = comparedValue(list, resource, row);
	if (current === null) return [];
	if (current === undefined) throw notReturned(row, change, list, '');
	const encoded = Array.isArray(current) ? encodeCurrentValue(list, current) : undefined;
	if (encoded !== undefined && !(encoded instanceof Invalid)) return encoded;
	throw notReturned(row, change, list, unknownForm);
}

/**
 * Returns the implied field if a resource has another value of it; undefined if it has this value.
 *
 * @throws ServiceError if the service does not return the value, or if the new value would turn off other entries
 */
function changedImplied(
	row: EncodedRow,
	change: ListChange,
	implied: EncodedField,
	resource: IDataObject,
): EncodedField | undefined {
	const { field, values } = implied;
	const shown = comparedValue(field, resource, row);
	if (shown === undefined) throw notReturned(row, change, field, '');
	// A field that the service returns as null has its default (contract 2.1).
	const encoded = encodeCurrentValue(field, isUnset(shown) ? field.wire.createDefault : shown);
	if (encoded instanceof Invalid) throw notReturned(row, change, field, unknownForm);
	const [[, current] = []] = encoded;
	if (current === values[0]?.[1]) return undefined;
	const other = row.contract.fields.find(
		({ wire }) => wire.implies?.[0] === field.name && wire.implies[1] === current,
	);
	if (!other || currentEntries(row, change, other, resource).length === 0) return implied;
	const choice = choicesOf(field).find(({ value }) => String(value) === current)?.name ?? '';
	const mode = change.field.wire.merge?.displayName ?? 'the mode';
	throw rejection(
		`The ${row.contract.value} has ${other.displayName} (${field.displayName} ${choice}), and adding ${change.field.displayName} would turn them off`,
		`Nothing was changed. Remove the ${other.displayName} first, or set ${mode} to Replace.`,
	);
}

/**
 * Returns the fields to write after values were added to a list or removed from it: the whole list, and the field that
 * it implies if this differs. Empty if nothing changes. Removing values never changes the implied field.
 *
 * @throws ServiceError if the service does not return the list, or if the change would turn off another list
 */
export function changedList(
	row: EncodedRow,
	change: ListChange,
	resource: IDataObject,
): readonly EncodedField[] {
	const { field, mode, implied } = change;
	const current = currentEntries(row, change, field, resource);
	const other =
		mode === 'add' && implied ? changedImplied(row, change, implied, resource) : undefined;
	const merged = mergeList(change, current);
	if (merged === undefined && other === undefined) return [];
	const values = merged ?? current;
	const list =
		values.length > 0
			? { field, values }
			: { field, values: field.wire.empty ?? [], cleared: true };
	return [list, ...(other ? [other] : [])];
}
