import { isDefaultMatch } from '../contract/matchBy';
import { readListIndex } from './listIndex';
import { findMatches } from './matching';
import { reconcileRows } from './reconcileRows';
import type { OperationHandler } from './types';

/**
 * Finds the resource of each row by the fields of Match By and writes the fields that differ, or creates the resource.
 * For many rows, it reads the list once.
 */
export const upsert: OperationHandler = (run) =>
	reconcileRows(run, {
		readExisting: async (requests) => {
			const { rows } = run;
			const [first] = rows;
			if (!first) return undefined;
			if (!isDefaultMatch(first)) {
				const candidatesFor = await findMatches(requests, rows);
				return { candidatesFor, resources: rows.flatMap(candidatesFor), keys: [] };
			}
			const index = await readListIndex(requests, rows, first.contract.key);
			return (
				index && {
					candidatesFor: index.candidatesFor,
					caseLockOf: index.caseLockOf,
					resources: index.all,
					keys: index.keys,
				}
			);
		},
	});
