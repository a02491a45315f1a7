import type { Method } from '../contract/operations';
import type { ApiClient } from './client';
import { type Cause, type Failure, inSeconds } from './failures';
import { growingPause, type Health, type WaitingTime } from './throttle';

/**
 * Max number of retries after an unknown outcome. If a service fails every third request at random, no row of many thousands
 * is lost.
 */
const maxRetries = 15;

/** Max number of retries if the service has never responded. The address is probably wrong, so the user should see the error soon. */
const maxRetriesUnanswered = 3;

/**
 * The number of retries whose delays depend on the health of the service. A request that fails more often may fail for a
 * reason of its own, so its later delays also grow on their own, and do not end early.
 */
const sharedRetries = 7;

/**
 * Returns the max number of retries after a failure. A request that the service did not process is retried until Max Wait of
 * the row is over. Reads, updates and deletes are idempotent, so they may always be retried. A second create makes a second
 * resource, so after an unknown outcome `operations/create.ts` searches for the resource first (assumption: error statuses).
 */
export function maxRetriesOf(method: Method, cause: Cause): number {
	if (cause === 'rateLimited' || cause === 'maintenance' || cause === 'connectFailed')
		return Infinity;
	return cause === 'ambiguous' && method !== 'POST' ? maxRetries : 0;
}

/**
 * Returns a sentence about how long a row has waited, with its limit if that is an option of the node.
 *
 * @param waited milliseconds
 * @param what continues the sentence
 */
export function waitText({ options }: ApiClient, waited: number, what: string): string {
	const { caller, maxWait } = options;
	const text = `waited ${inSeconds(waited)} for the service${what}`;
	if (caller) return `The node ${text}.`;
	return `This item ${text} (Max Wait of ${maxWait / 1000} seconds).`;
}

/** The retries of one request. */
export type RetryPlan = ReturnType<typeof retryPlan>;

/**
 * Returns the retries of one request: decides whether to send it again, and after which delay.
 *
 * @param waited the waiting time of the row: failed requests, delays before retries, and pauses of a rate limit
 */
export function retryPlan(client: ApiClient, waited: WaitingTime, method: Method) {
	const { options, limiter } = client;
	const { clock } = limiter;
	/** The failures of the account's requests of the same kind. */
	const health = method === 'GET' ? limiter.reads : limiter.writes;
	const waitedBefore = waited.total;
	let [retries, refusals, isGivenUp] = [0, 0, false];
	let refusedSince: number | undefined;
	/** The wait before the next retry. It has `health` if it ends early when the service recovers. */
	const next = { waited, milliseconds: 0, health: undefined as Health | undefined };
	const mayWait = (from: number, to: number) => waited.totalWith(from, to) <= options.maxWait;

	/** Plans a retry after at least some milliseconds. Returns false if the row must not wait, or if the service is down. */
	const planRetry = (least = 0, allowed = maxRetries): boolean => {
		if (allowed === 0) return false;
		const { hasAnswered } = limiter.throttle;
		const now = clock.now();
		const most = hasAnswered ? allowed : maxRetriesUnanswered;
		const own = growingPause(retries - sharedRetries, clock);
		const shared = Math.max(least, health.delay(clock), own);
		// A row that may not wait for the service to recover waits as long as it can.
		const isShared = hasAnswered && mayWait(now, now + shared);
		next.milliseconds = isShared ? shared : Math.max(least, growingPause(retries, clock));
		next.health = isShared && retries < sharedRetries && least === 0 ? health : undefined;
		isGivenUp = client.isCircuitOpen || retries >= most || !mayWait(now, now + next.milliseconds);
		if (!isGivenUp) retries += 1;
		// A row that had waited before may fail for that reason, and not because the service is down.
		else client.isCircuitOpen ||= retries > 0 || waitedBefore === 0;
		return !isGivenUp;
	};

	/** Returns whether to retry a request that failed some milliseconds after it was sent. */
	const shouldRetry = ({ cause }: Failure, took: number): boolean => {
		const now = clock.now();
		next.milliseconds = 0;
		if (cause === 'rateLimited') {
			// It does not count as a retry. But a request that is always refused fails, even if others succeed.
			refusals += 1;
			refusedSince ??= now;
			return refusals <= maxRetries || mayWait(refusedSince, now);
		}
		if (cause !== 'rejected' && cause !== 'ended') {
			waited.add(now - took, now);
			health.failed(now - took, now);
		}
		return planRetry(0, maxRetriesOf(method, cause));
	};

	/** Returns a sentence about how long a failed row has waited; empty if it has not waited. */
	const summary = (): string => {
		if (!isGivenUp || (retries === 0 && waitedBefore === 0)) return '';
		const what = retries > 0 ? ` to recover, in ${retries + 1} tries` : ', over all its requests';
		return waitText(client, waited.total, what);
	};
	return { health, next, planRetry, shouldRetry, summary };
}
