import type { IDataObject } from 'n8n-workflow';
import { isSame } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates, readById, targetIn } from './find';
import { findAll, readListIndex, type ListIndex } from './listIndex';
import { matchChecker, matchProblems, refusal } from './matching';
import { idIn, idLock, textLocksOf } from './resource';
import type { OperationRun, Run, Writer } from './types';

/** The resource that a row updates or deletes: its ID, and the resource if a read found it. */
export interface Target {
	readonly id: string;
	readonly resource?: IDataObject;
}

/** How the rows of a run find their resources, which must exist. */
export interface Targets extends Pick<OperationRun, 'prepare' | 'problemsOf'> {
	/**
	 * Finds the resource of a row, and locks it. Call it at the start of the row.
	 *
	 * @throws ServiceError if a read fails, or if not exactly one resource is the row's
	 */
	readonly find: (requests: RowRequests, row: EncodedRow) => Promise<Target>;
}

/**
 * Returns how rows find their resources by Match By, an address or an ID. With Match By, all are found before the first write, so
 * that a row without a resource stops the run while nothing has changed. A run writes to an ID without a read, and a dry run
 * reads the resource of each row.
 */
export function targetsOf({ first }: Run, { current, isPlanning }: Writer): Targets {
	const isMatched = first?.options.matchBy !== undefined;
	let index: ListIndex | undefined;
	const check = matchChecker();
	const pick = (row: EncodedRow, resources: readonly IDataObject[]): IDataObject => {
		const own = current(row, resources);
		const problems = isMatched ? matchProblems(row, own) : [];
		if (problems.length > 0) throw refusal(problems);
		return targetIn(row, own);
	};
	return {
		prepare: async (requests, rows) => {
			if (isMatched) index = await findAll(requests, rows);
			else if (isPlanning) index = await readListIndex(requests, rows);
		},
		problemsOf: (row) => (isMatched ? check(row, index?.candidatesFor(row) ?? []) : []),
		find: async (requests, row) => {
			const { contract, id } = row;
			await requests.locks.acquireTexts(textLocksOf(row));
			if (id !== undefined && !isMatched && !isPlanning) {
				await requests.locks.acquireLast(idLock(contract, id));
				return { id };
			}
			const listed = (index?.candidatesFor(row) ?? []).filter((each) => isSame(row, each));
			const isListed = isMatched || listed.length === 1;
			const candidates = isListed ? listed : await findCandidates(requests, row);
			const resource = pick(row, candidates);
			const found = idIn(resource) ?? '';
			if (!(await requests.locks.acquireLast(idLock(contract, found))))
				return { id: found, resource };
			// Another row may have changed the resource since it was read.
			const again = isPlanning ? candidates : [await readById(requests, contract, found)];
			return { id: found, resource: pick(row, again) };
		},
	};
}
