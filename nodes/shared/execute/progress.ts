import type { IExecuteFunctions } from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import { inSeconds } from '../transport/retryPolicy';

/** So often, in milliseconds, a long run says how far it is. */
const every = 10_000;

/** What services commonly let through (assumption: throttle). */
const commonLimit = { requests: 60, milliseconds: 60_000 };

/** `2 hours`, `17 minutes`, `40 seconds`: about so long, in milliseconds. */
function estimated(milliseconds: number): string {
	const minutes = milliseconds / 60_000;
	if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
	return minutes >= 2 ? `${Math.round(minutes)} minutes` : inSeconds(milliseconds);
}

/**
 * `about 880 requests, with about 15 minutes of waiting at the limit of 60 a minute`: at the limit that was learned, or at a
 * common one, and at Requests Per Minute where that is less.
 */
export function costOf(requests: number, client: ApiClient | undefined): string {
	const learned = client?.limiter.throttle.limit;
	const limit = learned ?? commonLimit;
	const now = learned ? (client?.limiter.remaining ?? 0) : limit.requests;
	// A window that has to be waited for is waited for whole.
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

/** What tells how far a run is. */
export interface Progress {
	/** The rows begin; they take about so many requests. */
	readonly started: (requests: number) => void;
	/** A row, or what is in no row, has ended, which was thought to take so many requests. */
	readonly ended: (requests: number, isRow: boolean) => void;
	/** The run waits so many milliseconds for the service. */
	readonly pauses: (milliseconds: number) => void;
}

/**
 * Tells n8n's log, and in a manual run the browser of the person who watches, how far a run is and what it takes still: at
 * each wait, and at most every ten seconds, so that short runs stay silent.
 *
 * @param costText what so many requests cost, in words
 */
export function progressOf(
	context: IExecuteFunctions,
	total: number,
	costText: (requests: number) => string,
): Progress {
	let done = 0;
	let requests = 0;
	let toldAt = performance.now();
	const tell = (more: string) => {
		toldAt = performance.now();
		const left = requests > 0 ? `; left are ${costText(requests)}` : '';
		const line = `${context.getNode().name}: ${done} of ${total} rows done${left}${more}`;
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
			if (performance.now() - toldAt >= every) tell('');
		},
		pauses: (milliseconds) => {
			if (milliseconds >= every) tell(`; waiting ${inSeconds(milliseconds)} for the service`);
		},
	};
}
