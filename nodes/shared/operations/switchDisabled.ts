import type { IDataObject } from 'n8n-workflow';
import { idLock, type EncodedRow } from '../contract/encodedRow';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/serviceError';
import { disabledChange, isChanged, writeDisabled } from './disabledFlag';
import { plannedItem, plannedUpdate } from './dryRunPlan';
import { planTargets } from './dryRunTargets';
import { readById, resolveId } from './find';
import { InterpretationVotes } from './interpretations';
import { matchRows } from './matchedRows';
import { idIn } from './resource';
import {
	repeatAll,
	type OperationHandler,
	type OperationRun,
	type Result,
	type Run,
} from './types';

/** What an operation sets, and the outcome of a row that changes a resource. */
interface Switch {
	readonly disables: boolean;
	readonly outcome: 'disabled' | 'enabled';
}

/**
 * Disables or enables the resource of one row. It reads the resource under the lock of its ID, and writes only if the
 * resource has the other state.
 *
 * @param listed the resource in a list of this run, which replaces the read unless another row has written it since
 * @throws ServiceError if a request fails, or if the response contradicts the write
 */
async function switchOne(
	requests: RowRequests,
	row: EncodedRow,
	{ disables, outcome }: Switch,
	listed?: IDataObject,
): Promise<Result> {
	const { contract } = row;
	const reportOutcome = true;
	const id = idIn(listed) ?? (await resolveId(requests, row));
	const isOutdated = await requests.lock(idLock(contract, id));
	const current = listed && !isOutdated ? listed : await readById(requests, contract, id);
	const changes = disabledChange(contract, disables);
	if (isChanged(row, changes, current)) {
		return { resources: [current], outcome: 'unchanged', reportOutcome };
	}
	const answer = await writeDisabled(requests, row, id, changes);
	return { resources: [answer], outcome, reportOutcome };
}

/** Returns what a dry run shows of a row with an existing resource. */
function plannedSwitch(
	row: EncodedRow,
	existing: IDataObject,
	{ disables, outcome }: Switch,
): Result {
	const changes = disabledChange(row.contract, disables);
	return isChanged(row, changes, existing)
		? plannedItem(row, { outcome: 'unchanged', existing, note: `Already ${outcome}` })
		: plannedUpdate(row, existing, changes, { outcome, note: 'Changes nothing else' });
}

/** Disables or enables the resources of rows with an ID or address. */
const beginById = (run: Run, change: Switch): OperationRun => ({
	recovery: repeatAll,
	execute: async (requests, row) => await switchOne(requests, row, change),
	requestsFor: ({ reference }) => (reference ? 3 : 2),
	...planTargets(run, (row, target) => {
		if (target instanceof ServiceError) throw target;
		return plannedSwitch(row, target, change);
	}),
});

/** Disables or enables the resources that Match By finds for mapped rows. */
function beginMatched(run: Run, change: Switch): OperationRun {
	const { match, ...matched } = matchRows(run, new InterpretationVotes());
	const changes = disabledChange(run.contract, change.disables);
	return {
		recovery: repeatAll,
		...matched,
		execute: async (requests, ownRow) => {
			const { row, existing } = match(ownRow);
			return await switchOne(requests, row, change, existing);
		},
		requestsFor: (ownRow) => {
			const { row, existing } = match(ownRow);
			return existing && !isChanged(row, changes, existing) ? 1 : 0;
		},
		plan: async (requests, ownRow) => {
			await requests.lock(undefined);
			const { row, existing } = match(ownRow);
			return plannedSwitch(row, existing ?? {}, change);
		},
	};
}

/** Returns an operation that disables or enables resources. */
export const switchDisabled =
	(change: Switch): OperationHandler =>
	(run) =>
		run.rows[0]?.options.matchBy === undefined ? beginById(run, change) : beginMatched(run, change);
