import type { PauseReason } from './throttle';

/** The settings of a run that decide when its requests are sent. */
export interface QueueOptions {
	/** Max number of requests in the shared queue and in flight. */
	readonly concurrency: number;
	/** A limit that the user sets; 0 for none. */
	readonly requestsPerMinute: number;
	/** Max time in milliseconds that a row waits for a rate limit or an outage, over all its requests. */
	readonly maxWait: number;
	/** Whether a user waits for the response in the editor. Such requests go before all others. */
	readonly isInteractive?: boolean;
	/** Whether a poll waits for the response. A poll gives up soon, so its requests go before those of runs. */
	readonly isPoll?: boolean;
	/**
	 * Called when the run begins to wait for the service, with the milliseconds that it waits at least. If it throws, the
	 * requests of the run that are waiting fail with its error.
	 */
	readonly onPause?: (milliseconds: number) => void;
	/** Aborted when the execution is canceled, or when the time of a poll or of a list in the editor is over. */
	readonly signal?: AbortSignal;
}

/** A pause that lasts longer than a row may wait. Times in milliseconds. */
export interface LongPause {
	readonly reason: PauseReason;
	/** How long the row has waited for the service. */
	readonly waited: number;
	/** How long the pause is known to last. */
	readonly remaining: number;
}

/** A request was not sent: a pause lasts longer than it may wait, or without a pause, its run or row is over. */
export class NotSentError extends Error {
	readonly pause?: LongPause;

	constructor(pause?: LongPause) {
		super(pause ? `The ${pause.reason} lasts too long` : 'The run ended');
		this.pause = pause;
	}
}
