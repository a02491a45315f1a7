import type { IExecuteFunctions } from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import { inSeconds } from '../transport/failures';
import type { RowNumbers } from './rowNumbers';

/** Min time in ms between two reports of the progress. */
const reportInterval = 10_000;

/** The common rate limit of services (assumption: throttle). */
const commonLimit = { requests: 60, milliseconds: 60_000 };

/** Returns an estimated time in words: `2 hours`, `17 minutes`, `40 seconds`. */
function estimated(milliseconds: number): string {
	const minutes = milliseconds / 60_000;
	if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
	return minutes >= 2 ? `${Math.round(minutes)} minutes` : inSeconds(milliseconds);
}

/**
 * Returns the cost of requests: `about 880 requests, with about 15 minutes of waiting at the limit of 60 a minute`. It uses the
 * limit of the service, or else a common limit, or Requests Per Minute if that is slower.
 */
export function costOf(requests: number, client: ApiClient | undefined): string {
	const { limit: learned, remaining = 0 } = client?.limiter.throttle ?? {};
	const limit = { ...commonLimit, requests: learned ?? commonLimit.requests };
	const now = learned ? remaining : limit.requests;
	// The run waits for each further window to its end.
	const windows = Math.ceil(Math.max(0, requests - now) / limit.requests);
	const own = client?.options.requestsPerMinute ?? 0;
	const paced = own > 0 ? (requests / own) * 60_000 : 0;
	const waiting = Math.max(windows * limit.milliseconds, paced);
	const isOwn = paced > windows * limit.milliseconds;
	const perMinute = Math.round((limit.requests / limit.milliseconds) * 60_000);
	const rate = isOwn ? own : perMinute;
	const which =
		isOwn || learned ? `at the limit of ${rate} a minute` : `if the limit is ${rate} a minute`;
	const time = waiting > 0 ? `about ${estimated(waiting)} of waiting` : 'no waiting';
	return `about ${requests} ${requests === 1 ? 'request' : 'requests'}, with ${time} ${which}`;
}

/** Reports the progress of a run. */
export interface Progress {
	/** Called when the first row starts, with the estimated number of requests. */
	readonly started: (requests: number) => void;
	/** Called when a row or a removal ends, with its estimated number of requests. */
	readonly ended: (requests: number, isRow: boolean) => void;
	/** Called when the run waits for the service, in ms. */
	readonly pauses: (milliseconds: number) => void;
}

/**
 * Reports the progress of a run and its remaining cost to n8n's log, and in a manual run to the editor: at each wait, and
 * otherwise at most every ten seconds, so that short runs report nothing.
 *
 * @param costText returns the cost of requests in words
 */
export function progressOf(
	context: IExecuteFunctions,
	total: number,
	costText: (requests: number) => string,
	numbers: RowNumbers,
): Progress {
	let done = 0;
	let requests = 0;
	let reportedAt = performance.now();
	const report = (more: string) => {
		reportedAt = performance.now();
		const remaining = requests > 0 ? `; remaining: ${costText(requests)}` : '';
		const line = `${context.getNode().name}: ${done} of ${numbers.counted(total)} done${remaining}${more}`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
	return {
		started: (count) => {
			requests = count;
		},
		ended: (count, isRow) => {
			done += isRow ? 1 : 0;
			requests = Math.max(0, requests - count);
			if (performance.now() - reportedAt >= reportInterval) report('');
		},
		pauses: (milliseconds) => {
			if (milliseconds >= reportInterval)
				report(`; waiting ${inSeconds(milliseconds)} for the service`);
		},
	};
}
