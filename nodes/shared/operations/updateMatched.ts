import { differences } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import { isSame } from '../contract/sameResource';
import { AnswerChecks } from './answerChecks';
import { changesFor, readsFirst } from './changes';
import { inferKey } from './inferKey';
import { findMatches, problemsOfMatches, type Candidates, type RowProblems } from './matching';
import type { OperationRun, Run } from './types';
import { plannedReconcile } from './dryRunPlan';
import { idIn } from './resource';
import { updateOne } from './updateOne';

/**
 * Updates the resources that mapped rows find by what Match By names. All of them are found before the first write, so that
 * a row without a resource stops the run while nothing is changed. Only what differs is written.
 */
export function beginMatchedUpdate({ rows, hasStray }: Run): OperationRun {
	const answers = new AnswerChecks(hasStray);
	const [first] = rows;
	/** The rows with the fields that they are found by. */
	const known = new Map<EncodedRow, EncodedRow>();
	let candidatesFor: Candidates = () => [];
	let problems: RowProblems = new Map();
	const matched = (given: EncodedRow) => {
		const row = answers.interpretations.applyTo(known.get(given) ?? given);
		const existing = candidatesFor(row).find((resource) => isSame(row, resource));
		return { row, existing, different: existing ? differences(row, existing) : [] };
	};
	return {
		prepare: async (requests) => {
			for (const row of rows) known.set(row, await inferKey(requests, row));
			const completed = [...known.values()];
			candidatesFor = await findMatches(requests, completed);
			answers.interpretations.addList(completed, candidatesFor);
			problems = problemsOfMatches(completed, candidatesFor);
		},
		problemsOf: (given) => problems.get(known.get(given) ?? given) ?? [],
		execute: async (requests, given) => {
			const { row, existing, different } = matched(given);
			const id = idIn(existing);
			return await updateOne(
				requests,
				{ ...row, id, reference: undefined, fields: different },
				answers,
				existing,
			);
		},
		requestsFor: (given) => {
			const { row, different } = matched(given);
			return readsFirst(row) ? 2 : Math.min(different.length, 1);
		},
		plan: async (requests, given) => {
			await requests.lock(undefined);
			const { row, existing, different } = matched(given);
			const changed = existing ? changesFor({ ...row, fields: different }, existing) : different;
			return plannedReconcile(row, { existing, changes: changed });
		},
		notes: () => (first ? answers.notes(first.contract) : []),
	};
}
