import type { Send, Service } from './http';
import { RowLocks } from './rowLocks';
import type { QueueOptions } from './queueOptions';
import type { RunQueue } from './runQueue';
import { SecretSet } from './secretMask';
import type { RateLimiter } from './rateLimiter';

/** What a run lets its requests do. */
export interface ClientOptions extends QueueOptions {
	/** Milliseconds for one answer. */
	readonly timeout: number;
}

/** The client of one run: its requests share a lane of the rate limiter, and what is known of the run. */
export class ApiClient {
	readonly root: string;

	readonly send: Send;

	readonly limiter: RateLimiter;

	readonly options: ClientOptions;

	readonly queue: RunQueue;

	/** How many requests were made. */
	sent = 0;

	/** How many of them were made again. */
	retries = 0;

	/** Whether a row was given up after all its tries and nothing has succeeded since: then the others try once each. */
	isCircuitOpen = false;

	/** IDs of what rows of this run have created. */
	readonly created = new Set<string>();

	/** The passwords of all rows. */
	readonly secrets = new SecretSet();

	/** Rows that change the same resource work one after the other. */
	readonly rowLocks: RowLocks;

	/** What is asked once for all rows, by name. */
	private readonly asked = new Map<string, Promise<unknown>>();

	constructor({ root, send }: Service, limiter: RateLimiter, options: ClientOptions) {
		this.root = root;
		this.send = send;
		this.limiter = limiter;
		this.options = options;
		this.queue = limiter.open(options);
		this.rowLocks = new RowLocks(limiter.mutex);
	}

	/** The answer to a question that all rows share; a row that fails to get it leaves it to the next one. */
	async once<T>(name: string, ask: () => Promise<T>): Promise<T> {
		const known = this.asked.get(name);
		if (known) return (await known) as T;
		const asking = ask();
		this.asked.set(name, asking);
		asking.catch(() => this.asked.delete(name));
		return await asking;
	}

	/** Ends the run. */
	close(): void {
		this.queue.close();
	}
}
