import type { IDataObject } from 'n8n-workflow';
import type { EncodedField, Pair, PlannedRequest } from '../contract/plan';
import { Invalid, type Address, type WireValue } from '../contract/types';
import { isEmpty, isUnset } from '../contract/values';
import { list } from './list';
import { ServiceError } from './serviceError';
import type { Requester } from './session';

/** Values in an order of their own where the service keeps none: the ids of an array. */
const comparable = (values: readonly WireValue[]) =>
	JSON.stringify(
		[...values].sort(([a, x], [b, y]) => (a === '[]' && b === '[]' ? compare(x, y) : 0)),
	);

const compare = (one: string, other: string) => (one < other ? -1 : Number(one > other));

/** Whether a resource holds what a field was encoded to. A secret never comes back, so one that is set never agrees. */
export function agrees({ field, values, cleared }: EncodedField, resource: IDataObject): boolean {
	const held = (field.wire.held ?? ((one) => one[field.wire.key]))(resource);
	// Of a secret only whether there is one comes back.
	if (cleared) return isEmpty(held, field) || held === false;
	if (isUnset(held) || field.typeOptions?.password) return false;
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

const searchFor = (text: string, { key }: PlannedRequest): Pair[] => [
	['search', text],
	['search_by', key.searchBy],
];

/**
 * The resources that are the one a plan speaks of: exact matches only, though the service's search finds more. Reads
 * every page that the search has.
 *
 * @throws ServiceError as any read; an HTTP error is never taken for "not found"
 */
export async function find(requester: Requester, plan: PlannedRequest): Promise<IDataObject[]> {
	const search = searchOf(plan) ?? '';
	const pairs = searchFor(search, plan);
	const found = await list(requester, { path: plan.path, pairs, limit: Infinity });
	const identity = fieldsNamed(plan, plan.key.identity);
	return found.filter((resource) => identity.every((field) => agrees(field, resource)));
}

const nowhere = ({ text }: Address) =>
	new ServiceError({
		cause: 'refused',
		message: `No link has the short URL ${text}`,
		advice: 'Check its spelling, or choose the link from the list.',
		statusCode: 404,
	});

const manifold = ({ text }: Address, count: number) =>
	new ServiceError({
		cause: 'refused',
		message: `${count} links have the short URL ${text}`,
		advice: 'Choose the link from the list, or name it by its ID.',
	});

/**
 * A plan whose path names a resource by its ID: the plan itself, or where it has an address, what the service's search
 * finds at it.
 *
 * @throws ServiceError as any read; where nothing or more than one is found, with status 404 where nothing is
 */
export async function located(requester: Requester, plan: PlannedRequest): Promise<PlannedRequest> {
	const { address } = plan;
	if (!address) return plan;
	const found = await list(requester, {
		path: plan.path.replace('/{id}', ''),
		pairs: searchFor(address.search, plan),
		limit: Infinity,
	});
	const [one, ...others] = found.filter(address.fits);
	if (!one) throw nowhere(address);
	if (others.length > 0) throw manifold(address, others.length + 1);
	const id = String(one.id);
	return { ...plan, id, path: plan.path.replace('{id}', encodeURIComponent(id)) };
}
