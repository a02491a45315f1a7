import type { ApiRequest, Method } from '../contract/endpoints';
import { WaitingTime } from './backoff';
import type { ApiClient } from './client';
import { httpExchange, httpRequestOf, type HttpExchange } from './exchange';
import {
	abortFailure,
	inSeconds,
	ServiceError,
	type Failure,
	type FailureOutcome,
} from './failures';
import { mayLoseValues } from './generation';
import type { QueuedRow, RowRequest } from './limiter';
import { RowLocks, type LockWait } from './locks';
import { RetryPlan } from './retry';
import { rowSecrets, type RowSecrets } from './secrets';
import { NotSentError, type LongPause } from './throttle';

/** Returns whether a failed write may have been carried out: its response was lost, contradicts itself, or is of a later version. */
const mayHaveSucceeded = (
	{ method }: ApiRequest,
	{ cause, isInconsistent, outcome }: Failure,
): boolean =>
	method !== 'GET' && (cause === 'ambiguous' || isInconsistent === true || outcome === 'unknown');

/** Functions that a request calls, and how it waits. */
export interface RequestHooks {
	/** Called with each failure that is retried. */
	readonly onRetry?: (failure: Failure) => void;
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

	/** The row at the rate limiter. Replaced when its requests are canceled. */
	private row: QueuedRow = { isOver: false };

	/** The number of writes that have not ended. After a cancel, a write may outlast its row. */
	private openWrites = 0;

	private isEnded = false;

	/** The methods of the writes that were sent. */
	readonly written = new Set<Method>();

	private readonly locks: RowLocks;

	readonly secrets: RowSecrets;

	/** @param secrets the passwords of the row, which errors do not show */
	constructor(client: ApiClient, secrets: readonly string[] = []) {
		this.client = client;
		this.secrets = rowSecrets(secrets);
		this.locks = new RowLocks(client.limiter.locks, client);
	}

	/**
	 * Waits until no earlier row has a lock on any of the keys. A row without a key lets later rows continue.
	 * Call it once per row, with all keys.
	 *
	 * @returns whether another row has locked any of them since the run started
	 * @throws ServiceError if the run ends first, or if another run locks a key for longer than Max Wait
	 */
	async lock(...lockKeys: ReadonlyArray<string | undefined>): Promise<boolean> {
		const keys = [...new Set(lockKeys.filter((key) => key !== undefined))];
		const { queue, options } = this.client;
		const wait: LockWait = {
			waitFor: async (event, milliseconds) =>
				await queue.suspend({ row: this.row, event, milliseconds }),
			maxWait: options.maxWait,
			tooLong: () =>
				new ServiceError({
					cause: 'maintenance',
					message: `Another execution is still changing the same resource, after Max Wait of ${inSeconds(options.maxWait)}`,
					advice:
						'Nothing was changed. Run the item again later, or raise Max Wait under Options > Requests.',
				}),
		};
		return await this.orNotSent(this.locks.acquire(keys, wait));
	}

	/** Cancels all requests so far, such as pages of a list that are no longer needed. */
	cancelRequests(): void {
		this.client.queue.cancelRow(this.row);
		this.row = { isOver: false };
	}

	/** Ends the row: sends no other request, and releases its locks when its writes have ended. */
	end(): void {
		this.isEnded = true;
		this.client.queue.endRow(this.row);
		this.releaseIfEnded();
	}

	private releaseIfEnded(): void {
		if (this.isEnded && this.openWrites === 0) this.locks.release();
	}

	/**
	 * Waits before a retry. Other rows continue.
	 *
	 * @throws ServiceError if the run ends first
	 */
	async backoff(
		{ delay, health }: Pick<RetryPlan, 'delay' | 'health'>,
		last?: Failure,
		waited = this.waited,
	): Promise<void> {
		if (delay <= 0) return;
		const { clock } = this.client.limiter;
		const since = clock.now();
		const waiting = this.client.queue.suspend({ row: this.row, milliseconds: delay, health });
		await this.orNotSent(waiting, last).finally(() => waited.add(since, clock.now()));
	}

