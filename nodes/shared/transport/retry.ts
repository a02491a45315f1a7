import type { ApiRequest, Method } from '../contract/endpoints';
import { growingPause, type Health, type WaitingTime } from './backoff';
import type { ApiClient } from './client';
import { inSeconds, type Cause, type Failure } from './failures';

/** How long a request is retried: until Max Wait of the row is over, a limited number of times, or not at all. */
export type RetryLimit = 'limited' | 'never' | 'untilDeadline';

/**
 * Max number of retries with `limited`. If a service fails every third request at random, no row of many thousands is lost.
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
 * The retries after each cause. Reads, updates and deletes are idempotent, so they may always be retried. A second create
 * makes a second resource, so a create is retried only if the service did not process it. If that is unknown,
 * `operations/createOnce.ts` searches for the resource first (assumption: error statuses).
 */
const policy: Readonly<Record<Cause, { idempotent: RetryLimit; create: RetryLimit }>> = {
	rateLimited: { idempotent: 'untilDeadline', create: 'untilDeadline' },
	maintenance: { idempotent: 'untilDeadline', create: 'untilDeadline' },
	connectFailed: { idempotent: 'untilDeadline', create: 'untilDeadline' },
	ambiguous: { idempotent: 'limited', create: 'never' },
	rejected: { idempotent: 'never', create: 'never' },
	ended: { idempotent: 'never', create: 'never' },
	unsupported: { idempotent: 'never', create: 'never' },
};

/** Returns how long a request is retried after a failure. */
export const retryLimitOf = (method: Method, cause: Cause): RetryLimit =>
	policy[cause][method === 'POST' ? 'create' : 'idempotent'];

/** The retries of one request. Decides whether to send it again, and after which delay. */
export class RetryPlan {
	/** Milliseconds before the next retry. */
	delay = 0;

	/** Set if the delay ends early when the service recovers. */
	health?: Health;

	private retries = 0;

	/** The milliseconds that the row waited for its earlier requests. */
	private readonly waitedBefore: number;

	private refusals = 0;
	private refusedSince?: number;

	private isGivenUp = false;

	private readonly client: ApiClient;

	/** The waiting time of the row: failed requests, delays before retries, and pauses of a rate limit. */
	private readonly waited: WaitingTime;

	private readonly serviceHealth: Health;

	/** @param serviceHealth the failures of the account's requests of the same kind; writes by default */
	constructor(client: ApiClient, waited: WaitingTime, serviceHealth = client.limiter.writes) {
		this.client = client;
		this.waited = waited;
		this.waitedBefore = waited.total;
		this.serviceHealth = serviceHealth;
	}

	/**
	 * Returns whether to retry a failed request. A refusal for too many requests does not count as a retry.
	 *
	 * @param took the milliseconds from the request to its failure
	 */
	shouldRetry({ method }: ApiRequest, { cause }: Failure, took: number): boolean {
		this.delay = 0;
		const now = this.client.limiter.clock.now();
		if (cause === 'rateLimited') return this.shouldRetryRefusal(now);
		if (cause !== 'rejected' && cause !== 'ended') {
			this.waited.add(now - took, now);
			this.serviceHealth.failed(now - took, now);
		}
		return this.planRetry(retryLimitOf(method, cause));
	}

	/** Returns whether to retry a refused request. A request that is always refused fails, even if other requests succeed. */
	private shouldRetryRefusal(now: number): boolean {
		this.refusals += 1;
		this.refusedSince ??= now;
		const waited = this.waited.totalWith(this.refusedSince, now);
		return this.refusals <= maxRetries || waited <= this.client.options.maxWait;
	}

	/**
	 * Plans a retry after a delay that grows with the failures of the service.
	 *
	 * @param least min delay in milliseconds
	 * @returns false if the row must not wait that long, or if the service is down
	 */
	planRetry(limit: RetryLimit, least = 0): boolean {
		if (limit === 'never') return false;
		const { client, retries, serviceHealth } = this;
		const { clock, throttle } = client.limiter;
		const allowed = limit === 'limited' ? maxRetries : Infinity;
		const most = throttle.hasAnswered ? allowed : maxRetriesUnanswered;
		const now = clock.now();
		const isTooLong = (delay: number) =>
			this.waited.totalWith(now, now + delay) > client.options.maxWait;
		const own = Math.max(least, growingPause(retries, clock));
		const shared = Math.max(least, growingPause(Math.max(0, serviceHealth.failures - 1), clock));
		// A row that may not wait for the service to recover waits as long as it can.
		const isShared = throttle.hasAnswered && retries < sharedRetries && !isTooLong(shared);
		this.delay = isShared ? shared : own;
		this.health = isShared && least === 0 ? serviceHealth : undefined;
		this.isGivenUp = client.isCircuitOpen || retries >= most || isTooLong(this.delay);
		if (this.isGivenUp) {
			// A row that had waited before may fail for that reason, and not because the service is down.
			client.isCircuitOpen ||= retries > 0 || this.waitedBefore === 0;
			return false;
		}
		this.retries += 1;
		return true;
	}

	/** A sentence about how long a failed row has waited; empty if it has not waited. */
	get waitSummary(): string {
		if (!this.isGivenUp) return '';
		const waited = `This item waited ${inSeconds(this.waited.total)} for the service`;
		const limit = `(Max Wait of ${this.client.options.maxWait / 1000} seconds)`;
		if (this.retries > 0) return `${waited} to recover, in ${this.retries + 1} tries ${limit}.`;
		return this.waitedBefore > 0 ? `${waited}, over all its requests ${limit}.` : '';
	}
}
