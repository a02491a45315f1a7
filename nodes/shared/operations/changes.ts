import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { changedList } from './changedList';

/** Returns whether the fields that a row writes depend on the resource, so that it is read first. */
export const readsFirst = ({ changes }: EncodedRow): boolean => changes.length > 0;

/**
 * Returns the fields that an update writes: fields that the row sets or clears, and lists with added or removed values.
 * Empty if nothing changes.
 *
 * @throws ServiceError if the service does not return the values that these depend on
 */
export const changesFor = (row: EncodedRow, resource: IDataObject): readonly EncodedField[] => [
	...row.fields,
	...row.changes.flatMap((change) => changedList(row, change, resource)),
];

/** Returns the values that a response to an update must not contradict, although the update may not have sent them. */
