import type { IDataObject } from 'n8n-workflow';
import { isDefaultMatch } from '../contract/matchBy';
import type { RowRequests } from '../transport/rowRequests';
import { AnswerChecks } from './answerChecks';
import { plannedReconcile } from './dryRunPlan';
import { findCandidates } from './find';
import { inferKeys, type KeyedRow } from './inferKey';
import { isInterpretationDecisive } from './interpretations';
import { matchProblems, problemsOfMatches, type Candidates, type RowProblems } from './matching';
import { reconcile, stepFor, type ResourceChecks } from './reconcile';
import { repeatAll, type OperationRun, type Run } from './types';
import { keyLockOf, lockOf, type EncodedRow } from '../contract/encodedRow';

/** The resources that exist before the first write. */
export interface Existing {
	readonly candidatesFor: Candidates;
	readonly resources: readonly IDataObject[];
	/** The resources of the list that show which unique keys it has; empty if no list was read. */
	readonly keys: readonly IDataObject[];
	/** Returns the lock of a row whose alias or name differs from that of a resource only in case. */
	readonly caseLockOf?: (row: EncodedRow) => string | undefined;
}

/** How an operation reconciles its rows with the service. */
interface Reconciliation {
	/** Returns undefined if each row looks up its own resource. */
	readonly readExisting: (requests: RowRequests) => Promise<Existing | undefined>;
	/** Returns checks that refuse a resource. */
	readonly checksFor?: (row: EncodedRow) => ResourceChecks;
}

/** Returns the estimated number of requests of a row. */
export function estimatedRequests(row: EncodedRow, existing: Existing | undefined): number {
	const candidates = existing?.candidatesFor(row);
	if (!candidates || candidates.length > 1) return 2;
	if (matchProblems(row, candidates).length > 0) return 0;
	const step = stepFor(row, candidates);
	return step.existing && step.changes.length === 0 ? 0 : 1;
}

/** Starts an operation that compares each row with the resource that exists, and writes the fields that differ. */
export function reconcileRows(
	{ contract, rows, hasStray }: Run,
	{ readExisting, checksFor }: Reconciliation,
): OperationRun {
	const answers = new AnswerChecks(contract, hasStray);
	let existing: Existing | undefined;
	let inferred: ReadonlyMap<EncodedRow, KeyedRow> = new Map();
	let problems: RowProblems = new Map();
	const keyed = (row: EncodedRow): EncodedRow => inferred.get(row)?.row ?? row;
	return {
		recovery: repeatAll,
		prepare: async (requests) => {
			existing = await readExisting(requests);
			inferred = await inferKeys(requests, rows, existing?.keys ?? []);
			const keyedRows = rows.map(keyed);
			const [first] = keyedRows;
			if (existing && first) {
				answers.noteExisting(first, existing.resources);
				answers.interpretations.addList(keyedRows, existing.candidatesFor);
			}
			// With the default match, a row whose resource is ambiguous fails when it is executed.
			if (existing && keyedRows.some((row) => !isDefaultMatch(row))) {
				problems = problemsOfMatches(keyedRows, existing.candidatesFor);
			}
		},
		problemsOf: (row) => [
			...(inferred.get(row)?.problems ?? []),
			...(problems.get(keyed(row)) ?? []),
		],
		isDeferred: (row) =>
			existing !== undefined && isInterpretationDecisive(keyed(row), existing.candidatesFor),
		execute: async (requests, ownRow) => {
			const row = keyed(ownRow);
			const caseLock = existing?.caseLockOf?.(row);
			const isOutdated = await requests.lock(lockOf(row), keyLockOf(row), caseLock);
			// Match By treats them as the same resource, but the service accepts both.
			const mustLookUp = isOutdated && !isDefaultMatch(row);
			const candidates = mustLookUp ? undefined : existing?.candidatesFor(row);
			return await reconcile(requests, row, candidates, { answers, ...checksFor?.(row) });
		},
		requestsFor: (row) => estimatedRequests(answers.interpretations.applyTo(keyed(row)), existing),
		plan: async (requests, ownRow) => {
			await requests.lock(undefined);
			const row = answers.interpretations.applyTo(keyed(ownRow));
			const candidates = existing?.candidatesFor(row) ?? (await findCandidates(requests, row));
			const step = stepFor(row, candidates);
			answers.noteSent(row, step.existing ? step.changes : row.fields);
			return plannedReconcile(row, step);
		},
		notes: () => answers.notes(),
	};
}
