import { AnswerChecks } from './answerChecks';
import { createNew } from './createOnce';
import { planCreates } from './dryRunCreates';
import { keyLabelOf, nameOfOperationForExisting } from './resource';
import { requestsOfTarget, type OperationHandler } from './types';
import { keyLockOf, type EncodedRow } from '../contract/encodedRow';

/** Returns what to do after a run that failed for some of its rows. A second create of a row would create a second resource. */
function recoveryFor(first: EncodedRow | undefined): string {
	const operation = first && nameOfOperationForExisting(first);
	const alternative =
		first === undefined || operation === undefined
			? ''
			: ` If ${keyLabelOf(first)} is set in each item, you can switch Operation to ${operation} and keep all items instead.`;
	return `Fix the failures, remove the items that are done or unknown, and run the node again.${alternative}`;
}

/** Creates a resource for each row. Rows with the same alias or name run one after the other, so that the first row gets it. */
export const create: OperationHandler = ({ contract, rows, hasStray, isDryRun }) => {
	const answers = new AnswerChecks(contract, hasStray);
	// Plans keep the rows, and a run must not.
	const plans = isDryRun ? planCreates(rows) : {};
	return {
		recovery: recoveryFor(rows[0]),
		execute: async (requests, row) => {
			await requests.lock(keyLockOf(row));
			return { resources: [await createNew(requests, row, answers)], outcome: 'created' };
		},
		requestsFor: requestsOfTarget,
		...plans,
		notes: () => answers.notes(),
	};
};
