import type { IDataObject } from 'n8n-workflow';
import { hasValuesOf, isSame, mayBeCreatedBy } from '../contract/compare';
import { type EncodedRow, fieldsToCreate, paramsOf, searchTextOf } from '../contract/encodedRow';
import { apiRequest, comparesFirst, newestFirst, pageSizes } from '../contract/operations';
import { joinSentences, ServiceError, settled, type Failure } from '../transport/failures';
import { retryPlan, type RetryPlan } from '../transport/retry';
import type { RowRequests } from '../transport/rowRequests';
import { byKey, findCandidates } from './find';
import { list } from './list';
import { keyLabelOf, keyFor, requestResource, textLocksOf } from './resource';
import { idAndAddress, type ResponseChecks } from './responses';
import type { OperationCode } from './types';

/** Returns whether a create was refused because its key may be taken (assumption: field errors). */
export const mayBeTaken = ({ statusCode, outcome }: Failure): boolean =>
	(statusCode === 409 || statusCode === 422) && outcome !== 'unknown';

/** Returns the failure of a create that the service may have processed. */
const unknownCreate = (failure: Failure, advice: string): ServiceError =>
	new ServiceError({
		...failure,
		advice: joinSentences(failure.advice, advice),
		outcome: 'unknown',
		mayBeDone: true,
		isUnknownCreate: true,
	});

const lostBefore = 'An earlier try got no response, and may have created another one.';

const nothingCreated = 'The node searched for it. Nothing was created for this item.';

/** Returns the failure of a create that the service did not process, regardless of its response. */
const notCreated = (failure: Failure, reason: string): ServiceError =>
	new ServiceError({
		...failure,
		...{ outcome: 'failed', mayBeDone: undefined, claim: undefined },
		advice: joinSentences(failure.advice, nothingCreated, reason),
	});

/** Delay before the look-up after a time-out, because the create may arrive late: in time-outs, and max milliseconds. */
const lateDelay = { timeouts: 3, most: 60_000 };

/** A create whose response may be lost. */
interface Attempt {
	readonly requests: RowRequests;
	readonly row: EncodedRow;
	readonly checks: ResponseChecks;
	readonly retries: RetryPlan;
	/** The last failure with an unknown outcome. */
	doubt?: Failure;
}

/**
 * Looks up the resource that a create may have created. Returns it if exactly one exists with the key and no value contradicts
 * the row; undefined if none exists. A service that refuses a taken key creates no resource under another one.
 *
 * @throws ServiceError if the outcome stays unknown, and for a new resource with the values of the row under another key
 */
async function lookUpCreated({ requests, row, checks, doubt }: Attempt, failure: Failure) {
	const { key, path, value } = row.contract;
	if (searchTextOf(row) === undefined) {
		const canGenerate = key.generatedBy !== undefined && !comparesFirst(row.operation);
		const or = canGenerate ? ` or with ${key.generatedBy} under Options` : '';
		throw unknownCreate(failure, `With ${keyLabelOf(row)}${or}, the node can find it.`);
	}
	const keyed = byKey(row);
	const candidates = await settled(findCandidates(requests, keyed));
	if (candidates instanceof ServiceError) {
		const reason = `The search for it failed, too: ${candidates.message.replace(/\.$/, '')}.`;
		throw unknownCreate(failure, candidates.failure.cause === 'ended' ? '' : reason);
	}
	const isOwn = (resource: IDataObject) => isSame(keyed, resource);
	// The second search reads the newest resources as well, because a service may have changed the key, or ignore searches.
	const isSecond = doubt && !candidates.some(isOwn);
	const listing = { path, params: newestFirst, limit: pageSizes[0] };
	const read = isSecond ? await settled(list(requests, listing)) : [];
	const newest = read instanceof ServiceError ? [] : read;
	const { lastLocks } = requests.client.limiter.locks;
	// Rows often differ only in the key, so another row may have created the resource, and may not know it yet.
	const isOfOther = (each: IDataObject) => {
		const lock = keyFor(row.contract, key.searchBy, each[key.searchBy]);
		return lastLocks.has(lock) && !textLocksOf(row).includes(lock);
	};
	const renamed = newest.find(
		(each) => !isOwn(each) && !isOfOther(each) && !checks.isKnown(each) && hasValuesOf(row, each),
	);
	const matches = [...candidates, ...newest].filter(isOwn);
	const [match, ...more] = matches;
	if (!match && renamed) {
		const message = `The create got no response, and another ${value} has the values of the item (${idAndAddress(row, renamed)})`;
		throw checks.stray(row, renamed, { message });
	}
	if (!match) return undefined;
	if (matches.some((resource) => checks.hasCreated(resource))) {
		const reason = `An earlier item created the ${value} with the same ${key.searchBy}.`;
		throw notCreated(failure, reason);
	}
	if (more.length === 0 && mayBeCreatedBy(row, match)) return match;
	const same = `with the same ${key.searchBy}`;
	const others = `${matches.length} ${value}s ${same}`;
	const one = `a ${value} ${same}, but with other values`;
	throw unknownCreate(failure, `The service has ${more.length === 0 ? one : others}.`);
}

