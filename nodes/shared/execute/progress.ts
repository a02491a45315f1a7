import type { IExecuteFunctions } from 'n8n-workflow';
import type { Gate } from '../transport/gate';
import { inSeconds } from '../transport/effort';

/** So often, in milliseconds, a long run says how far it is. */
const every = 10_000;

/** So many requests a minute services commonly take (assumption: throttle). */
const commonLimit = 60;

/** `2 hours`, `17 minutes`, `40 seconds`: about so long, in milliseconds. */
function about(milliseconds: number): string {
	const minutes = milliseconds / 60_000;
	if (minutes >= 120) return `${Math.round(minutes / 60)} hours`;
	return minutes >= 2 ? `${Math.round(minutes)} minutes` : inSeconds(milliseconds);
}

const requestsText = (count: number) => `${count} ${count === 1 ? 'request' : 'requests'}`;

/** `about 880 requests, which take about 15 minutes at 60 a minute`: at the limit that was learned, or a common one. */
export function costOf(requests: number, gate: Gate | undefined): string {
	const learned = gate?.perMinute;
	const perMinute = Math.max(1, Math.round(learned ?? commonLimit));
	const left = Math.max(0, requests - (learned === undefined ? perMinute : (gate?.left ?? 0)));
	const time = left === 0 ? 'no waiting' : `about ${about((left / perMinute) * 60_000)} of waiting`;
	const limit =
		learned === undefined
			? `if the limit is ${perMinute} a minute`
			: `at the limit of ${perMinute} a minute`;
	return `about ${requestsText(requests)}, with ${time} ${limit}`;
}

/** What tells how far a run is. */
export interface Progress {
	/** The rows begin; they take about so many requests. */
	readonly begins: (requests: number) => void;
	/** A row has ended, which was thought to take so many requests. */
	readonly ends: (requests: number) => void;
	/** The run waits so many milliseconds for the service. */
	readonly pauses: (milliseconds: number) => void;
}

/**
 * Tells n8n's log, and in a manual run the browser of the person who watches, how far a run is and what it takes still: at
 * each wait, and at most every ten seconds, so that short runs stay silent.
 */
export function progressOf(
	context: IExecuteFunctions,
	total: number,
	gate: () => Gate | undefined,
): Progress {
	let done = 0;
	let requests = 0;
	let toldAt = performance.now();
	const tell = (more: string) => {
		toldAt = performance.now();
		const left = requests > 0 ? `; left are ${costOf(requests, gate())}` : '';
		const line = `${context.getNode().name}: ${done} of ${total} rows done${left}${more}`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
	return {
		begins: (count) => {
			requests = count;
		},
		ends: (count) => {
			done += 1;
			requests = Math.max(0, requests - count);
			if (performance.now() - toldAt >= every) tell('');
		},
		pauses: (milliseconds) => {
			if (milliseconds >= every) tell(`; waiting ${inSeconds(milliseconds)} for the service`);
		},
	};
}
