import type { PauseReason } from './throttle';

/** The settings of a run that decide when its requests are sent. */
export interface ClientOptions {
	/** Max number of requests in the shared queue and in flight. */
	readonly concurrency: number;
	/** A limit that the user sets; 0 for none. */
	readonly requestsPerMinute: number;
	/** Max time in milliseconds that a row waits for a rate limit or an outage, over all its requests. */
	readonly maxWait: number;
	/** Max time in milliseconds for the complete response to one request. */
	readonly timeout: number;
	/** Whether a user waits for the response in the editor. Such requests are sent before all others. */
	readonly isInteractive?: boolean;
	/** Whether a poll waits for the response. A poll has little time, so its requests are sent before those of runs. */
	readonly isPoll?: boolean;
	/** Aborted when the execution is canceled, or when the time limit of a poll or of a list in the editor has passed. */
	readonly signal?: AbortSignal;
}

/** A run, as the limiter sees it. */
export interface Run {
	readonly options: ClientOptions;
	/** Whether the run has ended, so that it sends no more requests. */
	isOver: boolean;
	/** Number of its requests in flight. Concurrency limits it. */
	inFlight: number;
	/** Number of pauses of the service during which the run waited, their total in milliseconds, and the end of the last one. */
	readonly waits: { count: number; milliseconds: number; until: number };
}

/** A row of a run. After it ends, the limiter sends no more of its requests. */
export interface QueuedRow {
	readonly run: Run;
	isOver: boolean;
}

/** A pause that lasts longer than a row may wait. Times in milliseconds. */
export interface LongPause {
	readonly reason: PauseReason;
	/** How long the row has waited for the service. */
	readonly waited: number;
	/** Known remaining time of the pause. */
	readonly remaining: number;
}
