/** Time as a process sees it, and chance. */
export interface Clock {
	/** Milliseconds on a clock that never jumps. */
	now(): number;
	/** Waits so many milliseconds. Never rejects. */
	sleep(milliseconds: number): Promise<void>;
	/** From 0 up to 1. */
	random(): number;
}

/**
 * Growing pauses: half of each is fixed, half is chance. In milliseconds, half a second at first, 10 seconds at most.
 *
 * @param tries how often it failed before, from 0
 */
export const growingPause = (tries: number, { random }: Pick<Clock, 'random'>): number =>
	Math.min(500 * 2 ** tries, 10_000) * (0.5 + random() / 2);
