import type { ApiRequest, Method } from '../contract/endpoints';
import { inSeconds, type Cause, type Failure } from './failures';

/** A source of time and random numbers. Tests replace it. */
export interface Clock {
	/** Returns the milliseconds of a monotonic clock. */
	now(): number;
	/** Waits for a number of milliseconds. Never rejects. */
	sleep(milliseconds: number): Promise<void>;
	/** Returns a number from 0 to 1. */
	random(): number;
}

/**
 * Returns the milliseconds of a pause with exponential backoff: up to half a second at first, and up to 10 seconds after
 * more failures. Half of it is random.
 *
 * @param failures the number of earlier failures
 */
export const growingPause = (failures: number, { random }: Pick<Clock, 'random'>): number =>
	Math.min(500 * 2 ** Math.max(0, failures), 10_000) * (0.5 + random() / 2);

/** The milliseconds that one row has waited for the service, over all its requests. Overlapping periods count once. */
export class WaitingTime {
	total = 0;

	private end = -Infinity;

	/** Returns the total with another period, without adding it. */
	totalWith(from: number, to: number): number {
		return this.total + Math.max(0, to - Math.max(from, this.end));
	}

	/** Adds a period. */
	add(from: number, to: number): void {
		this.total = this.totalWith(from, to);
		this.end = Math.max(this.end, to);
	}
}

/** Whether a service fails: the delay before a retry depends on all requests of the account, not on those of one row. */
export class Health {
	/** Number of failures since the last success. */
	failures = 0;

	private countedAt = -Infinity;

	/** Counts a failure. Requests that were in flight together count once. Times in milliseconds. */
	failed(sentAt: number, now: number): void {
		if (sentAt < this.countedAt) return;
		this.failures += 1;
		this.countedAt = now;
	}

	/** Returns the milliseconds before a retry. Up to three failures may be chance. With more, the delay grows fourfold. */
	delay(clock: Clock): number {
		return growingPause(2 * (this.failures - 3), clock);
	}
}

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

/** The run of a request, as far as retries depend on it. */
export interface RetryingRun {
	readonly options: { readonly maxWait: number };
	readonly limiter: {
		readonly clock: Clock;
		readonly throttle: { readonly hasAnswered: boolean };
		readonly writes: Health;
	};
	/** Whether a row failed after all its retries, and no request has succeeded since. If so, no row retries. */
	isCircuitOpen: boolean;
}

/** The retries of one request. Decides whether to send it again, and after which delay. */
export class RetryPlan {
	/** Milliseconds before the next retry. */
	delay = 0;

	/** Set if the delay ends early when the service recovers. */
	health?: Health;

	/** The waiting time of the row: failed requests, delays before retries, and pauses of a rate limit. */
	readonly waited: WaitingTime;

	private readonly run: RetryingRun;

	private readonly serviceHealth: Health;

	/** The milliseconds that the row waited for its earlier requests. */
	private readonly waitedBefore: number;

	private retries = 0;

	/** The number of refusals for too many requests, and the time of the first one. */
	private refusals = 0;
	private refusedSince?: number;

	private isGivenUp = false;

	/** @param serviceHealth the failures of the account's requests of the same kind; writes by default */
	constructor(run: RetryingRun, waited: WaitingTime, serviceHealth = run.limiter.writes) {
		this.run = run;
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
		const now = this.run.limiter.clock.now();
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
		return this.waited.totalWith(from, to) <= this.run.options.maxWait;
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
		const { run, retries, serviceHealth } = this;
		const { clock, throttle } = run.limiter;
		const now = clock.now();
		const most = throttle.hasAnswered ? allowed : maxRetriesUnanswered;
		const own = Math.max(least, growingPause(retries, clock));
		const shared = Math.max(least, serviceHealth.delay(clock));
		// A row that may not wait for the service to recover waits as long as it can.
		const isShared =
			throttle.hasAnswered && retries < sharedRetries && this.mayWait(now, now + shared);
		this.delay = isShared ? shared : own;
		this.health = isShared && least === 0 ? serviceHealth : undefined;
		this.isGivenUp = run.isCircuitOpen || retries >= most || !this.mayWait(now, now + this.delay);
		if (!this.isGivenUp) this.retries += 1;
		// A row that had waited before may fail for that reason, and not because the service is down.
		else run.isCircuitOpen ||= retries > 0 || this.waitedBefore === 0;
		return !this.isGivenUp;
	}

	/** A sentence about how long a failed row has waited; empty if it has not waited. */
	get waitSummary(): string {
		if (!this.isGivenUp) return '';
		const waited = `This item waited ${inSeconds(this.waited.total)} for the service`;
		const limit = `(Max Wait of ${this.run.options.maxWait / 1000} seconds)`;
		if (this.retries > 0) return `${waited} to recover, in ${this.retries + 1} tries ${limit}.`;
		return this.waitedBefore > 0 ? `${waited}, over all its requests ${limit}.` : '';
	}
}
