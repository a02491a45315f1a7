import type { IDataObject } from 'n8n-workflow';
import type { PlannedRequest } from '../contract/plan';
import { agrees, canBeFound, fieldsNamed, find } from './lookup';
import { ServiceError, settled, type Failure } from './serviceError';
import { fewTries } from './retryPolicy';
import type { Requester } from './session';
import { unwrap } from './unwrap';

const nothingToFindItBy = ({ key }: PlannedRequest): string =>
	key.searchBy === 'alias'
		? 'With an alias, or with Generate Alias under Options, the node can find out by itself.'
		: '';

/** The failure of a create of which nobody knows whether it was carried out. */
const unknown = (failure: Failure, check: string): ServiceError =>
	new ServiceError({ ...failure, advice: `${failure.advice} ${check}`.trim(), outcome: 'unknown' });

/**
 * Looks whether a create was carried out after all: the resource if exactly one is there and is ours, undefined if none
 * is there.
 *
 * @throws ServiceError where the look leaves it open
 */
async function look(
	requester: Requester,
	plan: PlannedRequest,
	failure: Failure,
): Promise<IDataObject | undefined> {
	const found = await settled(find(requester, plan));
	if (found instanceof ServiceError) {
		throw unknown(failure, `Looking for it failed too: ${found.message}.`);
	}
	const own = fieldsNamed(plan, plan.key.own);
	const ours = found.filter((resource) => own.every((field) => agrees(field, resource)));
	if (found.length === 0) return undefined;
	const [one] = ours;
	if (one && found.length === 1) return one;
	const check = `${found.length} with the same ${plan.key.searchBy} exist, but not exactly one with these values.`;
	throw unknown(failure, check);
}

/**
 * Creates a resource exactly once. Where the outcome of a request is unknown, it looks before it repeats: with an alias
 * or name the resource can be found again, and is adopted if its values are ours; without one the row fails, for a
 * guess would make a second one or lose the first.
 */
export async function create(requester: Requester, plan: PlannedRequest): Promise<IDataObject> {
	let doubt: Failure | undefined;
	for (let repeats = 0; ; repeats += 1) {
		const body = await settled(requester.request(plan));
		const outcome = body instanceof ServiceError ? body : unwrap(body, plan);
		if (!(outcome instanceof ServiceError)) return outcome;
		const { failure } = outcome;
		// Refused after a doubt: what took the alias may be our own first attempt, which arrived late.
		const isOpen = failure.outcome === 'unknown' || (doubt && failure.statusCode === 422);
		if (!isOpen) throw outcome;
		if (!canBeFound(plan)) throw unknown(failure, nothingToFindItBy(plan));
		const adopted = await look(requester, plan, doubt ?? failure);
		if (adopted) return adopted;
		if (failure.outcome !== 'unknown' || repeats >= fewTries) throw outcome;
		if (!(await requester.backOff(repeats))) throw outcome;
		doubt = failure;
		requester.session.repeats += 1;
	}
}
