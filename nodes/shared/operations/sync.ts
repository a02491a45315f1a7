import type { IDataObject } from 'n8n-workflow';
import { hasValue, isWithin } from '../contract/compare';
import { type EncodedRow, fieldWith } from '../contract/encodedRow';
import type { EncodedField } from '../contract/resourceTypes';
import { idOf } from '../contract/readers';
import { scopeLabel, scopeParams } from '../contract/scope';
import { isTextual } from '../contract/values';
import { rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { byKey, isMissing, ListIndex } from './find';
import { list } from './list';
import { idIn, idLock, keyTextOf, nameOf } from './resource';
import type { OperationCode, Removal, Run, Writer } from './types';
import { reconcileRows } from './upsert';

/**
 * Reads all resources in the scope of a row. Checks each resource, because a service may ignore a filter. A resource that
 * does not show the fields of the scope is outside.
 *
 * @throws ServiceError if the list cannot be read to its end
 */
async function readScope(
	requests: RowRequests,
	{ contract, options, scope }: EncodedRow,
): Promise<IDataObject[]> {
	const isWanted = (resource: IDataObject) =>
		idIn(resource) !== undefined && isWithin(scope, resource, options) === true;
	const listing = { path: contract.path, params: scopeParams(scope), isWanted };
	const resources = await settled(list(requests, listing));
	if (!(resources instanceof ServiceError)) return resources;
	const { failure } = resources;
	const advice = failure.isBrokenList
		? 'Run the node again while nothing else changes the list, or narrow the scope.'
		: failure.advice;
	throw new ServiceError({
		...failure,
		message: `The list of the scope cannot be read: ${failure.message}`,
		advice: `Nothing was changed in this try. ${advice}`,
	});
}

/** What Sync does with a resource of the scope that is in no row: deletes it, or writes the fields that disable it. */
interface RemovalAction {
	readonly outcome: 'deleted' | 'disabled';
	readonly fields?: readonly EncodedField[];
}

/** Returns the action for resources that are in no row; undefined if they are kept. */
function removalActionFor({ contract, options }: EncodedRow): RemovalAction | undefined {
	if (options.unmatchedAction === 'delete') return { outcome: 'deleted' };
	const fields = fieldWith(contract, contract.disabledField, ['1']);
	return options.unmatchedAction === 'disable' && fields.length > 0
		? { outcome: 'disabled', fields }
		: undefined;
}

/** Returns whether a resource needs no removal. */
const isRemoved = ({ fields }: RemovalAction, row: EncodedRow, resource: IDataObject): boolean =>
	fields?.every((field) => hasValue(field, resource, row)) ?? false;

/** Max number of resources that an error names. */
const maxRemovalsNamed = 10;

/** Returns why a run must not remove the resources; undefined if it may. */
function removalRefusal(
	row: EncodedRow,
	{ outcome }: RemovalAction,
	resources: readonly IDataObject[],
	{ scopeSize, settings }: Pick<Run, 'settings'> & { readonly scopeSize: number },
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
		`Nothing was changed in this try. In no row: ${named.join(', ')}${more}. If the rows are complete, raise ${label} under Options. A dry run shows the whole plan.`,
	);
}

/**
 * Returns the resources of the scope that match no row and are removed, and a note for the summary.
 *
 * @param inScope the resources of the scope
 * @param index the resources that the rows may mean
 * @throws ServiceError if the limits of the run do not allow to remove them, unless it is a dry run
 */
function planRemovals(
	{ first, isComplete, isDryRun, settings, completedIds }: Run,
	action: RemovalAction | undefined,
	inScope: readonly IDataObject[],
	index: ListIndex,
): { readonly unmatched: readonly IDataObject[]; readonly note?: string } {
	if (!first || !action) return { unmatched: [] };
	if (!isComplete) {
		return { unmatched: [], note: 'Nothing was removed, because not all items could be sent' };
	}
	const removable = inScope.filter((resource) => !isRemoved(action, first, resource));
	const unmatched = removable.filter(
		(resource) =>
			isTextual(resource[first.contract.key.searchBy]) &&
			!index.isRequested(resource) &&
			!completedIds.has(idIn(resource) ?? ''),
	);
	const scopeSize = removable.length;
	const refusal = removalRefusal(first, action, unmatched, { scopeSize, settings });
	if (!refusal) return { unmatched };
	if (!isDryRun) throw refusal;
	return { unmatched, note: `A run would fail: ${refusal.failure.message}` };
}

/** Returns the removal of one resource. A missing resource needs no removal. */
function removalOf(
	first: EncodedRow,
	action: RemovalAction,
	writer: Writer,
	before: IDataObject,
): Removal {
	const { contract } = first;
	const id = idIn(before) ?? '';
	const row = { ...first, id, reference: undefined, fields: action.fields ?? [], changes: [] };
	return {
		resource: {
			name: `The ${contract.value} ${nameOf(first, before)}, which is in no row`,
			data: { id: idOf(before.id), [contract.key.searchBy]: keyTextOf(first, before) },
		},
		execute: async (requests) => {
			await requests.locks.acquireLast(idLock(contract, id));
			const change = { ...action, id, before, note: 'In no row' };
			const removed = await settled(writer.write(requests, row, change));
			if (!(removed instanceof ServiceError)) return removed;
			if (!isMissing(removed)) throw removed;
			return await writer.write(requests, row, { id, before, outcome: 'missing' });
		},
	};
}

/**
 * Makes the resources of a scope match the rows: creates missing resources, changes fields that differ, and disables,
 * deletes or keeps resources that are in no row. It reads the list of the scope before the first write.
 */
export const sync: OperationCode = (run, writer) => {
	// All rows have the same scope.
	const { first } = run;
	if (!first) return reconcileRows(writer);
	const action = removalActionFor(first);
	let planned: ReturnType<typeof planRemovals> = { unmatched: [] };
	/** The IDs of the resources of rows. Another client may have renamed a resource after the list was read. */
	const written = new Set<string | undefined>();
	const reconciled = reconcileRows(writer, async (requests, rows) => {
		// A resource that has the alias or name of a row is never removed, regardless of Match By.
		const index = new ListIndex([...rows, ...rows.map(byKey)]);
		const resources = await readScope(requests, first);
		index.fill(resources);
		writer.checks.noteExisting(first, resources);
		planned = planRemovals(run, action, resources, index);
		return index;
	});
	return {
		...reconciled,
		execute: async (requests, row) => {
			const result = await reconciled.execute(requests, row);
			result.resources.forEach((resource) => written.add(idIn(resource)));
			return result;
		},
		removals: () =>
			action
				? planned.unmatched
						.filter((resource) => !written.has(idIn(resource)))
						.map((resource) => removalOf(first, action, writer, resource))
				: [],
		notes: () => [...(planned.note === undefined ? [] : [planned.note]), ...writer.checks.notes()],
	};
};
