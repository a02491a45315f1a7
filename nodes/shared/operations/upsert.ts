import { isDefaultMatch } from '../contract/matchBy';
import { readListIndex } from './listIndex';
import { findMatches } from './matching';
import { reconcileRows } from './reconcile';
import type { OperationHandler } from './types';
import { writerOf } from './sendingWriter';

/**
 * Finds the resource of each row by the fields of Match By and writes the fields that differ, or creates the resource.
 * For many rows, it reads the list once.
 */
export const upsert: OperationHandler = (run) =>
	reconcileRows(run, writerOf(run), {
		readExisting: async (requests) => {
			const { rows } = run;
			const [first] = rows;
			if (!first) return undefined;
			if (!isDefaultMatch(first)) {
				const { candidatesFor, keys } = await findMatches(requests, rows);
				return { candidatesFor, keys, resources: rows.flatMap(candidatesFor) };
			}
			const index = await readListIndex(requests, rows, first.contract.key);
			if (!index) return undefined;
			const { candidatesFor, caseLockOf, keys } = index;
			return { candidatesFor, caseLockOf, keys, resources: index.all };
		},
	});
