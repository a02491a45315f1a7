import type { Send, Service } from './exchange';
import type { QueueOptions, RateLimiter } from './limiter';
import { Locks, type LockOwner } from './locks';
import { RunQueue } from './runQueue';

/** The settings of a run. */
export interface ClientOptions extends QueueOptions {
	/** Max time in milliseconds for one response. */
	readonly timeout: number;
}

/** The client of one run: its queue at the rate limiter, and the state that its rows share. */
export class ApiClient implements LockOwner {
	readonly root: string;

	readonly send: Send;

	readonly limiter: RateLimiter;

	readonly options: ClientOptions;

	readonly queue: RunQueue;

	readonly locksBefore: number;

	readonly rowOrder = new Locks();

	/** The number of requests that were sent. */
	sent = 0;

	/** The number of retries among them. */
	retries = 0;

	/** Whether a row failed after all its retries, and no request has succeeded since. If so, no row retries. */
	isCircuitOpen = false;

	/** The IDs of the resources that rows of this run have created. */
	readonly created = new Set<string>();

	/** The results of `once`, by name. */
	private readonly results = new Map<string, Promise<unknown>>();

	constructor({ root, send }: Service, limiter: RateLimiter, options: ClientOptions) {
		this.root = root;
		this.send = send;
		this.limiter = limiter;
		this.options = options;
		this.queue = new RunQueue(limiter, options);
		this.locksBefore = limiter.locks.count;
	}

	/** Returns a result that all rows share. The first call computes it. After a failure, the next call computes it again. */
	async once<T>(name: string, compute: () => Promise<T>): Promise<T> {
		const earlier = this.results.get(name);
		if (earlier) return (await earlier) as T;
		const result = compute();
		this.results.set(name, result);
		result.catch(() => this.results.delete(name));
		return await result;
	}

	/** Ends the run. */
	close(): void {
		this.queue.close();
	}
}
