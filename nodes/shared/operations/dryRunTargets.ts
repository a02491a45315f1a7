import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/failures';
import { findReferenced, readById } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import type { OperationRun, Result, Run } from './types';
import type { EncodedRow } from '../contract/encodedRow';

/** Returns the resource of a row in the list; undefined if the list does not have exactly one. */
function listedFor(row: EncodedRow, index: ListIndex | undefined): IDataObject | undefined {
	const candidates = index?.candidatesFor(row) ?? [];
	const [match, ...more] = candidates.filter((resource) => isSame(row, resource));
	return more.length === 0 ? match : undefined;
}

/** Reads the resource of a row by its ID or address. */
const readTarget = async (requests: RowRequests, row: EncodedRow): Promise<IDataObject> =>
	row.reference
		? await findReferenced(requests, row, row.reference)
		: await readById(requests, row.contract, row.id ?? '');

/** Returns the plan of a row, given its resource or the reason why it cannot be read. */
type PlanTarget = (row: EncodedRow, target: IDataObject | ServiceError) => Result;

/** Returns the dry run of an operation whose rows have the ID or address of a resource. */
export function planTargets(
	{ rows, isDryRun }: Run,
	plan: PlanTarget,
): Pick<OperationRun, 'plan' | 'preparePlan'> {
	// Plans keep the rows, and a run must not.
	if (!isDryRun) return {};
	let index: ListIndex | undefined;
	return {
		preparePlan: async (requests) => {
			index = await readListIndex(requests, rows, undefined);
		},
		plan: async (requests, row) => {
			await requests.lock(undefined);
			const listed = listedFor(row, index);
			return plan(row, listed ?? (await settled(readTarget(requests, row))));
		},
	};
}
