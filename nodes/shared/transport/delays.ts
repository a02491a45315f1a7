import type { ErrorOf, Matches, Place } from './runQueue';

interface Delay {
	/** Undefined if the wait does not end with a run. */
	readonly place?: Place;
	readonly endsAt: number;
	readonly expire: () => void;
	readonly reject: (error: Error) => void;
}

/** Waits for an event or a time, whichever comes first. */
export class Delays {
	private readonly delays = new Set<Delay>();

	/**
	 * Waits for an event until a time in milliseconds.
	 *
	 * @param place the place of the waiting row; undefined if the wait continues after its run
	 * @returns whether the event happened
	 * @throws the error that `remove` passes
	 */
	async wait(event: Promise<unknown>, endsAt: number, place?: Place): Promise<boolean> {
		return await new Promise<boolean>((resolve, reject) => {
			const delay: Delay = { place, endsAt, expire: () => resolve(false), reject };
			this.delays.add(delay);
			void event.then(() => {
				this.delays.delete(delay);
				resolve(true);
			});
		});
	}

	/** Ends the waits whose time has passed. */
	expire(now: number): void {
		for (const delay of this.delays) {
			if (delay.endsAt > now) continue;
			this.delays.delete(delay);
			delay.expire();
		}
	}

	get nextEnd(): number {
		let next = Infinity;
		for (const { endsAt } of this.delays) next = Math.min(next, endsAt);
		return next;
	}

	remove(matches: Matches, errorOf: ErrorOf): void {
		for (const delay of this.delays) {
			if (!delay.place || !matches(delay.place)) continue;
			this.delays.delete(delay);
			delay.reject(errorOf(delay.place));
		}
	}
}
