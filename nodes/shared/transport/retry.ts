import type { ApiRequest, Method } from '../contract/endpoints';
import type { ApiClient } from './client';
import { type Cause, type Failure, inSeconds } from './failures';
import { growingPause, type Health, type WaitingTime } from './time';

/**
 * Max number of retries after an unknown outcome. If a service fails every third request at random, no row of many thousands
 * is lost.
 */
const maxRetries = 15;

/** Max number of retries if the service has never responded. The address is probably wrong, so the user should see the error soon. */
const maxRetriesUnanswered = 3;

/**
 * The number of retries whose delays depend on the health of the service. A request that fails more often may fail for a
 * reason of its own, so its later delays grow regardless of other requests.
 */
const sharedRetries = 7;

/**
 * Returns the max number of retries after a failure. A request that the service did not process is retried until Max Wait of
 * the row is over. Reads, updates and deletes are idempotent, so they may always be retried. A second create makes a second
 * resource, so after an unknown outcome `operations/createOnce.ts` searches for the resource first (assumption: error statuses).
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
	return caller
		? `The node ${text}.`
		: `This item ${text} (Max Wait of ${maxWait / 1000} seconds).`;
}

/** The retries of one request. Decides whether to send it again, and after which delay. */
export class RetryPlan {
	/** Milliseconds before the next retry. */
	delay = 0;

	/** Set if the delay ends early when the service recovers. */
	health?: Health;

	/** The waiting time of the row: failed requests, delays before retries, and pauses of a rate limit. */
	readonly waited: WaitingTime;

	private readonly client: ApiClient;

	private readonly serviceHealth: Health;

	/** The milliseconds that the row waited for its earlier requests. */
	private readonly waitedBefore: number;

	private retries = 0;

	/** The number of refusals for too many requests, and the time of the first one. */
	private refusals = 0;
	private refusedSince?: number;

	private isGivenUp = false;

	/** @param serviceHealth the failures of the account's requests of the same kind; writes by default */
	constructor(client: ApiClient, waited: WaitingTime, serviceHealth = client.limiter.writes) {
		this.client = client;
		this.waited = waited;
		this.waitedBefore = waited.total;
		this.serviceHealth = serviceHealth;
	}

	/**
	 * Returns whether to retry a failed request. A refusal for too many requests does not count as a retry. A request that is
	 * always refused fails, even if other requests succeed.
	 *
	 * @param took the milliseconds from the request to its failure
	 */
	shouldRetry({ method }: ApiRequest, { cause }: Failure, took: number): boolean {
		const now = this.client.limiter.clock.now();
		this.delay = 0;
		if (cause === 'rateLimited') {
			this.refusals += 1;
			this.refusedSince ??= now;
			return this.refusals <= maxRetries || this.mayWait(this.refusedSince, now);
		}
		if (cause !== 'rejected' && cause !== 'ended') {
			this.waited.add(now - took, now);
			this.serviceHealth.failed(now - took, now);
		}
		return this.planRetry(0, maxRetriesOf(method, cause));
	}

	private mayWait(from: number, to: number): boolean {
		return this.waited.totalWith(from, to) <= this.client.options.maxWait;
	}

	/**
	 * Plans a retry after a delay that grows with the failures of the service.
	 *
	 * @param least min delay in milliseconds
	 * @param allowed max number of retries
	 * @returns false if the row must not wait that long, or if the service is down
	 */
	planRetry(least = 0, allowed = maxRetries): boolean {
		if (allowed === 0) return false;
		const { client, retries, serviceHealth } = this;
		const { clock, throttle } = client.limiter;
		const now = clock.now();
		const most = throttle.hasAnswered ? allowed : maxRetriesUnanswered;
		const own = Math.max(least, growingPause(retries, clock));
		const shared = Math.max(least, serviceHealth.delay(clock));
		// A row that may not wait for the service to recover waits as long as it can.
		const isShared =
			throttle.hasAnswered && retries < sharedRetries && this.mayWait(now, now + shared);
		this.delay = isShared ? shared : own;
		this.health = isShared && least === 0 ? serviceHealth : undefined;
		this.isGivenUp =
			client.isCircuitOpen || retries >= most || !this.mayWait(now, now + this.delay);
		if (!this.isGivenUp) this.retries += 1;
		// A row that had waited before may fail for that reason, and not because the service is down.
		else client.isCircuitOpen ||= retries > 0 || this.waitedBefore === 0;
		return !this.isGivenUp;
	}

	/** A sentence about how long a failed row has waited; empty if it has not waited. */
	get waitSummary(): string {
		const { client, retries, waited, waitedBefore } = this;
		if (!this.isGivenUp || (retries === 0 && waitedBefore === 0)) return '';
		const what = retries > 0 ? ` to recover, in ${retries + 1} tries` : ', over all its requests';
		return waitText(client, waited.total, what);
	}
}
