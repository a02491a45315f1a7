import type { ApiRequest, Method } from '../contract/endpoints';
import type { ApiClient } from './client';
import { RetryPlan, inSeconds } from './retryPolicy';
import { httpExchange, httpRequestOf, type HttpExchange } from './httpExchange';
import { NotSentError } from './queueOptions';
import { abortFailures } from './networkFailures';
import { RowSecrets } from './rowSecrets';
import { ServiceError, type Failure, type FailureOutcome } from './serviceError';
import type { LockWait } from './keyedMutex';
import type { RowLock } from './rowLocks';
import { WaitingTime } from './waitingTime';

/** After a write whose answer was lost, or contradicts itself, nobody knows what became of it. */
const mayBeDone = ({ method }: ApiRequest, { cause, isInconsistent }: Failure): boolean =>
	method !== 'GET' && (cause === 'ambiguous' || isInconsistent === true);

/** What a request reports, and what it asks, while it waits and is retried. */
export interface RequestHooks {
	/** Called with each failure that is retried. */
	readonly onRetry?: (failure: Failure) => void;
	/** Called when the request is about to leave. Returns the failure of the row if it must not be sent any more. */
	readonly beforeSend?: () => Failure | undefined;
	/** Whether the request has the full Max Wait, whatever the row has waited before. */
	readonly resetsMaxWait?: boolean;
}

/**
 * The requests of one row: each waits for its turn and is repeated by the rule of its verb. Rows are made in their order, and
 * are to be ended.
 */
export class RowRequests {
	readonly client: ApiClient;

	/** How long the row has waited for the service, over all its requests. Max Wait limits it. */
	readonly waited = new WaitingTime();

	/** What the requests belong to that are still wanted. */
	private wanted: { readonly order: number; isOver: boolean };

	/** Writes that have not ended: after a cancel, one may outlast its row. */
	private readonly openWrites = new Set<Promise<unknown>>();

	/** The methods of the writes that were sent. */
	readonly written = new Set<Method>();

	private readonly rowLock: RowLock;

	readonly secrets: RowSecrets;

	/** @param secrets the passwords of the row, which no error shows */
	constructor(client: ApiClient, order: number, secrets: readonly string[] = []) {
		this.client = client;
		this.secrets = new RowSecrets(secrets, client.secrets);
		this.wanted = { order, isOver: false };
		this.rowLock = client.rowLocks.begin();
	}

	/**
	 * Waits until no earlier row works on any of the same things; without one, no other row could.
	 *
	 * @returns whether any of them was worked on since the run began
	 * @throws ServiceError if the run ends first, or if another run works on one of them for longer than Max Wait
	 */
	async lock(...lockKeys: ReadonlyArray<string | undefined>): Promise<boolean> {
		const keys = [...new Set(lockKeys.filter((key) => key !== undefined))];
		if (keys.length > 0) return await this.left(this.rowLock.acquire(keys, this.lockWait));
		this.rowLock.skip();
		return false;
	}

	private get lockWait(): LockWait {
		const { queue, limiter, options } = this.client;
		return {
			waitFor: async (event, milliseconds) =>
				await limiter.waitFor(queue, this.wanted, event, milliseconds),
			maxWait: options.maxWait,
			tooLong: () =>
				new ServiceError({
					cause: 'maintenance',
					message: `Another execution is still working on what this row changes, after Max Wait of ${inSeconds(options.maxWait)}`,
					advice: 'Nothing was changed. Run the row again later, or raise Max Wait under Options.',
				}),
		};
	}

	/** Gives up all requests so far, such as pages of a list that are no longer wanted. */
	cancelRequests(): void {
		const { order } = this.wanted;
		this.wanted.isOver = true;
		this.client.queue.cancelRow(this.wanted);
		this.wanted = { order, isOver: false };
	}

	/** Ends the row: no other request of it is sent, and the next one has its turn. */
	end(): void {
		this.wanted.isOver = true;
		this.client.queue.endRow(this.wanted);
		if (this.openWrites.size === 0) {
			this.rowLock.release();
			return;
		}
		const ended = Promise.all(this.openWrites);
		void this.client.limiter.waitForWrites(ended).then(() => this.rowLock.release());
	}

	/** Notes a write until it has ended or was aborted. */
	private noteWrite(method: Method, write: Promise<unknown>, signal: AbortSignal): void {
		this.written.add(method);
		const aborted = new Promise<void>((resolve) => {
			signal.addEventListener('abort', () => resolve());
		});
		const open = Promise.race([write, aborted]);
		this.openWrites.add(open);
		void open.then(() => this.openWrites.delete(open));
	}

