import type { IDataObject } from 'n8n-workflow';
import { mayBeCreatedBy } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { fieldsToCreate, paramsOf, searchTextOf, type EncodedRow } from '../contract/encodeRow';
import { Effort } from '../transport/effort';
import type { RequestHooks, RowRequests } from '../transport/rowRequests';
import { ServiceError, settled, type Failure } from '../transport/serviceError';
import type { AnswerChecks } from './answers';
import { findByKey } from './find';
import { idIn, requestResource } from './resource';

/** Statuses that refuse a create because something of the same key is there (assumption: field errors). */
export const taken: ReadonlyArray<number | undefined> = [409, 422];

/** The failure of a create of which nobody knows whether it was carried out. */
const unknown = (failure: Failure, check: string): ServiceError =>
	new ServiceError({ ...failure, advice: `${failure.advice} ${check}`.trim(), outcome: 'unknown' });

/** The failure of a create that was surely not carried out, whatever its answer said. */
const notCreated = ({ advice, ...failure }: Failure, why: string): ServiceError => {
	const [, said = ''] = advice.match(/(The service said: .*)$/s) ?? [];
	const told = ['The node looked for it. Nothing was created.', why, said].filter(
		(text) => text !== '',
	);
	return new ServiceError({ ...failure, outcome: 'failed', advice: told.join(' ') });
};

/**
 * Looks whether a create was carried out after all: the resource if exactly one is there and nothing speaks against its
 * being ours, undefined if none is there.
 *
 * @throws ServiceError where the look leaves it open
 */
async function lookForOwn(
	requests: RowRequests,
	row: EncodedRow,
	failure: Failure,
): Promise<IDataObject | undefined> {
	const { searchBy } = row.contract.key;
	if (searchTextOf(row) === undefined) {
		const hint =
			searchBy === 'alias'
				? 'With an alias, or with Generate Alias under Options, the node can find out by itself.'
				: '';
		throw unknown(failure, hint);
	}
	const found = await settled(findByKey(requests, row));
	if (found instanceof ServiceError) {
		throw unknown(failure, `Looking for it failed too: ${found.message}.`);
	}
	const [one, ...others] = found;
	if (!one) return undefined;
	if (found.some((resource) => requests.client.created.has(idIn(resource) ?? ''))) {
		throw notCreated(failure, `An earlier row has created the one with the same ${searchBy}.`);
	}
	if (others.length === 0 && mayBeCreatedBy(row, one)) return one;
	throw unknown(
		failure,
		`${found.length} with the same ${searchBy} exist, but not exactly one with these values.`,
	);
}

/** So many time-outs a create that was given up has to arrive after all, before it is looked for: milliseconds at most. */
const late = { timeouts: 3, most: 60_000 };

/**
 * Creates a resource exactly once. Where the outcome of a request is unknown, it looks before it repeats: with an alias
 * or name the resource can be found again, and is adopted if its values are ours; without one the row fails, for a
 * guess would make a second one or lose the first. After a time-out it looks later, because the service may be at work.
 */
async function createOrAdopt(
	requests: RowRequests,
	row: EncodedRow,
	hooks: RequestHooks,
): Promise<IDataObject> {
	const { client } = requests;
	const request = apiRequest(row.contract, 'create', paramsOf(fieldsToCreate(row)));
	const effort = new Effort(client, requests.waited);
	let doubt: Failure | undefined;
	for (;;) {
		const created = await settled(requestResource(requests, request, hooks));
		if (!(created instanceof ServiceError)) return created;
		const { failure } = created;
		const isUnknown = failure.outcome === 'unknown';
		// Refused after a doubt: what took the alias may be our own first attempt, which arrived late.
		const isOpen = isUnknown || (doubt && failure.statusCode === 422);
		if (!isOpen) throw doubt ? unknown({ ...doubt, cause: failure.cause }, '') : created;
		const { isTimeout } = failure;
		const least = isTimeout ? Math.min(late.timeouts * client.options.timeout, late.most) : 0;
		const canLook = searchTextOf(row) !== undefined;
		const mayRepeat = canLook && failure.cause === 'ambiguous' && effort.mayTry('limited', least);
		const rest = async () => {
			const rested = await settled(requests.rest(effort.delay));
			if (rested instanceof ServiceError) throw unknown(doubt ?? failure, '');
		};
		if (mayRepeat && isTimeout) await rest();
		const own = await lookForOwn(requests, row, doubt ?? failure);
		if (own) return own;
		if (failure.cause !== 'ambiguous') throw doubt ? unknown(failure, '') : notCreated(failure, '');
		if (!mayRepeat) throw created;
		if (!isTimeout) await rest();
		doubt = failure;
		client.repeats += 1;
	}
}

/**
 * Creates a resource exactly once, remembers that this row has, and checks the answer. A stray create is neither repeated
 * nor looked for: another one could make another stray.
 *
 * @throws ServiceError as `AnswerChecks.checkCreate`
 */
export async function createOnce(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
): Promise<IDataObject> {
	const created = await createOrAdopt(requests, row, answers.createHooks(row.contract));
	const id = idIn(created) ?? '';
	const isEarlier = requests.client.created.has(id);
	requests.client.created.add(id);
	answers.checkCreate(row, created, isEarlier);
	return created;
}
