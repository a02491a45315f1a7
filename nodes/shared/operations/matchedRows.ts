import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodedRow';
import { isSame } from '../contract/sameResource';
import { inferKey } from './inferKey';
import type { InterpretationVotes } from './interpretations';
import { findMatches, problemsOfMatches, type Candidates, type RowProblems } from './matching';
import type { OperationRun, Run } from './types';

/** The rows of a run and the resources that Match By finds for them, once `prepare` has read these. */
export interface MatchedRows extends Required<Pick<OperationRun, 'prepare' | 'problemsOf'>> {
	/** Returns a row with all fields of the unique key, and its resource; undefined if the service has none. */
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
	const keyedRows = new Map<EncodedRow, EncodedRow>();
	let candidatesFor: Candidates = () => [];
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			for (const row of rows) keyedRows.set(row, await inferKey(requests, row));
			const keyed = [...keyedRows.values()];
			candidatesFor = await findMatches(requests, keyed);
			interpretations.addList(keyed, candidatesFor);
			problems = problemsOfMatches(keyed, candidatesFor);
		},
		problemsOf: (row) => problems.get(keyedRows.get(row) ?? row) ?? [],
		match: (ownRow) => {
			const row = interpretations.applyTo(keyedRows.get(ownRow) ?? ownRow);
			return { row, existing: candidatesFor(row).find((resource) => isSame(row, resource)) };
		},
	};
}
