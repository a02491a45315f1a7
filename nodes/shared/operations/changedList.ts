import type { IDataObject } from 'n8n-workflow';
import { comparedValue } from '../contract/compare';
import { encodeCurrentValue } from '../contract/currentValue';
import type { EncodedRow, ListChange } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { mergeList } from '../contract/listChanges';
import { Invalid, type WireValue } from '../contract/types';
import { rejection } from '../transport/failures';

/**
 * Returns the entries of a resource's list. Null is an empty list (assumption: one resource). Any other value than a list
 * of known entries could hide entries, which the write would then remove.
 *
 * @throws ServiceError if the service does not return all entries
 */
function currentEntries(
	row: EncodedRow,
	{ field }: ListChange,
	resource: IDataObject,
): readonly WireValue[] {
	const { contract } = row;
	const current = comparedValue(field, resource, row);
	if (current === null) return [];
	const encoded = Array.isArray(current) ? encodeCurrentValue(field, current) : undefined;
	if (encoded !== undefined && !(encoded instanceof Invalid)) return encoded;
	const form = current === undefined ? '' : ' in a known form';
	throw rejection(
		`The service does not return the ${field.displayName} of the ${contract.value}${form}, so the node cannot add or remove values`,
		`Nothing was changed. Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and set all values of the ${contract.value}.`,
	);
}

/**
 * Returns the field to write after values were added to a list or removed from it: the whole list. Empty if nothing changes.
 *
 * @throws ServiceError if the service does not return the list
 */
export function changedList(
	row: EncodedRow,
	change: ListChange,
	resource: IDataObject,
): readonly EncodedField[] {
	const { field } = change;
	const merged = mergeList(change, currentEntries(row, change, resource));
	if (merged === undefined) return [];
	return merged.length > 0
		? [{ field, values: merged }]
		: [{ field, values: field.wire.empty ?? [], cleared: true }];
}
