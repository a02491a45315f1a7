import type { ApiRequest, Method } from '../contract/endpoints';
import type { ApiClient } from './client';
import { httpExchange, httpRequestOf, type HttpExchange, type HttpRequest } from './exchange';
import { networkFailure } from './explanations';
import { inSeconds, ServiceError, type Failure } from './failures';
import { mayLoseValues } from './generation';
import { RowLocks } from './locks';
import { RetryPlan, WaitingTime } from './retry';
import type { ClientOptions, LongPause, QueuedRow } from './limiter';
import { rowSecrets, type SecretMask } from './secrets';

/** Returns whether a failed write may have been carried out: its response was lost, contradicts itself, or is of a later version. */
const mayHaveSucceeded = (
	{ method }: HttpRequest,
	{ cause, isInconsistent, outcome }: Failure,
): boolean =>
	method !== 'GET' && (cause === 'ambiguous' || isInconsistent === true || outcome === 'unknown');

/** Returns the failure of a request that is not sent, because its run or row ends. With `last`, the request is a retry. */
function endedBefore({ isInteractive }: ClientOptions, last?: Failure): Failure {
	if (isInteractive) {
		return {
			cause: 'ended',
			message: 'The service takes too long to return the list',
			advice: 'Enter the ID instead of choosing from the list.',
		};
	}
	const message = last?.message ?? 'The run ended before this item was sent';
	return { cause: 'ended', message, advice: last?.advice ?? '' };
}

