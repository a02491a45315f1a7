import type { ApiRequest, Method } from '../contract/operations';
import type { ApiClient } from './client';
import { httpExchange, httpRequestOf, type HttpExchange, type HttpRequest } from './exchange';
import { networkFailure } from './explanations';
import { inSeconds, joinSentences, openWrite, ServiceError, type Failure } from './failures';
import { rowLocks } from './locks';
import type { LongPause, QueuedRow, Stop, Wait } from './limiter';
import { retryPlan, waitText } from './retry';
import { rowSecrets, type SecretMask } from './secrets';
import { WaitingTime } from './throttle';

/** Shown instead of a list in the editor. */
const slowList = {
	message: 'The service takes too long to return the list',
	advice: 'Enter the ID instead of choosing from the list.',
};

/** Returns the failure of a wait, or of a request that is not sent, because its run or row ends. With `last`, it is a retry. */
function endedBefore({ options }: ApiClient, last?: Failure): Failure {
	const first = last ?? { message: 'The run ended before this item was sent', advice: '' };
	const { claim, outcome, mayBeDone } = last ?? {};
	const { message, advice } = options.caller === 'editor' ? slowList : first;
	return { cause: 'ended', message, advice, claim, outcome, mayBeDone };
}

/** Returns the failure of a request that is not sent, because of a pause. With `last`, the request is a retry. */
function pausedTooLong(client: ApiClient, pause: LongPause, last?: Failure): Failure {
	const { caller, maxWait } = client.options;
	const { reason, waited, remaining } = pause;
	const time = inSeconds(Math.max(1000, remaining));
	const cause = reason === 'rate limit' ? 'rateLimited' : 'maintenance';
	if (caller) {
		const message = `The service accepts no requests for another ${time}`;
		return { ...last, cause, message, advice: `Try again after the ${reason} ends.` };
	}
	const first = last ?? {
		cause,
		message: `This item would have to wait longer than its Max Wait of ${maxWait / 1000} seconds for the service's ${reason} to end`,
		advice: '',
		claim: 'Nothing was sent.',
	};
	const advice = joinSentences(
		first.advice,
		waitText(client, waited, `'s ${reason} to end, and cannot wait longer`),
		remaining > 0 ? `It lasts another ${time}.` : '',
		'Run the item again later, or raise Max Wait under Options > Requests.',
	);
	return { ...first, advice };
}

/** Returns the failure of a request that the limiter stopped. With `last`, it was sent before. */
function stopFailure(client: ApiClient, http: HttpRequest, stop: Stop, last?: Failure): Failure {
	if (stop === 'ended') return endedBefore(client, last);
	if (stop === 'canceled') return networkFailure(http, { code: stop });
	return pausedTooLong(client, stop, last);
}

/** What is special about a request. */
export interface RequestHooks {
	/** Called before the request is sent. Returns a failure if it must not be sent after all. */
	readonly beforeSend?: () => Failure | undefined;
	/** Whether the request may wait for the full Max Wait, even if the row has already waited. */
	readonly resetsMaxWait?: boolean;
}

/** Sends the requests of one row, and retries them. Create them in the order of the rows, and end each. */
export class RowRequests {
	readonly client: ApiClient;

	/** The time that the row has waited for the service, over all its requests. Max Wait limits it. */
	waited = new WaitingTime();

	/** The methods of the writes that were sent. */
	readonly written = new Set<Method>();

	/** Masks the passwords of the row. */
	readonly secrets: SecretMask;

	/** The row at the rate limiter. Replaced when its requests are canceled. */
	private row: QueuedRow;

	/** Resolves when all writes have ended. After a cancel, a write may outlast its row. */
	private writes: Promise<unknown> = Promise.resolve();

	/** The locks of the row. They wait no longer than Max Wait for another run, and fail if the run ends. */
	readonly locks: ReturnType<typeof rowLocks>;

	/** @param secrets the passwords of the row, which errors do not show */
	constructor(client: ApiClient, secrets: readonly string[] = []) {
		this.client = client;
		this.row = { run: client, isOver: false };
		this.secrets = rowSecrets(secrets);
		const waitFor = async (event: Promise<void>, milliseconds: number) =>
			await this.wait({ event, milliseconds });
		this.locks = rowLocks(client.limiter.locks, client.number, waitFor, client.options.maxWait);
	}

	/** Cancels all requests so far, such as pages of a list that are no longer needed. */
	cancelRequests(): void {
		this.client.limiter.end(this.row, 'cancel');
		this.row = { run: this.client, isOver: false };
	}

	/** Ends the row: sends no other request, and releases its locks when its writes have ended. */
	end(): void {
		this.client.rows -= 1;
		this.client.limiter.end(this.row, 'cancel');
		void this.writes.then(() => this.locks.release());
	}

	/**
	 * Waits for a time or an event. Other rows continue.
	 *
	 * @param last the failure of the last try, if the wait is for a retry
	 * @returns whether the event happened
	 * @throws ServiceError if the row ends first
	 */
	async wait(wait: Omit<Wait, 'row'>, last?: Failure): Promise<boolean> {
		const end = await this.client.limiter.wait({ row: this.row, ...wait });
		if (end !== 'ended') return end === 'event';
		throw new ServiceError(endedBefore(this.client, last));
	}

	/**
	 * Sends a request, retries it by the policy of its method, and returns the decoded JSON of its response; `null` if it is empty.
	 *
	 * @throws ServiceError if the request fails after all retries, or if it must not be sent
	 */
	async request(request: ApiRequest, hooks: RequestHooks = {}): Promise<unknown> {
		const { client, row } = this;
		const { limiter, options, service } = client;
		const { clock, generation } = limiter;
		const waited = hooks.resetsMaxWait ? new WaitingTime() : this.waited;
		const plan = retryPlan(client, waited, request.method);
		const http = httpRequestOf(service.root, request);
		/** The failure of the last try. A write whose response was lost may have been carried out, even if its retries are refused. */
		let last: Failure | undefined;
		let sentAt = 0;
		const work = async (signal: AbortSignal): Promise<HttpExchange> => {
			const refusal = hooks.beforeSend?.() ?? generation.refusal;
			if (refusal) return { failure: refusal };
			sentAt = clock.now();
			if (last) client.retries += 1;
			const exchange = httpExchange(service, http, signal, this.secrets);
			if (request.method !== 'GET') {
				this.written.add(request.method);
				this.writes = Promise.all([this.writes, exchange]);
			}
			return generation.check(request, await exchange);
		};
		limiter.lastPosition += 1;
		const [queuedAt, position] = [clock.now(), limiter.lastPosition];
		const queued = { row, target: request, waited, queuedAt, position, work };
		for (;;) {
			const { stop, failure, body } = await limiter.send(queued);
			if (stop) throw new ServiceError(stopFailure(client, http, stop, last));
			if (!failure || (failure.cause === 'rejected' && failure.statusCode !== undefined)) {
				limiter.recovered(plan.health);
			}
			if (!failure) {
				client.isCircuitOpen = false;
				return body;
			}
			last = last?.mayBeDone ? { ...failure, ...openWrite } : failure;
			const took = clock.now() - sentAt;
			if (!plan.shouldRetry(failure, took)) {
				const advice = joinSentences(last.advice, plan.summary());
				// A broken connection and a timeout have the same error code, so the time decides.
				throw new ServiceError({ ...last, advice, isTimeout: took > 0.9 * options.timeout });
			}
			if (plan.next.milliseconds > 0) await this.wait(plan.next, last);
		}
	}
}
