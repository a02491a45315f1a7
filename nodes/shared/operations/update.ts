import type { IDataObject } from 'n8n-workflow';
import { changesTo, differences } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { operationTable } from '../contract/operations';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/failures';
import { AnswerChecks } from './answerChecks';
import { changesFor, readsFirst } from './changes';
import { plannedReconcile } from './dryRunPlan';
import { planTargets } from './dryRunTargets';
import { answerOfId, findReferenced, readById } from './find';
import { matchRows } from './matchedRows';
import { idIn, requestResource } from './resource';
import {
	repeatAll,
	requestsOfTarget,
	type OperationHandler,
	type OperationRun,
	type Result,
	type Run,
} from './types';
import { idLock, paramsOf, type EncodedRow } from '../contract/encodedRow';

/**
 * Updates the resource of one row, and checks the response. Writes only the fields that differ if it knows the resource.
 *
 * @param listed the resource that Match By found. It is read again if another run has written it since.
 * @throws ServiceError if a request fails, or if the response contradicts the row
 */
export async function updateOne(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
	listed?: IDataObject,
): Promise<Result> {
	const { contract, reference } = row;
	const resource = listed ?? (reference && (await findReferenced(requests, row, reference)));
	const id = idIn(resource) ?? row.id ?? '';
	// Update writes all its fields to the resource of an address.
	const compared = operationTable[row.operation].disables === undefined ? listed : resource;
	const isOutdated = (await requests.lock(idLock(contract, id))) && compared !== undefined;
	const before = isOutdated || readsFirst(row) ? await readById(requests, contract, id) : compared;
	const own = compared && before ? { ...row, fields: differences(row, before) } : row;
	const sent = before ? changesFor(own, before) : row.fields;
	if (before && sent.length === 0) return { resources: [before], outcome: 'unchanged' };
	const request = apiRequest(contract, 'update', paramsOf(sent), id);
	const answer = await answerOfId(contract, id, requestResource(requests, request));
	answers.checkUpdate(own, answer, { id, sent, before });
	return { resources: [answer], outcome: 'updated' };
}

/** Updates the resource with the ID or address of each row. */
function beginUpdateById(run: Run, answers: AnswerChecks): OperationRun {
	const plans = planTargets(run, (row, target) => {
		if (target instanceof ServiceError) throw target;
		const changed = { ...row, fields: changesFor(row, target) };
		answers.noteSent(row, changed.fields);
		return plannedReconcile(changed, { existing: target, changes: changesTo(changed, target) });
	});
	return {
		recovery: repeatAll,
		execute: async (requests, row) => await updateOne(requests, row, answers),
		requestsFor: requestsOfTarget,
		notes: () => answers.notes(),
		...plans,
	};
}

/** Updates the resources that Match By finds for mapped rows. */
function beginMatchedUpdate(run: Run, answers: AnswerChecks): OperationRun {
	const { match: matchRow, ...matched } = matchRows(run, answers.interpretations);
	const match = (ownRow: EncodedRow) => {
		const { row, existing } = matchRow(ownRow);
		const changes = existing ? differences(row, existing) : [];
		return { row, existing, changed: { ...row, fields: changes } };
	};
	return {
		recovery: repeatAll,
		...matched,
		execute: async (requests, ownRow) => {
			const { row, existing } = match(ownRow);
			return await updateOne(requests, row, answers, existing);
		},
		requestsFor: (ownRow) => {
			const { row, changed } = match(ownRow);
			return readsFirst(row) ? 2 : Math.min(changed.fields.length, 1);
		},
		plan: async (requests, ownRow) => {
			await requests.lock(undefined);
			const { row, existing, changed } = match(ownRow);
			const changes = existing ? changesFor(changed, existing) : changed.fields;
			answers.noteSent(row, changes);
			return plannedReconcile(row, { existing, changes });
		},
		notes: () => answers.notes(),
	};
}

/**
 * Changes the fields of a resource that the row sets or clears. If these depend on the values of the resource, it reads the
 * resource first. Rows with the same resource run one after the other.
 */
export const update: OperationHandler = (run) => {
	const answers = new AnswerChecks(run.contract, run.hasStray);
	const isMatched = run.rows[0]?.options.matchBy !== undefined;
	return isMatched ? beginMatchedUpdate(run, answers) : beginUpdateById(run, answers);
};
