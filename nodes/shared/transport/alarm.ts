import type { Clock } from './clock';

/** Max time of a sleep in milliseconds. The timer of a run that has ended must not keep a process alive. */
export const maxSleep = 1000;

/** Calls a function at the set time, but at the latest after a second. The function sets the alarm again if necessary. */
export class Alarm {
	/** When the earliest timer ends. */
	private ringsAt = Infinity;

	private readonly clock: Clock;

	private readonly ring: () => void;

	constructor(clock: Clock, ring: () => void) {
		this.clock = clock;
		this.ring = ring;
	}

	/** Sets the alarm for a time in milliseconds, unless it is already set for an earlier time. Ignores Infinity. */
	set(time: number): void {
		if (time === Infinity) return;
		const now = this.clock.now();
		const at = Math.min(time, now + maxSleep);
		if (at >= this.ringsAt) return;
		this.ringsAt = at;
		void this.clock.sleep(Math.max(0, at - now)).then(() => {
			if (this.ringsAt === at) this.ringsAt = Infinity;
			this.ring();
		});
	}
}
