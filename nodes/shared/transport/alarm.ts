import type { Clock } from './clock';

/** Max time of a sleep in milliseconds: a timer of a run that is over must not keep a process alive. */
export const maxSleep = 1000;

/** Calls a function at a time or earlier, at least each second until then. The function is called again only if it is set again. */
export class Alarm {
	/** When the earliest sleep ends. */
	private ringsAt = Infinity;

	private readonly clock: Clock;

	private readonly ring: () => void;

	constructor(clock: Clock, ring: () => void) {
		this.clock = clock;
		this.ring = ring;
	}

	/** Sets the alarm for a time in milliseconds, unless it rings earlier anyway. Never rings for Infinity. */
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