/** Returns the failure of a request that is not sent, because of a pause. With `last`, the request is a retry. */
function pausedTooLong(
	{ isInteractive, maxWait }: ClientOptions,
	{ reason, waited, remaining }: LongPause,
	last?: Failure,
): Failure {
	const time = inSeconds(Math.max(1000, remaining));
	const cause = reason === 'rate limit' ? 'rateLimited' : 'maintenance';
	if (isInteractive) {
		const message = `The service accepts no requests for another ${time}`;
		const advice = `Try again after the ${reason} ends.`;
		return { cause, message, advice, statusCode: last?.statusCode };
	}
	const limit = `Max Wait of ${maxWait / 1000} seconds`;
	const lasts = remaining > 0 ? ` It lasts another ${time}.` : '';
	const waiting = `This item waited ${inSeconds(waited)} for the service's ${reason} to end, and cannot wait longer (${limit}).${lasts}`;
	if (last) return { ...last, advice: `${last.advice} ${waiting}` };
	return {
		cause,
		message: `This item would have to wait longer than its ${limit} for the service's ${reason} to end`,
		advice: `Nothing was sent. ${waiting} Run the item again later, or raise Max Wait under Options > Requests.`,
	};
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
	readonly waited = new WaitingTime();

	/** The methods of the writes that were sent. */
	readonly written = new Set<Method>();

	/** Masks the passwords of the row. */
	readonly secrets: SecretMask;

	/** The row at the rate limiter. Replaced when its requests are canceled. */
	private row: QueuedRow;

	/** The number of writes that have not ended. After a cancel, a write may outlast its row. */
	private openWrites = 0;

	private isEnded = false;

	/** The locks of the row. They wait no longer than Max Wait for another run, and fail if the run ends. */
	readonly locks: RowLocks;

	/** @param secrets the passwords of the row, which errors do not show */
	constructor(client: ApiClient, secrets: readonly string[] = []) {
		this.client = client;
		this.row = { run: client, isOver: false };
		this.secrets = rowSecrets(secrets);
		this.locks = new RowLocks(client.limiter.locks, client, {
			maxWait: client.options.maxWait,
			waitFor: async (event, milliseconds) =>
				await client.suspend({ row: this.row, event, milliseconds, fail: this.failAfter() }),
		});
	}

	/** Cancels all requests so far, such as pages of a list that are no longer needed. */
	cancelRequests(): void {
		this.client.limiter.end(this.row, 'cancel');
		this.row = { run: this.client, isOver: false };
	}

	/** Ends the row: sends no other request, and releases its locks when its writes have ended. */
	end(): void {
		this.isEnded = true;
		this.client.endRow(this.row);
		this.releaseIfEnded();
	}

	private releaseIfEnded(): void {
		if (this.isEnded && this.openWrites === 0) this.locks.release();
	}

	/** Returns a function that returns the error of a request that is not sent, or of a wait that ends with its row. */
	private failAfter(last?: Failure) {
		const { options } = this.client;
		return (pause?: LongPause): ServiceError => {
			const failure = pause ? pausedTooLong(options, pause, last) : endedBefore(options, last);
			return new ServiceError({ ...failure, outcome: last?.outcome });
		};
	}

	/**
	 * Waits before a retry. Other rows continue.
	 *
	 * @throws ServiceError if the run ends first
	 */
	async backoff({ delay, health, waited }: RetryPlan, last?: Failure): Promise<void> {
		if (delay <= 0) return;
		const { clock } = this.client.limiter;
		const since = clock.now();
		const wait = { row: this.row, milliseconds: delay, health, fail: this.failAfter(last) };
		await this.client.suspend(wait).finally(() => waited.add(since, clock.now()));
	}

	/**
	 * Sends a request, retries it by the policy of its method, and returns the decoded JSON of its response; `null` if it is empty.
	 *
	 * @throws ServiceError if the request fails after all retries, or if it must not be sent
	 */
	async request(request: ApiRequest, hooks: RequestHooks = {}): Promise<unknown> {
		const { client } = this;
		const { limiter, options, service } = client;
		const isRead = request.method === 'GET';
		const health = isRead ? limiter.reads : limiter.writes;
		const waited = hooks.resetsMaxWait ? new WaitingTime() : this.waited;
		const plan = new RetryPlan(client, waited, health);
		const http = httpRequestOf(service.root, request);
		/** The failure of the last try. A write whose response was lost may have been carried out, even if its retries are refused. */
		let last: Failure | undefined;
		let sentAt = 0;
		const withOutcome = (failure: Failure): Failure => {
			const outcome = mayHaveSucceeded(http, failure) ? 'unknown' : (last?.outcome ?? 'failed');
			return { ...failure, outcome };
		};
		const exchange = async (signal: AbortSignal): Promise<HttpExchange> => {
			const sent = await httpExchange(service, http, signal, this.secrets);
			return limiter.generation.check(request, sent);
		};
		const work = async (signal: AbortSignal): Promise<HttpExchange> => {
			const refusal = hooks.beforeSend?.() ?? limiter.generation.refusal(request, last?.outcome);
			if (refusal) return { failure: refusal };
			sentAt = limiter.clock.now();
			client.sent += 1;
			if (last) client.retries += 1;
			if (isRead) return await exchange(signal);
			this.written.add(request.method);
			this.openWrites += 1;
			return await exchange(signal).finally(() => {
				this.openWrites -= 1;
				this.releaseIfEnded();
			});
		};
		limiter.lastPosition += 1;
		const queued = {
			...{ row: this.row, waited, queuedAt: limiter.clock.now(), position: limiter.lastPosition },
			...{ isRead, isSingle: mayLoseValues(request), work },
			canceled: () => new ServiceError(withOutcome(networkFailure(http, { code: 'canceled' }))),
		};
		for (;;) {
			const { failure, body } = await limiter.send({ ...queued, fail: this.failAfter(last) });
			if (!failure || (failure.cause === 'rejected' && failure.statusCode !== undefined)) {
				limiter.recovered(health);
			}
			if (!failure) {
				client.isCircuitOpen = false;
				return body;
			}
			last = withOutcome(failure);
			const took = limiter.clock.now() - sentAt;
			if (!plan.shouldRetry(request, failure, took)) {
				const advice = `${failure.advice} ${plan.waitSummary}`.trim();
				// A broken connection and a timeout have the same error code, so the time decides.
				throw new ServiceError({ ...last, advice, isTimeout: took > 0.9 * options.timeout });
			}
			await this.backoff(plan, last);
		}
	}
}
