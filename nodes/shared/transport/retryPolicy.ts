import type { ApiRequest, Method } from '../contract/endpoints';
import type { ApiClient } from './client';
import { growingPause } from './clock';
import type { Cause, Failure } from './serviceError';
import type { WaitingTime } from './waitingTime';

/** `1 second`, `12 seconds`: milliseconds as people say them, rounded. */
export function inSeconds(milliseconds: number): string {
	const whole = Math.round(milliseconds / 1000);
	return `${whole} ${whole === 1 ? 'second' : 'seconds'}`;
}

/** How long a request is repeated: until the row's Max Wait is over, a limited number of times, or not at all. */
type Retry = 'limited' | 'never' | 'untilDeadline';

/**
 * So often a request is repeated with `limited`: with growing pauses a minute and a half, and enough for a service that
 * fails every third request at random to lose none of many thousand rows.
 */
const maxRepeats = 15;

/** So often where nothing ever answered: the address is probably wrong, and a person should learn that soon. */
const maxRepeatsUnanswered = 3;

/**
 * Which failures are repeated. Reads, updates and deletes give the same result when they are carried out twice, so they
 * may always be repeated. A create makes a second link, so it is repeated only where the service surely did not process
 * it; where nobody knows, `operations/createOnce.ts` looks before it repeats (assumption: error statuses).
 */
const policy: Readonly<Record<Cause, { repeatable: Retry; create: Retry }>> = {
	rateLimited: { repeatable: 'untilDeadline', create: 'untilDeadline' },
	maintenance: { repeatable: 'untilDeadline', create: 'untilDeadline' },
	connectFailed: { repeatable: 'untilDeadline', create: 'untilDeadline' },
	ambiguous: { repeatable: 'limited', create: 'never' },
	rejected: { repeatable: 'never', create: 'never' },
	ended: { repeatable: 'never', create: 'never' },
};

/** How a failure of a request with this verb is repeated. */
const retryFor = (method: Method, cause: Cause): Retry =>
	policy[cause][method === 'POST' ? 'create' : 'repeatable'];

/** How much was done for one request, which decides whether it is repeated once more, and after what delay. */
export class RetryPlan {
	/** Milliseconds to wait before the next try. */
	delay = 0;

	private tries = 0;

	/** What the row waited for its earlier requests, in milliseconds. */
	private readonly waitedBefore: number;

	private refusals = 0;
	private refusedSince?: number;

	private isOver = false;

	private readonly client: ApiClient;

	/** What the row of the request has waited: tries that failed, the delays after them, and pauses of a limit. */
	private readonly waited: WaitingTime;

	constructor(client: ApiClient, waited: WaitingTime) {
		this.client = client;
		this.waited = waited;
		this.waitedBefore = waited.total;
	}

	/**
	 * Whether a failed request is to be repeated. A refusal for too many requests uses up no try.
	 *
	 * @param took milliseconds from its departure to its failure
	 */
	shouldRetry({ method }: ApiRequest, { cause }: Failure, took: number): boolean {
		this.delay = 0;
		if (cause === 'rateLimited') return this.mayBeRefused();
		const now = this.client.limiter.clock.now();
		if (cause !== 'rejected' && cause !== 'ended') this.waited.add(now - took, now);
		return this.planRetry(retryFor(method, cause));
	}

	/** A request that is refused again and again, while others get through, is given up all the same. */
	private mayBeRefused(): boolean {
		const now = this.client.limiter.clock.now();
		this.refusals += 1;
		this.refusedSince ??= now;
		const waited = this.waited.totalWith(this.refusedSince, now);
		return this.refusals <= maxRepeats || waited <= this.client.options.maxWait;
	}

	/**
	 * Plans another try after a growing delay; false where the row may not wait that long, or the service is down.
	 *
	 * @param least milliseconds that the delay has at least
	 */
	planRetry(retry: Retry, least = 0): boolean {
		if (retry === 'never') return false;
		const { client } = this;
		const { limiter, options } = client;
		const allowed = retry === 'limited' ? maxRepeats : Infinity;
		const most = limiter.throttle.hasAnswered ? allowed : maxRepeatsUnanswered;
		const delay = Math.max(least, growingPause(this.tries, limiter.clock));
		const now = limiter.clock.now();
		const waited = this.waited.totalWith(now, now + delay);
		this.isOver = client.isCircuitOpen || this.tries >= most || waited > options.maxWait;
		if (this.isOver) {
			// A row that had waited for something else before says nothing about the service.
			client.isCircuitOpen ||= this.tries > 0 || this.waitedBefore === 0;
			return false;
		}
		this.tries += 1;
		this.delay = delay;
		return true;
	}

	/** Returns how long a row that was given up has waited; empty if it has not. */
	get waitSummary(): string {
		if (!this.isOver) return '';
		const waited = `This row waited ${inSeconds(this.waited.total)} for the service`;
		const limit = `(Max Wait of ${this.client.options.maxWait / 1000} seconds)`;
		if (this.tries > 0) return `${waited} to recover, in ${this.tries + 1} tries ${limit}.`;
		return this.waitedBefore > 0 ? `${waited}, over all its requests ${limit}.` : '';
	}
}
