import type { Place, QueuedRequest } from './runQueue';
import type { Demand } from './throttle';

/** Time in milliseconds to reserve capacity after a request with priority, because more of them usually follow. */
const reservingTime = 600_000;

type HasRun = Pick<Place, 'run'>;

/** Returns the priority of a request: 2 for an interactive request, 1 for a poll, 0 for a run. Higher priorities go first. */
export const priorityOf = ({ run: { options } }: HasRun): number =>
	options.isInteractive ? 2 : options.isPoll ? 1 : 0;

/** Returns whether Requests Per Minute limits a request. */
export const isPaced = ({ run: { options } }: HasRun): boolean => options.requestsPerMinute > 0;

function goesBefore(request: QueuedRequest, other: QueuedRequest): boolean {
	const priority = priorityOf(request) - priorityOf(other);
	return priority > 0 || (priority === 0 && request.position < other.position);
}

/** A priority queue of requests. Requests of the same priority are in the order in which they were queued. */
export class RequestQueue {
	private requests: QueuedRequest[] = [];

	/** When the last request with priority was queued. */
	private priorityAt = -Infinity;

	get all(): readonly QueuedRequest[] {
		return this.requests;
	}

	add(request: QueuedRequest): void {
		if (priorityOf(request) > 0) this.priorityAt = request.queuedAt;
		const at = this.requests.findIndex((other) => goesBefore(request, other));
		this.requests.splice(at < 0 ? this.requests.length : at, 0, request);
	}

	/** Returns the first request that may be sent. */
	first(maySend: (request: QueuedRequest) => boolean): QueuedRequest | undefined {
		return this.requests.find(maySend);
	}

	/** Returns the state of the queue for the throttle, if a request is sent next. */
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

	/** Removes a request, so that the caller can send it. */
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
