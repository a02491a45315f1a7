import { apiRequest } from '../contract/endpoints';
import { paramsOf } from '../contract/encodedRow';
import { hasScope } from '../contract/operations';
import { createOnce } from './createOnce';
import { deleteById } from './deleteById';
import { answerOfId } from './find';
import { planningWriter } from './planningWriter';
import { requestResource } from './resource';
import { ResponseChecks } from './responses';
import { resultOf, type Run } from './types';
import type { Writer } from './writer';

/** Returns the writer that sends requests, and checks the responses. */
const sendingWriter = (checks: ResponseChecks): Writer => ({
	checks,
	createOne: async (requests, row) =>
		resultOf(row, 'created', await createOnce(requests, row, checks)),
	updateOne: async (requests, row, update) => {
		const { contract } = row;
		const request = apiRequest(contract, 'update', paramsOf(update.fields), update.id);
		const answer = await answerOfId(contract, update.id, requestResource(requests, request));
		checks.checkUpdate(row, answer, update);
		return resultOf(row, update.outcome, answer);
	},
	keepOne: (row, existing) => resultOf(row, 'unchanged', existing),
	removeOne: async (requests, row, { id, existing }) => {
		const deleted = await deleteById(requests, row.contract, id);
		return resultOf(row, 'deleted', hasScope(row.operation) && existing ? existing : deleted);
	},
	current: (_row, matches) => matches,
});

/** Returns the writer of a run. */
export function writerOf({
	contract,
	hasStray,
	isDryRun,
}: Pick<Run, 'contract' | 'hasStray' | 'isDryRun'>): Writer {
	const checks = new ResponseChecks(contract, hasStray);
	return isDryRun ? planningWriter(checks) : sendingWriter(checks);
}
