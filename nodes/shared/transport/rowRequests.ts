import type { ApiRequest, Method } from '../contract/endpoints';
import type { ApiClient } from './client';
import { RetryPlan, inSeconds } from './retryPolicy';
import { mayLoseValues } from './generation';
import { httpExchange, httpRequestOf, type HttpExchange } from './httpExchange';
import { NotSentError } from './queueOptions';
import { abortFailures } from './networkFailures';
import { RowSecrets } from './rowSecrets';
import { ServiceError, type Failure, type FailureOutcome } from './serviceError';
import type { LockWait } from './keyedMutex';
import type { RowLock } from './rowLocks';
import { WaitingTime } from './waitingTime';

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
	private row: { readonly order: number; isOver: boolean };

	/** Writes that have not ended. After a cancel, a write may outlast its row. */
	private readonly openWrites = new Set<Promise<unknown>>();

	/** The methods of the writes that were sent. */
	readonly written = new Set<Method>();

	private readonly rowLock: RowLock;

	readonly secrets: RowSecrets;

	/** @param secrets the passwords of the row, which errors do not show */
	constructor(client: ApiClient, order: number, secrets: readonly string[] = []) {
		this.client = client;
		this.secrets = new RowSecrets(secrets);
		this.row = { order, isOver: false };
		this.rowLock = client.rowLocks.begin();
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
		if (keys.length > 0) return await this.orNotSent(this.rowLock.acquire(keys, this.lockWait));
		this.rowLock.skip();
		return false;
	}

	private get lockWait(): LockWait {
		const { queue, limiter, options } = this.client;
		return {
			waitFor: async (event, milliseconds) =>
				await limiter.waitFor(queue, this.row, event, milliseconds),
			maxWait: options.maxWait,
			tooLong: () =>
				new ServiceError({
					cause: 'maintenance',
					message: `Another execution is still changing the same resource, after Max Wait of ${inSeconds(options.maxWait)}`,
					advice:
						'Nothing was changed. Run the item again later, or raise Max Wait under Options > Requests.',
				}),
		};
	}

	/** Cancels all requests so far, such as pages of a list that are no longer needed. */
	cancelRequests(): void {
		const { order } = this.row;
		this.row.isOver = true;
		this.client.queue.cancelRow(this.row);
		this.row = { order, isOver: false };
	}

	/** Ends the row: sends no other request, and releases its locks when its writes have ended. */
	end(): void {
		this.row.isOver = true;
		this.client.queue.endRow(this.row);
		if (this.openWrites.size === 0) {
			this.rowLock.release();
			return;
		}
		const ended = Promise.all(this.openWrites);
		void this.client.limiter.waitForWrites(ended).then(() => this.rowLock.release());
	}

	/** Tracks a write until it has ended or was aborted. */
	private trackWrite(method: Method, write: Promise<unknown>, signal: AbortSignal): void {
		this.written.add(method);
		const aborted = new Promise<void>((resolve) => {
			signal.addEventListener('abort', () => resolve());
		});
		const open = Promise.race([write, aborted]);
		this.openWrites.add(open);
		void open.then(() => this.openWrites.delete(open));
	}

	/**
	 * Waits before a retry. Other rows continue.
	 *
	 * @throws ServiceError if the run ends first
	 */
	async backoff(milliseconds: number, last?: Failure, waited = this.waited): Promise<void> {
		const { queue, limiter } = this.client;
		await this.orNotSent(limiter.backoff(queue, this.row, milliseconds, waited), last);
	}

	/**
	 * Sends a request, retries it by the policy of its method, and returns the decoded JSON of its response; `null` if it is empty.
	 *
	 * @throws ServiceError if the request fails after all retries, or if it must not be sent
	 */
	async request(
		request: ApiRequest,
		{ onRetry, beforeSend, resetsMaxWait = false }: RequestHooks = {},
	): Promise<unknown> {
		const { client } = this;
		const { generation } = client.limiter;
		const http = httpRequestOf(client.root, request);
		const waited = resetsMaxWait ? new WaitingTime() : this.waited;
		const retryPlan = new RetryPlan(client, waited);
		let last: Failure | undefined;
		// A write whose response was lost may have been carried out, even if its retries are refused.
		let outcome: FailureOutcome = 'failed';
		let sentAt = 0;
		const work = async (signal: AbortSignal) => {
			const refusal = beforeSend?.() ?? generation.refusal(request, outcome);
			if (refusal) return { failure: refusal };
			sentAt = client.limiter.clock.now();
			client.sent += 1;
			if (last) client.retries += 1;
			const exchanging = httpExchange(client.send, http, signal, this.secrets);
			if (!limits.isRead) this.trackWrite(request.method, exchanging, signal);
			return generation.check(request, await exchanging);
		};
		const send = client.limiter.request<HttpExchange>(client.queue, this.row, waited);
		const limits = {
			timeout: client.options.timeout,
			isRead: request.method === 'GET',
			isSingle: mayLoseValues(request),
		};
		for (;;) {
			const sent = await this.orNotSent(send(work, limits), last, outcome);
			const { failure, body }: HttpExchange =
				typeof sent === 'string' ? { failure: abortFailures[sent](http) } : sent;
			if (!failure) {
				client.isCircuitOpen = false;
				return body;
			}
			if (mayHaveSucceeded(request, failure)) outcome = 'unknown';
			const took = client.limiter.clock.now() - sentAt;
			if (!retryPlan.shouldRetry(request, failure, took)) {
				const advice = `${failure.advice} ${retryPlan.waitSummary}`.trim();
				// A broken connection and a timeout have the same error code, so the time decides.
				const isTimeout = took > 0.9 * client.options.timeout;
				throw new ServiceError({ ...failure, advice, outcome, isTimeout });
			}
			last = failure;
			onRetry?.(failure);
			if (retryPlan.delay > 0) await this.backoff(retryPlan.delay, { ...failure, outcome }, waited);
		}
	}

	/** Returns the result of a promise of the limiter. Replaces its NotSentError with a ServiceError. */
	private async orNotSent<T>(
		sending: Promise<T>,
		last?: Failure,
		outcome: FailureOutcome | undefined = last?.outcome,
	): Promise<T> {
		return await sending.catch((error: unknown) => {
			throw error instanceof NotSentError
				? new ServiceError({ ...this.notSent(error, last), outcome })
				: error;
		});
	}

	/** Returns the failure of a request that was not sent. With `last`, the request was a retry. */
	private notSent({ pause }: NotSentError, last?: Failure): Failure {
		const { isInteractive, maxWait } = this.client.options;
		if (!pause && isInteractive) {
			return {
				cause: 'ended',
				message: 'The service takes too long to return the list',
				advice: 'Enter the ID instead of choosing from the list.',
			};
		}
		if (!pause) {
			const message = last?.message ?? 'The run ended before this item was sent';
			return { cause: 'ended', message, advice: last?.advice ?? '' };
		}
		const remaining = inSeconds(Math.max(1000, pause.remaining));
		const cause = pause.reason === 'rate limit' ? 'rateLimited' : 'maintenance';
		if (isInteractive) {
			const message = `The service accepts no requests for another ${remaining}`;
			const advice = `Try again after the ${pause.reason} ends.`;
			return { cause, message, advice, statusCode: last?.statusCode };
		}
		const limit = `Max Wait of ${maxWait / 1000} seconds`;
		const lasts = pause.remaining > 0 ? ` It lasts another ${remaining}.` : '';
		const waited = `This item waited ${inSeconds(pause.waited)} for the service's ${pause.reason} to end, and cannot wait longer (${limit}).${lasts}`;
		if (last) return { ...last, advice: `${last.advice} ${waited}` };
		return {
			cause,
			message: `This item would have to wait longer than its ${limit} for the service's ${pause.reason} to end`,
			advice: `Nothing was sent. ${waited} Run the item again later, or raise Max Wait under Options > Requests.`,
		};
	}
}