/** Waits before the look-up or the retry. */
async function backOff({ requests, retries, doubt }: Attempt, failure: Failure): Promise<void> {
	const ended = await settled(requests.wait(retries.next));
	if (ended instanceof ServiceError) throw unknownCreate(doubt ?? failure, '');
}

/**
 * Returns the resource if the service created it although its response shows a failure; undefined if the create must be retried.
 *
 * @throws ServiceError if the create failed, or if its outcome stays unknown
 */
async function afterFailure(attempt: Attempt, error: ServiceError) {
	const { requests, row, retries, doubt } = attempt;
	const { failure } = error;
	if (failure.written) throw error;
	// After a doubt, our own first attempt may have arrived late and taken the alias.
	const isOpen = failure.outcome === 'unknown' || (doubt && failure.statusCode === 422);
	if (!isOpen) throw doubt ? unknownCreate({ ...doubt, cause: failure.cause }, '') : error;
	const late = Math.min(lateDelay.timeouts * requests.client.options.timeout, lateDelay.most);
	const mayRetry = searchTextOf(row) !== undefined && failure.cause === 'ambiguous';
	const isRetried = mayRetry && retries.planRetry(failure.isTimeout ? late : 0);
	if (isRetried && failure.isTimeout) await backOff(attempt, failure);
	const resource = await lookUpCreated(attempt, doubt ?? failure);
	if (resource) return resource;
	if (failure.cause !== 'ambiguous') {
		if (doubt) throw unknownCreate(failure, 'An earlier try got no response');
		// Without an error status, the service may have stored what its search does not find yet.
		const isError = (failure.statusCode ?? 0) >= 400;
		throw isError
			? notCreated(failure, '')
			: unknownCreate(failure, 'The node searched for it and did not find it.');
	}
	if (!isRetried) throw error;
	if (!failure.isTimeout) await backOff(attempt, failure);
	attempt.doubt = failure;
	requests.client.retries += 1;
	return undefined;
}

/**
 * Creates the resource of a row exactly once, and checks the response. After an unknown outcome it looks up the resource before it
 * retries the create. Without an alias or name the row fails, because a retry could create a second resource, as it could after
 * a stray create.
 *
 * @throws ServiceError if the create fails or its outcome is unknown, and in the same cases as `ResponseChecks.checkCreate`
 */
export async function createOnce(requests: RowRequests, row: EncodedRow, checks: ResponseChecks) {
	const request = apiRequest(row.contract, 'create', paramsOf(fieldsToCreate(row)));
	const retries = retryPlan(requests.client, requests.waited, 'POST');
	const attempt: Attempt = { requests, row, checks, retries };
	for (;;) {
		const sent = await settled(requestResource(requests, request, checks.createHooks));
		const resource = sent instanceof ServiceError ? await afterFailure(attempt, sent) : sent;
		if (!resource) continue;
		checks.checkCreate(row, resource, attempt.doubt && lostBefore);
		return resource;
	}
}

/**
 * Creates a resource for each row. Rows with the same alias or name run one after the other, so that the first row gets it.
 */
export const create: OperationCode = (_run, writer) => ({
	prepare: writer.prepareCreates,
	execute: async (requests, row) => {
		await requests.locks.acquireTexts(textLocksOf(row));
		return await writer.write(requests, row, { outcome: 'created' });
	},
});
