import type { Place, QueuedRequest } from './runQueue';
import type { Demand } from './throttle';

/** How long capacity is reserved after a request with priority, in milliseconds: more of them are expected. */
const reservingTime = 600_000;

type HasRun = Pick<Place, 'run'>;

/** Interactive requests go before those of polls, and these before those of runs. */
export const priorityOf = ({ run: { options } }: HasRun): number =>
	options.isInteractive ? 2 : options.isPoll ? 1 : 0;

/** Whether Requests Per Minute limits a request. */
export const isPaced = ({ run: { options } }: HasRun): boolean => options.requestsPerMinute > 0;

function goesBefore(request: QueuedRequest, other: QueuedRequest): boolean {
	const priority = priorityOf(request) - priorityOf(other);
	return priority > 0 || (priority === 0 && request.position < other.position);
}

/** The requests that wait to be sent: by priority, and then in the order in which they were queued. */
export class RequestQueue {
	private requests: QueuedRequest[] = [];

	/** When a request with priority was queued last. */
	private priorityAt = -Infinity;

	get all(): readonly QueuedRequest[] {
		return this.requests;
	}

	add(request: QueuedRequest): void {
		if (priorityOf(request) > 0) this.priorityAt = request.queuedAt;
		const at = this.requests.findIndex((other) => goesBefore(request, other));
		this.requests.splice(at < 0 ? this.requests.length : at, 0, request);
	}

	/** Returns the first request; a request that Requests Per Minute limits only if `maySendPaced`. */
	first(maySendPaced: boolean): QueuedRequest | undefined {
		return this.requests.find((request) => maySendPaced || !isPaced(request));
	}

	/** Returns what the throttle needs to know if a request is the first. */
	demandOf(request: QueuedRequest, now: number): Omit<Demand, 'maxConcurrency'> {
		return {
			hasPriority: priorityOf(request) > 0,
			isReserving: now < this.priorityAt + reservingTime,
			canWait: (milliseconds) =>
				this.requests.every(
					({ run, waited }) => waited.totalWith(now, now + milliseconds) <= run.options.maxWait,
				),
		};
	}

	/** Removes the request that is sent. */
	take(request: QueuedRequest): void {
		this.requests.splice(this.requests.indexOf(request), 1);
	}

	/** Removes requests, and returns them. */
	remove(matches: (request: QueuedRequest) => boolean): readonly QueuedRequest[] {
		const removed = new Set(this.requests.filter(matches));
		if (removed.size > 0) this.requests = this.requests.filter((request) => !removed.has(request));
		return [...removed];
	}
}
