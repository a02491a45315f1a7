import type { Throttle } from './throttle';
import type { HttpAnswer } from './http';
import type { RunQueue, QueuedRow } from './runQueue';
import type { Release } from './windowEstimate';

/** What a request resulted in, as far as the limiter looks at it. */
export interface Sent {
	readonly answer?: HttpAnswer;
}

/** Why a request has no result: its timeout ended, or its run or row did. */
export type AbortReason = 'canceled' | 'timedOut';

/** What limits a request. */
export interface RequestLimits {
	/** Max time in milliseconds for the whole answer. */
	readonly timeout: number;
	/** Whether it changes nothing, so that it can be aborted at any time. */
	readonly isRead: boolean;
}

/** A request that is about to be sent. */
export interface Sending<T> {
	readonly lane: RunQueue;
	readonly row: QueuedRow;
	readonly limits: RequestLimits;
	readonly work: (signal: AbortSignal) => Promise<T>;
	readonly resolve: (result: AbortReason | T) => void;
	readonly reject: (error: unknown) => void;
}

interface InFlightRequest extends Pick<Sending<unknown>, 'lane' | 'row'> {
	/** What it was sent through, and its place there. */
	readonly gate: Throttle;
	readonly number: number;
	readonly deadline: number;
	/** Aborts it. */
	readonly expire: () => void;
	/** Aborts a read. A write goes on until its deadline, but its row no longer waits for it. */
	readonly cancel: () => void;
}

/** The requests that have been sent and not ended. */
export class InFlight {
	private readonly requests = new Set<InFlightRequest>();

	get isEmpty(): boolean {
		return this.requests.size === 0;
	}

	/** Returns the number of requests that were sent through a gate after the one with the given number. */
	countAfter(gate: Throttle, number: number): number {
		let count = 0;
		for (const request of this.requests) {
			if (request.gate === gate && request.number > number) count += 1;
		}
		return count;
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

	/** Cancels requests. */
	cancel(isGone: (request: Pick<InFlightRequest, 'lane' | 'row'>) => boolean): void {
		for (const request of this.requests) if (isGone(request)) request.cancel();
	}

	/**
	 * Sends a request. Resolves when it has ended.
	 *
	 * @param departure its time, and its number at the gate
	 */
	async send<T extends Sent>(
		{ lane, row, limits, work, resolve, reject }: Sending<T>,
		gate: Throttle,
		departure: Release,
	): Promise<void> {
		const controller = new AbortController();
		let isWaitedFor = true;
		const settle = (result: () => void) => {
			if (!isWaitedFor) return;
			isWaitedFor = false;
			lane.release();
			result();
		};
		const giveUp = (reason: AbortReason) => {
			this.requests.delete(request);
			controller.abort();
			settle(() => resolve(reason));
		};
		const request: InFlightRequest = {
			lane,
			row,
			gate,
			number: departure.number,
			deadline: departure.at + limits.timeout,
			expire: () => giveUp('timedOut'),
			cancel: () => (limits.isRead ? giveUp('canceled') : settle(() => resolve('canceled'))),
		};
		this.requests.add(request);
		try {
			const sent = await work(controller.signal);
			if (sent.answer && this.requests.has(request)) gate.learn(departure, sent.answer);
			settle(() => resolve(sent));
		} catch (error) {
			settle(() => reject(error));
		} finally {
			this.requests.delete(request);
		}
	}
}
