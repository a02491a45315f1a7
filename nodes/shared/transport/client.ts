import type { Service } from './exchange';
import { type ClientOptions, type RateLimiter, Run } from './limiter';

/** Max number of suspended rows of a run. */
const maxSuspended = 50;

/** One run at the service: starts as many rows as Concurrency allows, and has the state that they share. */
export class ApiClient extends Run {
	readonly service: Service;

	readonly limiter: RateLimiter;

	/** The number of retries that were sent. */
	retries = 0;

	/** Whether a row failed after all its retries, and no request has succeeded since. If so, no row retries. */
	isCircuitOpen = false;

	/** The number of the run. Locks that were released later have higher numbers. */
	readonly number: number;

	/** The number of rows that have started and not ended. */
	rows = 0;

	constructor(service: Service, limiter: RateLimiter, options: ClientOptions) {
		super(options);
		this.service = service;
		this.limiter = limiter;
		this.number = limiter.locks.nextNumber();
		limiter.runs.add(this);
		options.signal?.addEventListener('abort', this.onAbort);
		if (options.signal?.aborted) this.stop();
	}

	/** Resolves when another row may start; with false if the run has ended. Wait for the result before the next call. */
	async beginRow(): Promise<boolean> {
		// The limiter calls this after each change.
		await new Promise<void>((resolve) => {
			this.onChange = () => {
				const active = this.rows - this.suspended;
				const isFree = active < this.options.concurrency && this.suspended < maxSuspended;
				if (isFree || this.isOver) resolve();
			};
			this.onChange();
		});
		this.rows += 1;
		return !this.isOver;
	}

	/** Ends the run. Sends no more requests. Requests in flight finish, or are canceled. */
	stop(inFlight: 'cancel' | 'finish' = 'finish'): void {
		this.limiter.end(this, inFlight);
	}

	/** Lets a poll use the response to its last request after its time limit, because a slow service could never be read otherwise. */
	private readonly onAbort = (): void =>
		this.stop(this.options.caller === 'poll' ? 'finish' : 'cancel');

	/** Ends the run, and removes it from the limiter. */
	close(): void {
		this.stop('cancel');
		this.options.signal?.removeEventListener('abort', this.onAbort);
		this.limiter.close(this);
	}
}
