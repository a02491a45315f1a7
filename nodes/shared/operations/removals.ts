import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../contract/endpoints';
import { searchTextOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import type { Resource } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { flagOf, idOf, isOtherId } from '../contract/readers';
import { scopeLabel } from '../contract/scope';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { deleteById, isMissing } from './delete';
import type { Removal, RemovalLimits, Result } from './types';
import { plannedDelete, plannedUpdate } from './dryRunPlan';
import { idIn, keyTextOf, nameOf, requestResource } from './resource';

/** What is done with a resource of the scope that is in no row. */
interface RemovalAction {
	readonly outcome: 'deleted' | 'disabled';
	/** What would be done to a resource. */
	readonly plan: (resource: IDataObject, note: string) => Result;
	/** Whether it is done to a resource already. */
	readonly isDone: (resource: Resource) => boolean;
	/** Does it, and returns the resource as it is then. */
	readonly execute: (
		requests: RowRequests,
		resource: IDataObject,
		id: string,
	) => Promise<IDataObject>;
}

/** The way that the unmatched action asks for; undefined for Keep. */
export function removalActionFor(row: EncodedRow): RemovalAction | undefined {
	const { contract, options } = row;
	const field = contract.fields.find((one) => one.name === contract.sync.disabledField);
	if (options.unmatchedAction === 'delete') {
		return {
			outcome: 'deleted',
			plan: (resource, note) => plannedDelete(row, resource, note),
			isDone: () => false,
			execute: async (requests, resource, id) => {
				await deleteById(requests, contract, id);
				return resource;
			},
		};
	}
	if (options.unmatchedAction !== 'disable' || field === undefined) return undefined;
	const { key: disabled } = field.wire;
	const different: EncodedField[] = [{ field, values: [['', '1']] }];
	return {
		outcome: 'disabled',
		plan: (existing, note) =>
			plannedUpdate(row, existing, different, { outcome: 'disabled', note }),
		isDone: (resource) => flagOf(resource[disabled]) === true,
		execute: async (requests, _resource, id) => {
			await requests.lock(`${contract.path}/${id}`);
			const request = apiRequest(contract, 'update', [[disabled, '1']], id);
			const answer = await requestResource(requests, request);
			if (isOtherId(idIn(answer), id) || flagOf(answer[disabled]) === false) {
				throw notDisabled(contract, field, id);
			}
			return answer;
		},
	};
}

const notDisabled = ({ value }: ResourceContract, { displayName, wire }: Field, id: string) =>
	rejection(
		`The service answered with success, but did not disable the ${value} ${id}`,
		`Look at the ${value} at the service. The next run tries again.`,
		{
			outcome: 'unknown',
			fieldErrors: { [wire.key]: [`${displayName} is not in the answer as it was sent`] },
		},
	);

/** So many of those that would be removed are named. */
const maxNamed = 10;

/** Why a run may not remove so many of a scope; undefined where it may. */
export function removalRefusal(
	row: EncodedRow,
	{ outcome }: RemovalAction,
	removed: readonly IDataObject[],
	size: number,
	{ maxCount, maxPercentage }: RemovalLimits,
): ServiceError | undefined {
	const isTooMany = removed.length > maxCount;
	if (!isTooMany && removed.length * 100 <= maxPercentage * size) return undefined;
	const limit = isTooMany
		? `Max Removals (${maxCount})`
		: `Max Removal Percentage (${maxPercentage}%)`;
	const { length } = removed;
	const count = length === size && size > 1 ? `All ${size}` : `${length} of the ${size}`;
	const things = `${row.contract.value}${size === 1 ? '' : 's'} of the scope (${scopeLabel(row.scope)})`;
	const are = length === 1 ? 'is' : 'are';
	const named = removed.slice(0, maxNamed).map((resource) => nameOf(row, resource));
	const more = length > maxNamed ? ` and ${length - maxNamed} more` : '';
	return rejection(
		`${count} ${things} ${are} in no row and would be ${outcome}, which is more than ${limit} allows`,
		`Nothing was changed. In no row: ${named.join(', ')}${more}. If the rows are complete, raise the limit under Options; Dry Run shows the whole plan.`,
	);
}

/**
 * The removal of one resource. One that is gone already needs none.
 *
 * @param replacement the row that creates one with the same destination
 */
export const removalOf = (
	row: EncodedRow,
	way: RemovalAction,
	resource: IDataObject,
	replacement: EncodedRow | undefined,
): Removal => ({
	resource: {
		name: `The ${row.contract.value} ${nameOf(row, resource)}, which is in no row`,
		data: { id: idOf(resource.id), [row.contract.key.searchBy]: keyTextOf(row, resource) },
	},
	execute: async (requests) => {
		const done = await settled(way.execute(requests, resource, idIn(resource) ?? ''));
		if (!(done instanceof ServiceError)) {
			return { resources: [done], outcome: way.outcome, reportOutcome: true };
		}
		if (isMissing(done)) return { resources: [resource], outcome: 'missing', reportOutcome: true };
		throw done;
	},
	plan: async () => {
		const renamed = replacement ? `; perhaps renamed to ${searchTextOf(replacement) ?? ''}` : '';
		return await Promise.resolve(way.plan(resource, `In no row${renamed}`));
	},
});
