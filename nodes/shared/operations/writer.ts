import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import { hasScope } from '../contract/operations';
import type { RowRequests } from '../transport/rowRequests';
import { createOnce } from './createOnce';
import { deleteById } from './deleteById';
import { answerOfId } from './find';
import { planningWriter } from './planningWriter';
import { requestResource } from './resource';
import { ResponseChecks, type Update } from './responses';
import { resultOf, type Result, type Run } from './types';

/** A resource to delete: its ID, and the resource if it was read. */
export interface Deletion {
	readonly id: string;
	readonly existing?: IDataObject;
	/** What a dry run shows instead of "Deletes permanently". */
	readonly note?: string;
}

/** What an operation writes. The writer of a dry run sends nothing, and remembers what the other one would store. */
export interface Writer {
	/** The checks of the run, and what they remember. */
	readonly checks: ResponseChecks;
	/**
	 * Creates the resource of a row.
	 *
	 * @param note what a dry run shows instead of "New"
	 * @throws ServiceError if the create fails, if the response contradicts the row, or if its outcome is unknown
	 */
	readonly createOne: (requests: RowRequests, row: EncodedRow, note?: string) => Promise<Result>;
	/**
	 * Writes fields of a resource.
	 *
	 * @param row the row, with all fields that the response must not contradict
	 * @throws ServiceError if the update fails, or if the response contradicts the row
	 */
	readonly updateOne: (requests: RowRequests, row: EncodedRow, update: Update) => Promise<Result>;
	/** Returns the result of a row whose resource needs no change. */
	readonly keepOne: (row: EncodedRow, existing: IDataObject) => Result;
	/** Deletes a resource. */
	readonly removeOne: (
		requests: RowRequests,
		row: EncodedRow,
		deletion: Deletion,
	) => Promise<Result>;
	/** Returns the resources that a read found for a row, as they are after the writes of earlier rows. */
	readonly current: (row: EncodedRow, found: readonly IDataObject[]) => readonly IDataObject[];
}

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
	current: (_row, found) => found,
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
