import type { IDataObject } from 'n8n-workflow';
import { keyLockOf, lockOf, type EncodedRow } from '../contract/encodedRow';
import { isSame } from '../contract/compare';
import { settled, type ServiceError } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { ambiguousMatch, findCandidates, noTarget } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import type { OperationRun, Result, Run } from './types';
import type { Writer } from './writer';

/**
 * Returns the resource with the ID or address of a row, as it is after the writes of earlier rows.
 *
 * @throws ServiceError if a read fails, or if not exactly one resource has the ID or address
 */
async function readTarget(
	requests: RowRequests,
	row: EncodedRow,
	index: ListIndex | undefined,
	{ current }: Writer,
): Promise<IDataObject> {
	const listed = (index?.candidatesFor(row) ?? []).filter((each) => isSame(row, each));
	const candidates = listed.length === 1 ? listed : await findCandidates(requests, row);
	const [match, ...more] = current(row, candidates).filter((each) => isSame(row, each));
	if (!match) throw noTarget(row);
	if (row.reference && more.length > 0) throw ambiguousMatch(row, row.reference, [match, ...more]);
	return match;
}

/** Returns the plan of a row, given its resource or the reason why it cannot be read. */
type PlanTarget = (
	requests: RowRequests,
	row: EncodedRow,
	target: IDataObject | ServiceError,
) => Promise<Result>;

/**
 * Returns the dry run of an operation whose rows have the ID or address of a resource. It reads the resource of each row; many
 * rows read the list.
 */
export function planTargets(
	{ rows }: Run,
	writer: Writer,
	plan: PlanTarget,
): Pick<OperationRun, 'execute' | 'prepare'> {
	let index: ListIndex | undefined;
	return {
		prepare: async (requests) => {
			index = await readListIndex(requests, rows, undefined);
		},
		execute: async (requests, row) => {
			await requests.lock(lockOf(row), keyLockOf(row));
			return await plan(requests, row, await settled(readTarget(requests, row, index, writer)));
		},
	};
}
