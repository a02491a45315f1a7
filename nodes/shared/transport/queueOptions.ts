import type { PauseReason } from './throttle';

/** The settings of a run that decide when its requests are sent. */
export interface QueueOptions {
	/** Max number of requests in the shared queue and in flight. */
	readonly concurrency: number;
	/** A limit that the user sets; 0 for none. */
	readonly requestsPerMinute: number;
	/** Max time in milliseconds that a row waits for a rate limit or an outage, over all its requests. */
	readonly maxWait: number;
	/** Whether a user waits for the response in the editor. Such requests are sent before all others. */
	readonly isInteractive?: boolean;
	/** Whether a poll waits for the response. A poll has little time, so its requests are sent before those of runs. */
	readonly isPoll?: boolean;
	/**
	 * Called when the run starts to wait for the service, with the min waiting time in milliseconds. If it throws, all waiting
	 * requests of the run fail with its error.
	 */
	readonly onPause?: (milliseconds: number) => void;
	/** Aborted when the execution is canceled, or when the time limit of a poll or of a list in the editor has passed. */
	readonly signal?: AbortSignal;
}

/** A pause that lasts longer than a row may wait. Times in milliseconds. */
export interface LongPause {
	readonly reason: PauseReason;
	/** How long the row has waited for the service. */
	readonly waited: number;
	/** Known remaining time of the pause. */
	readonly remaining: number;
}

/** A request was not sent, because of a pause that is too long. Without a pause, its run or row has ended. */
export class NotSentError extends Error {
	readonly pause?: LongPause;

	constructor(pause?: LongPause) {
		super(pause ? `The ${pause.reason} lasts too long` : 'The run ended');
		this.pause = pause;
	}
}
