import { lockOf, keyLockOf, type EncodedRow } from '../contract/encodedRow';
import { isDefaultMatch } from '../contract/matchBy';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { AnswerChecks } from './answerChecks';
import { inferKey } from './inferKey';
import { findCandidates } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import { reconcile, stepFor, forbiddenIn } from './reconcile';
import {
	findMatches,
	matchProblems,
	problemsOfMatches,
	type Candidates,
	type RowProblems,
} from './matching';
import type { OperationHandler } from './types';
import { plannedReconcile } from './dryRunPlan';
import { isInterpretationDecisive } from './interpretations';

/** About so many requests a row takes, given what is known of it. */
export function estimatedRequests(row: EncodedRow, candidatesFor: Candidates | undefined): number {
	const candidates = candidatesFor?.(row);
	if (!candidates || candidates.length > 1) return 2;
	if (matchProblems(row, candidates).length > 0) return 0;
	const { existing, changes } = stepFor(row, candidates);
	return existing && changes.length === 0 ? 0 : 1;
}

/**
 * Finds the rows that must not be executed: they would write what they must not, such as an expiry that has passed, or Match
 * By leaves open which resource is theirs. A row that the list does not show is looked up. By what makes resources unique,
 * rows that are not clear about theirs fail when they are executed.
 *
 * @throws ServiceError if a read fails
 */
export async function rowProblems(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	candidatesFor: Candidates | undefined,
	answers: AnswerChecks,
): Promise<RowProblems> {
	const isByMatch = candidatesFor !== undefined && rows.some((row) => !isDefaultMatch(row));
	const matches = isByMatch ? problemsOfMatches(rows, candidatesFor) : undefined;
	const problems = new Map(matches);
	for (const given of rows.filter(({ forbidden }) => forbidden.length > 0)) {
		const row = await settled(inferKey(requests, given));
		if (row instanceof ServiceError) continue;
		const candidates = candidatesFor?.(row) ?? (await findCandidates(requests, row));
		if (matchProblems(row, candidates).length > 0) continue;
		problems.set(given, [
			...(problems.get(given) ?? []),
			...forbiddenIn(row, stepFor(answers.interpretations.applyTo(row), candidates)),
		]);
	}
	return problems;
}

/**
 * Finds the resource of each row by what Match By names, and changes what differs; creates it where there is none. Many
 * rows are found by reading the list once.
 */
export const upsert: OperationHandler = ({ rows, hasStray }) => {
	const [first] = rows;
	const answers = new AnswerChecks(hasStray);
	let known: ListIndex | undefined;
	let candidatesFor: Candidates | undefined;
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			if (!first) return;
			if (isDefaultMatch(first)) {
				known = await readListIndex(requests, rows, first.contract.key);
				candidatesFor = known?.candidatesFor;
			} else {
				candidatesFor = await findMatches(requests, rows);
			}
			if (candidatesFor) {
				answers.noteExisting(first, rows.flatMap(candidatesFor));
				answers.interpretations.addList(rows, candidatesFor);
			}
			problems = await rowProblems(requests, rows, candidatesFor, answers);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		isDeferred: (row) =>
			candidatesFor !== undefined && isInterpretationDecisive(row, candidatesFor),
		execute: async (requests, given) => {
			const isOutdated = await requests.lock(
				lockOf(given),
				keyLockOf(given),
				known?.caseLockOf(given),
			);
			const row = await inferKey(requests, given);
			// The service accepts two resources that only Match By takes for one.
			const mustLook = isOutdated && !isDefaultMatch(row);
			return await reconcile(requests, row, mustLook ? undefined : candidatesFor?.(row), {
				answers,
			});
		},
		notes: () => (first ? answers.notes(first.contract) : []),
		requestsFor: (row) => estimatedRequests(answers.interpretations.applyTo(row), candidatesFor),
		plan: async (requests, given) => {
			await requests.lock(undefined);
			const row = await inferKey(requests, given);
			const candidates = candidatesFor?.(row) ?? (await findCandidates(requests, row));
			const read = answers.interpretations.applyTo(row);
			return plannedReconcile(read, stepFor(read, candidates));
		},
	};
};
