import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/compare';
import { type EncodedRow, idLock, keyLockOf, lockOf } from '../contract/encodedRow';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates, findReferenced, readById, targetIn } from './find';
import { findMatches, readListIndex, ListIndex } from './listIndex';
import { problemsOfMatches, type RowProblems } from './matching';
import { idIn } from './resource';
import type { OperationRun, Run, Writer } from './types';

/** The resource that a row updates or deletes. */
export interface Target {
	readonly id: string;
	/** The resource, if a read found it. */
	readonly resource?: IDataObject;
	/** Whether the resource may have changed since the read. */
	readonly isOutdated: boolean;
}

/** How the rows of a run find their resources, which must exist. */
export interface Targets extends Pick<OperationRun, 'prepare' | 'problemsOf'> {
	/**
	 * Finds the resource of a row, and locks it.
	 *
	 * @throws ServiceError if a read fails, or if not exactly one resource has the ID or address
	 */
	readonly find: (requests: RowRequests, row: EncodedRow) => Promise<Target>;
}

/** Locks the resource of a row in a run. */
async function locked(
	requests: RowRequests,
	{ contract, id: own = '' }: EncodedRow,
	resource?: IDataObject,
): Promise<Target> {
	const id = idIn(resource) ?? own;
	return { id, resource, isOutdated: await requests.lock(idLock(contract, id)) };
}

/**
 * A row with an ID needs no read, and a row with an address needs a search. Another row may have changed the address since the
 * search, so the row reads the resource again.
 */
const targetsById: Targets = {
	find: async (requests, row) => {
		const target = await locked(requests, row, await findReferenced(requests, row));
		if (!row.reference || !target.isOutdated) return target;
		const resource = await readById(requests, row.contract, target.id);
		return { id: target.id, resource: targetIn(row, [resource]), isOutdated: false };
	},
};

/** A dry run reads the resource of each row; for many rows, it reads the list. */
function plannedTargets({ rows }: Run, { current }: Writer): Targets {
	let index: ListIndex | undefined;
	return {
		prepare: async (requests) => {
			index = await readListIndex(requests, rows, undefined);
		},
		find: async (requests, row) => {
			await requests.lock(lockOf(row), keyLockOf(row));
			const listed = index?.candidatesFor(row) ?? [];
			const candidates = listed.length === 1 ? listed : await findCandidates(requests, row);
			const resource = targetIn(row, current(row, candidates));
			return { id: idIn(resource) ?? '', resource, isOutdated: false };
		},
	};
}

/** Returns how rows with an ID or address find their resources. */
export const targetsOf = (run: Run, writer: Writer): Targets =>
	// Plans keep the rows, and a run must not.
	writer.isPlanning ? plannedTargets(run, writer) : targetsById;

/**
 * Returns how rows find their resources by Match By. All are found before the first write, so that a row without a resource
 * stops the run while nothing has changed.
 */
export function matchedTargets({ rows }: Run, { current, isPlanning }: Writer): Targets {
	let index = new ListIndex([], undefined);
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			index = await findMatches(requests, rows);
			problems = problemsOfMatches(rows, index.candidatesFor);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		find: async (requests, row) => {
			const matches = index.candidatesFor(row).filter((resource) => isSame(row, resource));
			const [resource] = current(row, matches);
			if (!isPlanning) return await locked(requests, row, resource);
			await requests.lock(lockOf(row), keyLockOf(row));
			return { id: idIn(resource) ?? '', resource, isOutdated: false };
		},
	};
}
