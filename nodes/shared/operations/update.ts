import type { IDataObject } from 'n8n-workflow';
import { changesTo, currentValue, differences, encodeCurrentValue } from '../contract/compare';
import { clearing } from '../contract/encode';
import { mergeList, type EncodedRow, type ListChange } from '../contract/encodedRow';
import { Invalid } from '../contract/types';
import type { EncodedField } from '../contract/resourceTypes';
import { operationTable } from '../contract/operations';
import { earlyRejection } from '../transport/failures';
import { readById } from './find';
import { changeOf, isCompared, targetsOf } from './targets';
import type { OperationCode } from './types';

/**
 * Returns the entries of a resource's list. Null is an empty list (assumption: one resource). Any other value than a list
 * of known entries could hide entries, which the write would then remove.
 *
 * @throws ServiceError if the service does not return all entries
 */
function currentEntries(row: EncodedRow, { field }: ListChange, resource: IDataObject) {
	const { contract, options } = row;
	const current = currentValue(field, resource, options.timeZone);
	if (current === null) return [];
	const encoded = Array.isArray(current) ? encodeCurrentValue(field, current) : undefined;
	if (encoded !== undefined && !(encoded instanceof Invalid)) return encoded;
	const form = current === undefined ? '' : ' in a known form';
	throw earlyRejection(
		`The service does not return the ${field.displayName} of the ${contract.value}${form}, so the node cannot add or remove values`,
		`Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and set all values of the ${contract.value}.`,
	);
}

/** Returns the lists to write after values were added or removed. */
const changedLists = (row: EncodedRow, resource: IDataObject): EncodedField[] =>
	row.changes.flatMap((change): EncodedField[] => {
		const { field } = change;
		const merged = mergeList(change, currentEntries(row, change, resource));
		if (merged === undefined) return [];
		return merged.length > 0 ? [{ field, values: merged }] : [clearing(field)];
	});

/**
 * Returns the fields to write: those that differ with columns, and if Disable or Enable has searched the resource. Update writes
 * all fields of the form to the resource of an ID or address. Lists that gain or lose values need the resource.
 */
function fieldsToWrite(row: EncodedRow, before: IDataObject | undefined): readonly EncodedField[] {
	if (!before) return row.fields;
	const isSwitched = operationTable[row.operation].disables !== undefined;
	const isSearched = isSwitched && row.reference !== undefined;
	// Without Match By, no field of the row identifies the resource.
	const differing = row.options.matchBy === undefined ? changesTo : differences;
	const fields = isCompared(row) || isSearched ? differing(row, before) : row.fields;
	return [...fields, ...changedLists(row, before)];
}

/**
 * Changes the fields of a resource that the row sets or clears. If these depend on the values of the resource, it reads the
 * resource first. Rows with the same resource run one after the other. Disable and Enable are updates of one field.
 */
export const update: OperationCode = (run, writer) => {
	const { find, ...targets } = targetsOf(run, writer);
	return {
		...targets,
		execute: async (requests, row) => {
			const { id, before: found } = await find(requests, row);
			const mustRead = row.changes.length > 0 && !writer.isPlanning;
			const before = mustRead ? await readById(requests, row.contract, id) : found;
			const fields = fieldsToWrite(row, before);
			const [outcome = 'updated'] = operationTable[row.operation].outcomes ?? [];
			const change = changeOf(outcome, fields);
			return await writer.write(requests, row, { ...change, id, before });
		},
	};
};
