import type { HttpAnswer } from './http';
import type { Matches, Place } from './runQueue';
import type { Throttle } from './throttle';
import type { Period } from './waitingTime';

/** The result of a request, as far as the rate limiter reads it. */
export interface Sent {
	readonly answer?: HttpAnswer;
}

/** Why a request has no result: Timeout has passed, or its run or row has ended. */
export type AbortReason = 'canceled' | 'timedOut';

export interface RequestLimits {
	/** Max time in milliseconds for the complete response. */
	readonly timeout: number;
	/** Whether the request changes nothing, so that it can be aborted at any time. */
	readonly isRead: boolean;
	/** Whether only one such request may be in flight until the generation of the service is known. */
	readonly isSingle?: boolean;
}

/** Max time in milliseconds that a write of a canceled row delays other rows. */
export const maxWriteWait = 10_000;

/** A request that is about to be sent. */
export interface OutgoingRequest<T> extends Place {
	readonly limits: RequestLimits;
	readonly work: (signal: AbortSignal) => Promise<T>;
	readonly resolve: (result: AbortReason | T) => void;
	readonly reject: (error: unknown) => void;
}

interface InFlightRequest {
	readonly place: Place;
	readonly deadline: number;
	/** Until when no other single request is sent. */
	singleUntil: number;
	/** Aborts the request at its deadline. */
	readonly expire: () => void;
	/** Aborts a read. A write continues until its deadline, but its row no longer waits for it. */
	readonly cancel: () => void;
}

/**
 * Adds the last blocked period to the waiting time of a request that got a response. A refused request keeps waiting, so
 * it adds nothing yet. Of several blocked periods, only the last one counts.
 */
function addWaiting({ waited, queuedAt }: Place, { answer }: Sent, { from, to }: Period): void {
	if (answer?.status !== 429) waited.add(Math.max(queuedAt, from), to);
}

/** The requests that were sent and have not ended. */
export class InFlightRequests {
	private readonly requests = new Set<InFlightRequest>();

	private readonly now: () => number;

	/** @param now returns the time in milliseconds */
	constructor(now: () => number) {
		this.now = now;
	}

	/** Aborts the requests whose deadline has passed. */
	expire(now: number): void {
		for (const request of this.requests) if (request.deadline <= now) request.expire();
	}

	get nextDeadline(): number {
		let next = Infinity;
		for (const { deadline } of this.requests) next = Math.min(next, deadline);
		return next;
	}

	cancel(matches: Matches): void {
		for (const request of this.requests) if (matches(request.place)) request.cancel();
	}

	/**
	 * Returns when the next single request may be sent: after the one in flight has ended, or some time after its cancel.
	 */
	get nextSingleAt(): number {
		let next = -Infinity;
		for (const { singleUntil } of this.requests) next = Math.max(next, singleUntil);
		return next;
	}

	/** Sends a request, and settles its promise. Resolves when the request has ended. Never rejects. */
	async send<T extends Sent>(outgoing: OutgoingRequest<T>, throttle: Throttle): Promise<void> {
		const { run, limits, work, resolve, reject } = outgoing;
		const blocked = throttle.blockedPeriod(this.now());
		const release = throttle.released(this.now());
		const controller = new AbortController();
		let isSettled = false;
		const settle = (result: () => void) => {
			if (isSettled) return;
			isSettled = true;
			run.releaseSlot();
			result();
		};
		const end = (answer?: HttpAnswer) => {
			this.requests.delete(request);
			throttle.answered(release, this.now(), answer);
		};
		const abort = (reason: AbortReason) => {
			end();
			controller.abort();
			settle(() => resolve(reason));
		};
		const request: InFlightRequest = {
			place: outgoing,
			deadline: release.at + limits.timeout,
			expire: () => abort('timedOut'),
			singleUntil: limits.isSingle ? Infinity : -Infinity,
			cancel: () => {
				if (limits.isRead) {
					abort('canceled');
					return;
				}
				request.singleUntil = Math.min(request.singleUntil, this.now() + maxWriteWait);
				settle(() => resolve('canceled'));
			},
		};
		this.requests.add(request);
		try {
			const sent = await work(controller.signal);
			if (blocked) addWaiting(outgoing, sent, blocked);
			end(sent.answer);
			settle(() => resolve(sent));
		} catch (error) {
			end();
			settle(() => reject(error));
		}
	}
}
