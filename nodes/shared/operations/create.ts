import { AnswerChecks } from './answerChecks';
import { createNew } from './createOnce';
import { planCreates } from './dryRunCreates';
import { keyLabelOf, nameOfOperationForExisting } from './resource';
import { beginReuse } from './reuse';
import { requestsOfTarget, type OperationHandler, type OperationRun, type Run } from './types';
import { keyLockOf, type EncodedRow } from '../contract/encodedRow';
import type { ReuseContract } from '../contract/resourceTypes';

/** Returns how the rows of a run reuse resources that exist; undefined if each row creates a resource. */
const reuseOf = ({ contract: { reuse }, options }: EncodedRow): ReuseContract | undefined =>
	reuse && options.resourceOptions[reuse.option] === '1' ? reuse : undefined;

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
function beginCreate({ rows, showsTable }: Run, answers: AnswerChecks): OperationRun {
	const creates = showsTable ? planCreates(rows) : undefined;
	return {
		recovery: recoveryFor(rows[0]),
		execute: async (requests, row) => {
			await requests.lock(keyLockOf(row));
			return { resources: [await createNew(requests, row, answers)], outcome: 'created' };
		},
		requestsFor: requestsOfTarget,
		preparePlan: creates?.prepare,
		plan: creates?.plan,
		notes: () => answers.notes(),
	};
}

/** Creates resources. With the option of the resource, it returns a resource that exists with the same values instead. */
export const create: OperationHandler = (run) => {
	const [first] = run.rows;
	const reuse = first && reuseOf(first);
	const answers = new AnswerChecks(run.contract, run.hasStray);
	return reuse ? beginReuse(run, reuse, answers) : beginCreate(run, answers);
};
