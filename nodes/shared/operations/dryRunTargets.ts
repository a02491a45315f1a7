import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import { isSame } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { findReferenced, readById } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import type { OperationRun, Result, Run } from './types';

/** Returns the resource of a row in the list; undefined if the list does not have exactly one. */
function listedFor(row: EncodedRow, known: ListIndex | undefined): IDataObject | undefined {
	const candidates = known?.candidatesFor(row) ?? [];
	const [one, ...others] = candidates.filter((resource) => isSame(row, resource));
	return others.length === 0 ? one : undefined;
}

/** Reads the resource of a row by its ID, or by what else is known of it. */
const readTarget = async (requests: RowRequests, row: EncodedRow): Promise<IDataObject> =>
	row.reference
		? await findReferenced(requests, row, row.reference)
		: await readById(requests, row.contract, row.id ?? '');

/** Returns what would become of a row, given its resource or why it cannot be read. */
type PlanTarget = (row: EncodedRow, found: IDataObject | ServiceError) => Result;

/** Returns the dry run of an operation whose rows name one resource each. */
export function planTargets(
	{ rows, showsTable }: Run,
	plan: PlanTarget,
): Pick<OperationRun, 'plan' | 'preparePlan'> {
	if (!showsTable) return {};
	let known: ListIndex | undefined;
	return {
		preparePlan: async (requests) => {
			known = await readListIndex(requests, rows, undefined);
		},
		plan: async (requests, row) => {
			await requests.lock(undefined);
			const listed = listedFor(row, known);
			return plan(row, listed ?? (await settled(readTarget(requests, row))));
		},
	};
}