	/**
	 * Waits before a repeat, while other rows go on.
	 *
	 * @throws ServiceError where the run ends meanwhile
	 */
	async backoff(milliseconds: number, last?: Failure, waited = this.waited): Promise<void> {
		const { queue, limiter } = this.client;
		await this.left(limiter.backoff(queue, this.wanted, milliseconds, waited), last);
	}

	/**
	 * Makes a request and returns the decoded JSON of its answer, `null` for an empty one.
	 *
	 * @throws ServiceError if the answer is an error that is not, or no longer, retried, or if the request may not leave
	 */
	async request(
		request: ApiRequest,
		{ onRetry, beforeSend, resetsMaxWait = false }: RequestHooks = {},
	): Promise<unknown> {
		const { client } = this;
		const http = httpRequestOf(client.root, request);
		const waited = resetsMaxWait ? new WaitingTime() : this.waited;
		const effort = new RetryPlan(client, waited);
		let last: Failure | undefined;
		// A write whose answer was lost may have been carried out, whatever becomes of its repeats.
		let outcome: FailureOutcome = 'failed';
		let leftAt = 0;
		const work = async (signal: AbortSignal) => {
			const refusal = beforeSend?.();
			if (refusal) return { failure: refusal };
			leftAt = client.limiter.clock.now();
			client.sent += 1;
			if (last) client.retries += 1;
			const exchanging = httpExchange(client.send, http, signal, this.secrets);
			if (!limits.isRead) this.noteWrite(request.method, exchanging, signal);
			return await exchanging;
		};
		const send = client.limiter.request<HttpExchange>(client.queue, this.wanted, waited);
		const limits = { timeout: client.options.timeout, isRead: request.method === 'GET' };
		for (;;) {
			const sent = await this.left(send(work, limits), last, outcome);
			const { failure, body }: HttpExchange =
				typeof sent === 'string' ? { failure: abortFailures[sent](http) } : sent;
			if (!failure) {
				client.isCircuitOpen = false;
				return body;
			}
			if (mayBeDone(request, failure)) outcome = 'unknown';
			const took = client.limiter.clock.now() - leftAt;
			if (!effort.shouldRetry(request, failure, took)) {
				const advice = `${failure.advice} ${effort.waitSummary}`.trim();
				// A connection that breaks and one that times out have the same error code, so the time decides.
				const isTimeout = took > 0.9 * client.options.timeout;
				throw new ServiceError({ ...failure, advice, outcome, isTimeout });
			}
			last = failure;
			onRetry?.(failure);
			if (effort.delay > 0) await this.backoff(effort.delay, { ...failure, outcome }, waited);
		}
	}

	/** What a promise of the limiter gives, or the failure that nothing left. */
	private async left<T>(
		leaving: Promise<T>,
		last?: Failure,
		outcome: FailureOutcome | undefined = last?.outcome,
	): Promise<T> {
		return await leaving.catch((error: unknown) => {
			throw error instanceof NotSentError
				? new ServiceError({ ...this.notSent(error, last), outcome })
				: error;
		});
	}

	/** Why a request did not leave, after the failure that it was to repeat if there was one. */
	private notSent({ pause }: NotSentError, last?: Failure): Failure {
		const { isInteractive, maxWait } = this.client.options;
		if (!pause && isInteractive) {
			return {
				cause: 'ended',
				message: 'The service takes too long to return the list',
				advice: 'Enter the ID in place of choosing from the list.',
			};
		}
		if (!pause) {
			const message = last?.message ?? 'The run ended before this row was sent';
			return { cause: 'ended', message, advice: last?.advice ?? '' };
		}
		const left = inSeconds(Math.max(1000, pause.left));
		const cause = pause.reason === 'rate limit' ? 'rateLimited' : 'maintenance';
		if (isInteractive) {
			const message = `The service takes no requests for another ${left}`;
			const advice = `Its ${pause.reason} lasts so long; try again then.`;
			return { cause, message, advice, statusCode: last?.statusCode };
		}
		const limit = `Max Wait of ${maxWait / 1000} seconds`;
		const lasts = pause.left > 0 ? ` It lasts another ${left}.` : '';
		const told = `This row waited ${inSeconds(pause.waited)} for the service's ${pause.reason} to end, and may not wait longer (${limit}).${lasts}`;
		if (last) return { ...last, advice: `${last.advice} ${told}` };
		return {
			cause,
			message: `This row would have to wait longer than its ${limit} for the service's ${pause.reason} to end`,
			advice: `Nothing was sent. ${told} Run the row again later, or raise Max Wait under Options.`,
		};
	}
}
