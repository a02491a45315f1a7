import type { IDataObject } from 'n8n-workflow';
import { changesTo } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import { ServiceError } from '../transport/serviceError';
import { AnswerChecks } from './answerChecks';
import { changesFor } from './changes';
import { rowByRow, type OperationHandler, type Result } from './types';
import { plannedReconcile } from './dryRunPlan';
import { planTargets } from './dryRunTargets';
import { beginMatchedUpdate } from './updateMatched';
import { updateOne } from './updateOne';

/** What an update of the resource of a row would do. */
function planned(given: EncodedRow, existing: IDataObject): Result {
	const row = { ...given, fields: changesFor(given, existing) };
	return plannedReconcile(row, { existing, changes: changesTo(row, existing) });
}

/**
 * Changes the fields of a resource that the row sets or clears. If that depends on what the resource has, it is read first.
 * Rows on the same resource take turns.
 */
export const update: OperationHandler = (run) => {
	const [first] = run.rows;
	if (first?.options.matchBy !== undefined) return beginMatchedUpdate(run);
	const answers = new AnswerChecks(run.hasStray);
	const begun = rowByRow(async (requests, row) => await updateOne(requests, row, answers))();
	const plans = planTargets(run, (row, found) => {
		if (found instanceof ServiceError) throw found;
		return planned(row, found);
	});
	return { ...begun, ...plans, notes: () => (first ? answers.notes(first.contract) : []) };
};
