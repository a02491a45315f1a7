/** A source of time and random numbers. Tests replace it. */
export interface Clock {
	/** Returns the milliseconds of a monotonic clock. */
	now(): number;
	/** Waits for a number of milliseconds. Never rejects. */
	sleep(milliseconds: number): Promise<void>;
	/** Returns a number from 0 to 1. */
	random(): number;
}

/**
 * Returns the milliseconds of a pause with exponential backoff: up to half a second at first, and up to 10 seconds after
 * more failures. Half of it is random.
 *
 * @param failures the number of earlier failures
 */
export const growingPause = (failures: number, { random }: Pick<Clock, 'random'>): number =>
	Math.min(500 * 2 ** Math.max(0, failures), 10_000) * (0.5 + random() / 2);

/** The milliseconds that one row has waited for the service, over all its requests. Overlapping periods count once. */
export class WaitingTime {
	total = 0;

	private end = -Infinity;

	/** Returns the total with another period, without adding it. */
	totalWith(from: number, to: number): number {
		return this.total + Math.max(0, to - Math.max(from, this.end));
	}

	/** Adds a period. */
	add(from: number, to: number): void {
		this.total = this.totalWith(from, to);
		this.end = Math.max(this.end, to);
	}
}

/** Whether a service fails: the delay before a retry depends on all requests of the account, not on those of one row. */
export class Health {
	/** Number of failures since the last success. */
	failures = 0;

	private countedAt = -Infinity;

	/** Counts a failure. Requests that were in flight together count once. Times in milliseconds. */
	failed(sentAt: number, now: number): void {
		if (sentAt < this.countedAt) return;
		this.failures += 1;
		this.countedAt = now;
	}

	/** Returns the milliseconds before a retry. Up to three failures may be chance. With more, the delay grows fourfold. */
	delay(clock: Clock): number {
		return growingPause(2 * (this.failures - 3), clock);
	}
}
