import { matchLockKey, lockKey, type EncodedRow } from '../contract/encodeRow';
import { isDefaultMatch } from '../contract/matchBy';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { AnswerChecks } from './answers';
import { completeKey } from './completeKey';
import { findCandidates } from './find';
import { readKnown, type KnownResources } from './knownList';
import { makeSo, stepFor, unwritableIn } from './makeSo';
import {
	findMatches,
	matchProblems,
	problemsOfMatches,
	type Candidates,
	type RowProblems,
} from './matching';
import type { Operation } from './operation';
import { plannedStep } from './plan';
import { isContested } from './readings';

/** About so many requests a row takes, given what is known of it. */
export function requestsToMake(row: EncodedRow, candidatesFor: Candidates | undefined): number {
	const candidates = candidatesFor?.(row);
	if (!candidates || candidates.length > 1) return 2;
	if (matchProblems(row, candidates).length > 0) return 0;
	const { existing, different } = stepFor(row, candidates);
	return existing && different.length === 0 ? 0 : 1;
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
	for (const given of rows.filter(({ unwritable }) => unwritable.length > 0)) {
		const row = await settled(completeKey(requests, given));
		if (row instanceof ServiceError) continue;
		const candidates = candidatesFor?.(row) ?? (await findCandidates(requests, row));
		if (matchProblems(row, candidates).length > 0) continue;
		problems.set(given, [
			...(problems.get(given) ?? []),
			...unwritableIn(row, stepFor(answers.readings.readAs(row), candidates)),
		]);
	}
	return problems;
}

/**
 * Finds the resource of each row by what Match By names, and changes what differs; creates it where there is none. Many
 * rows are found by reading the list once.
 */
export const upsert: Operation = ({ rows, hasStray }) => {
	const [first] = rows;
	const answers = new AnswerChecks(hasStray);
	let known: KnownResources | undefined;
	let candidatesFor: Candidates | undefined;
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			if (!first) return;
			if (isDefaultMatch(first)) {
				known = await readKnown(requests, rows, first.contract.key);
				candidatesFor = known?.candidatesFor;
			} else {
				candidatesFor = await findMatches(requests, rows);
			}
			if (candidatesFor) {
				answers.noteExisting(first, rows.flatMap(candidatesFor));
				answers.readings.learnFromList(rows, candidatesFor);
			}
			problems = await rowProblems(requests, rows, candidatesFor, answers);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		isDeferred: (row) => candidatesFor !== undefined && isContested(row, candidatesFor),
		execute: async (requests, given) => {
			const isOutdated = await requests.lock(
				matchLockKey(given),
				lockKey(given),
				known?.caseLockOf(given),
			);
			const row = await completeKey(requests, given);
			// The service accepts two resources that only Match By takes for one.
			const mustLook = isOutdated && !isDefaultMatch(row);
			return await makeSo(requests, row, mustLook ? undefined : candidatesFor?.(row), { answers });
		},
		notes: () => (first ? answers.notes(first.contract) : []),
		requestsFor: (row) => requestsToMake(answers.readings.readAs(row), candidatesFor),
		plan: async (requests, given) => {
			await requests.lock(undefined);
			const row = await completeKey(requests, given);
			const candidates = candidatesFor?.(row) ?? (await findCandidates(requests, row));
			const read = answers.readings.readAs(row);
			return plannedStep(read, stepFor(read, candidates));
		},
	};
};
