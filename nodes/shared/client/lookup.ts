import type { IDataObject } from 'n8n-workflow';
import type { EncodedField, PlannedRequest } from '../contract/encode';
import { Invalid, type WireValue } from '../contract/types';
import { isUnset } from '../contract/values';
import { list } from './list';
import type { Requester } from './session';

/** Values in an order of their own where the service keeps none: the ids of an array. */
const comparable = (values: readonly WireValue[]) =>
	JSON.stringify(
		[...values].sort(([a, x], [b, y]) => (a === '[]' && b === '[]' ? compare(x, y) : 0)),
	);

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Whether a resource holds what a field was encoded to. A secret never comes back, so it never agrees. */
export function agrees({ field, values }: EncodedField, resource: IDataObject): boolean {
	const held = (field.wire.held ?? ((one) => one[field.wire.key]))(resource);
	if (isUnset(held)) return false;
	const encoded = field.wire.codec(held, field);
	return !(encoded instanceof Invalid) && comparable(encoded) === comparable(values);
}

/** The fields of a plan whose keys are named. */
export const fieldsNamed = ({ fields }: PlannedRequest, keys: readonly string[]): EncodedField[] =>
	fields.filter(({ field }) => keys.includes(field.wire.key));

/** What a plan's resource can be found by, or undefined where the row gave none. */
function searchOf(plan: PlannedRequest): string | undefined {
	const [searched] = fieldsNamed(plan, [plan.key.searchBy]);
	return searched?.values[0]?.[1];
}

/** Whether the plan holds what its resource could be found by. */
export const canBeFound = (plan: PlannedRequest) => searchOf(plan) !== undefined;

/**
 * The resources that are the one a plan speaks of: exact matches only, though the service's search finds more. Reads
 * every page that the search has.
 *
 * @throws ServiceError as any read; an HTTP error is never taken for "not found"
 */
export async function find(requester: Requester, plan: PlannedRequest): Promise<IDataObject[]> {
	const search = searchOf(plan) ?? '';
	const found = await list(requester, {
		path: plan.path,
		pairs: [
			['search', search],
			['search_by', plan.key.searchBy],
		],
		limit: Infinity,
	});
	const identity = fieldsNamed(plan, plan.key.identity);
	return found.filter((resource) => identity.every((field) => agrees(field, resource)));
}
