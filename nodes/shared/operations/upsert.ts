import { isSame } from '../contract/compare';
import { thingOf, type EncodedRow, type Problem } from '../contract/encodeRow';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { AnswerChecks } from './answers';
import { completeKey } from './completeKey';
import { findByKey } from './find';
import { readKnown, type KnownResources } from './knownList';
import { makeSo, stepFor, unwritableIn } from './makeSo';
import type { Operation } from './operation';
import { plannedStep } from './plan';
import { isContested } from './readings';

/** About so many requests a row takes, given what is known of it. */
export function requestsToMake(row: EncodedRow, known: KnownResources | undefined): number {
	const candidates = known?.candidatesFor(row);
	if (!candidates || candidates.length > 1) return 2;
	const { existing, different } = stepFor(row, candidates);
	return existing && different.length === 0 ? 0 : 1;
}

/** Why rows must not be executed, by the row. */
export type RowProblems = ReadonlyMap<EncodedRow, readonly Problem[]>;

/**
 * Finds the rows that would write what they must not, such as an expiry that has passed. A row that the list does not show
 * is looked up. Rows that are not clear about their resource fail when they are executed.
 *
 * @throws ServiceError as any read
 */
export async function writeProblems(
	requests: RowRequests,
	rows: readonly EncodedRow[],
	known: KnownResources | undefined,
	answers: AnswerChecks,
): Promise<RowProblems> {
	const problems = new Map<EncodedRow, readonly Problem[]>();
	for (const given of rows.filter(({ unwritable }) => unwritable.length > 0)) {
		const row = await settled(completeKey(requests, given));
		if (row instanceof ServiceError) continue;
		const candidates = known?.candidatesFor(row) ?? (await findByKey(requests, row));
		if (candidates.filter((one) => isSame(row, one)).length > 1) continue;
		problems.set(given, unwritableIn(row, stepFor(answers.readings.readAs(row), candidates)));
	}
	return problems;
}

/**
 * Finds the resource of each row by what makes it unique, and changes what differs; creates it where there is none. Many
 * rows are found by reading the list once.
 */
export const upsert: Operation = ({ rows, hasStray }) => {
	const [first] = rows;
	const answers = new AnswerChecks(hasStray);
	let known: KnownResources | undefined;
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			known = first && (await readKnown(requests, rows, first.contract.key));
			if (first && known) answers.noteExisting(first, known.all);
			if (known) answers.readings.learnFromList(rows, known.candidatesFor);
			problems = await writeProblems(requests, rows, known, answers);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		isDeferred: (row) => known !== undefined && isContested(row, known.candidatesFor),
		execute: async (requests, given) => {
			await requests.takeTurn(thingOf(given), known?.caseLockOf(given));
			const row = await completeKey(requests, given);
			return await makeSo(requests, row, known?.candidatesFor(row), { answers });
		},
		notes: () => (first ? answers.notes(first.contract) : []),
		requestsFor: (row) => requestsToMake(answers.readings.readAs(row), known),
		plan: async (requests, given) => {
			await requests.takeTurn(undefined);
			const row = await completeKey(requests, given);
			const candidates = known?.candidatesFor(row) ?? (await findByKey(requests, row));
			const read = answers.readings.readAs(row);
			return plannedStep(read, stepFor(read, candidates));
		},
	};
};
