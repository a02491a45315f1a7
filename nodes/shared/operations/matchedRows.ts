import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import { isSame } from '../contract/sameResource';
import type { InterpretationVotes } from './interpretations';
import { findMatches, problemsOfMatches, type Candidates, type RowProblems } from './matching';
import type { OperationRun, Run } from './types';

/** The rows of a run and the resources that Match By finds for them, once `prepare` has read these. */
export interface MatchedRows extends Required<Pick<OperationRun, 'prepare' | 'problemsOf'>> {
	/** Returns a row as it is compared, and its resource; undefined if the service has none. */
	readonly match: (ownRow: EncodedRow) => {
		readonly row: EncodedRow;
		readonly existing: IDataObject | undefined;
	};
}

/**
 * Finds the resources of mapped rows. It finds all of them before the first write, so that a row without a resource stops
 * the run while nothing has changed.
 *
 * @param interpretations learn from the resources how the service interprets ambiguous values
 */
export function matchRows(
	{ rows }: Pick<Run, 'rows'>,
	interpretations: InterpretationVotes,
): MatchedRows {
	let candidatesFor: Candidates = () => [];
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			candidatesFor = await findMatches(requests, rows);
			interpretations.addList(rows, candidatesFor);
			problems = problemsOfMatches(rows, candidatesFor);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		match: (ownRow) => {
			const row = interpretations.applyTo(ownRow);
			return { row, existing: candidatesFor(row).find((resource) => isSame(row, resource)) };
		},
	};
}