	/**
	 * Sends a request, retries it by the policy of its method, and returns the decoded JSON of its response; `null` if it is empty.
	 *
	 * @throws ServiceError if the request fails after all retries, or if it must not be sent
	 */
	async request(request: ApiRequest, hooks: RequestHooks = {}): Promise<unknown> {
		const { client } = this;
		const { limiter, options } = client;
		const { method } = request;
		const isRead = method === 'GET';
		const health = isRead ? limiter.reads : limiter.writes;
		const waited = hooks.resetsMaxWait ? new WaitingTime() : this.waited;
		const retryPlan = new RetryPlan(client, waited, health);
		let last: Failure | undefined;
		// A write whose response was lost may have been carried out, even if its retries are refused.
		let outcome: FailureOutcome = 'failed';
		let sentAt = 0;
		const http = httpRequestOf(client.root, request);
		const work = async (signal: AbortSignal) => {
			if (!isRead) this.openWrites += 1;
			const refusal = hooks.beforeSend?.() ?? limiter.generation.refusal(request, outcome);
			if (refusal) return { failure: refusal };
			sentAt = limiter.clock.now();
			client.sent += 1;
			if (last) client.retries += 1;
			if (!isRead) this.written.add(method);
			return limiter.generation.check(
				request,
				await httpExchange(client.send, http, signal, this.secrets),
			);
		};
		const onEnd = () => {
			if (!isRead) this.openWrites -= 1;
			this.releaseIfEnded();
		};
		const { timeout } = options;
		const outgoing: RowRequest = {
			...{ run: client.queue, row: this.row, waited },
			...{ queuedAt: limiter.clock.now(), position: limiter.nextPosition() },
			...{ timeout, isRead, isSingle: mayLoseValues(request), work, onEnd },
		};
		for (;;) {
			const sent = await this.orNotSent(limiter.send(outgoing), last, outcome);
			const { failure, body }: HttpExchange =
				typeof sent === 'string' ? { failure: abortFailure(http, sent) } : sent;
			const isRejected = failure?.cause === 'rejected' && failure.statusCode !== undefined;
			if (!failure || isRejected) limiter.recovered(health);
			if (!failure) {
				client.isCircuitOpen = false;
				return body;
			}
			if (mayHaveSucceeded(request, failure)) outcome = 'unknown';
			const took = limiter.clock.now() - sentAt;
			if (!retryPlan.shouldRetry(request, failure, took)) {
				const advice = `${failure.advice} ${retryPlan.waitSummary}`.trim();
				// A broken connection and a timeout have the same error code, so the time decides.
				const isTimeout = took > 0.9 * timeout;
				throw new ServiceError({ ...failure, advice, outcome, isTimeout });
			}
			last = failure;
			hooks.onRetry?.(failure);
			await this.backoff(retryPlan, { ...failure, outcome }, waited);
		}
	}

	/** Returns the result of a promise of the limiter. Replaces its NotSentError with a ServiceError. */
	private async orNotSent<T>(
		sending: Promise<T>,
		last?: Failure,
		outcome: FailureOutcome | undefined = last?.outcome,
	): Promise<T> {
		return await sending.catch((error: unknown) => {
			if (!(error instanceof NotSentError)) throw error;
			const failure = error.pause ? this.pausedTooLong(error.pause, last) : this.endedBefore(last);
			throw new ServiceError({ ...failure, outcome });
		});
	}

	/** Returns the failure of a request that was not sent, because its run ended. With `last`, the request was a retry. */
	private endedBefore(last?: Failure): Failure {
		if (this.client.options.isInteractive) {
			return {
				cause: 'ended',
				message: 'The service takes too long to return the list',
				advice: 'Enter the ID instead of choosing from the list.',
			};
		}
		const message = last?.message ?? 'The run ended before this item was sent';
		return { cause: 'ended', message, advice: last?.advice ?? '' };
	}

	/** Returns the failure of a request that was not sent, because of a pause. With `last`, the request was a retry. */
	private pausedTooLong({ reason, waited, remaining }: LongPause, last?: Failure): Failure {
		const { isInteractive, maxWait } = this.client.options;
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
}
