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
	Math.min(500 * 2 ** failures, 10_000) * (0.5 + random() / 2);
