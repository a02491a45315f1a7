import type { IDataObject } from 'n8n-workflow';
import { idOf } from '../contract/readers';
import { scopeLabel } from '../contract/scope';
import type { Resource } from '../contract/types';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/failures';
import { deleteById, isMissing } from './delete';
import { withFlag } from './switchDisabled';
import { updateOne } from './update';
import type { Removal, Result, RunSettings } from './types';
import { plannedDelete, plannedUpdate } from './dryRunPlan';
import { idIn, keyTextOf, nameOf } from './resource';
import type { EncodedRow } from '../contract/encodedRow';
import { hasSentValue } from '../contract/compare';
import { disabledChange } from '../contract/impliedFields';
import { AnswerChecks } from './answerChecks';
import type { EncodedField } from '../contract/fieldTypes';

/** What Sync does with a resource of the scope that is in no row. */
export interface RemovalAction {
	readonly outcome: 'deleted' | 'disabled';
	readonly plan: (resource: IDataObject, note: string) => Result;
	/** Returns whether the resource needs no change. */
	readonly isDone: (resource: Resource) => boolean;
	/** Returns the resource after the action. */
	readonly execute: (
		requests: RowRequests,
		resource: IDataObject,
		id: string,
	) => Promise<IDataObject>;
}

const deleteAction = (row: EncodedRow): RemovalAction => ({
	outcome: 'deleted',
	plan: (resource, note) => plannedDelete(row, resource, note),
	isDone: () => false,
	execute: async (requests, resource, id) => {
		await deleteById(requests, row.contract, id);
		return resource;
	},
});

const disableAction = (row: EncodedRow, changes: readonly EncodedField[]): RemovalAction => ({
	outcome: 'disabled',
	plan: (resource, note) => plannedUpdate(row, resource, changes, { outcome: 'disabled', note }),
	isDone: (resource) => changes.every((change) => hasSentValue(change, resource, row) === true),
	execute: async (requests, _resource, id) => {
		const disabling = { ...row, id, reference: undefined, fields: changes, changes: [] };
		const answers = new AnswerChecks(row.contract, false);
		const { resources } = await updateOne(requests, disabling, answers);
		return withFlag(row.contract, resources[0] ?? {}, true);
	},
});

/** Returns the action for resources that are in no row; undefined if they are kept. */
export function removalActionFor(row: EncodedRow): RemovalAction | undefined {
	const { contract, options } = row;
	if (options.unmatchedAction === 'delete') return deleteAction(row);
	const changes = disabledChange(contract, true);
	return options.unmatchedAction === 'disable' && changes.length > 0
		? disableAction(row, changes)
		: undefined;
}

/** Max number of resources that an error names. */
const maxRemovalsNamed = 10;

/** The resources that a run would remove, and the number of resources in the scope. */
interface PlannedRemovals {
	readonly resources: readonly IDataObject[];
	readonly scopeSize: number;
	readonly settings: Pick<RunSettings, 'maxRemovalPercentage' | 'maxRemovals'>;
}

/** Returns why a run must not remove the resources; undefined if it may. */
export function removalRefusal(
	row: EncodedRow,
	{ outcome }: RemovalAction,
	{ resources, scopeSize, settings }: PlannedRemovals,
): ServiceError | undefined {
	const { length } = resources;
	const { maxRemovals, maxRemovalPercentage } = settings;
	const isTooMany = length > maxRemovals.value;
	if (!isTooMany && length * 100 <= maxRemovalPercentage.value * scopeSize) return undefined;
	const { label } = isTooMany ? maxRemovals : maxRemovalPercentage;
	const limit = isTooMany ? `${maxRemovals.value}` : `${maxRemovalPercentage.value}%`;
	const count =
		length === scopeSize && length > 1 ? `All ${length}` : `${length} of the ${scopeSize}`;
	const resourceName = `${row.contract.value}${scopeSize === 1 ? '' : 's'}`;
	const named = resources.slice(0, maxRemovalsNamed).map((resource) => nameOf(row, resource));
	const more = length > maxRemovalsNamed ? ` and ${length - maxRemovalsNamed} more` : '';
	return rejection(
		`${count} ${resourceName} of the scope (${scopeLabel(row.scope)}) ${length === 1 ? 'is' : 'are'} in no row and would be ${outcome}, which is more than ${label} (${limit}) allows`,
		`Nothing was changed. In no row: ${named.join(', ')}${more}. If the rows are complete, raise ${label} under Options. A dry run shows the whole plan.`,
	);
}

/** Returns the removal of one resource. A missing resource needs no removal. */
export const removalOf = (
	row: EncodedRow,
	action: RemovalAction,
	resource: IDataObject,
): Removal => ({
	resource: {
		name: `The ${row.contract.value} ${nameOf(row, resource)}, which is in no row`,
		data: { id: idOf(resource.id), [row.contract.key.searchBy]: keyTextOf(row, resource) },
	},
	execute: async (requests) => {
		const removed = await settled(action.execute(requests, resource, idIn(resource) ?? ''));
		if (!(removed instanceof ServiceError)) {
			return { resources: [removed], outcome: action.outcome, reportOutcome: true };
		}
		if (!isMissing(removed)) throw removed;
		return { resources: [resource], outcome: 'missing', reportOutcome: true };
	},
	plan: async () => await Promise.resolve(action.plan(resource, 'In no row')),
});
