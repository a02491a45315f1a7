import { setImmediate as macrotask } from 'node:timers/promises';

/** Numbers from 0 up to 1 that are the same for the same seed (mulberry32). */
export function seededRandom(seed: number): () => number {
	let state = seed >>> 0;
	return () => {
		state = (state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(state ^ (state >>> 15), state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
}

interface Sleeper {
	readonly wakesAt: number;
	readonly wake: () => void;
}

/** Sleeps that may end in all before a simulation counts as one that does not end. */
const mostWakeUps = 1_000_000;

/** Sleeps that may end one after another without any time between them. */
const mostWakeUpsAtOnce = 20_000;

const hour = 60 * 60 * 1000;

/**
 * A clock whose time only moves when everybody waits for it: then it jumps to the next wake-up. Work that runs on it takes
 * no real time, and comes out the same for the same seed.
 */
export class VirtualClock {
	/** Sleeps that have ended. */
	wakeUps = 0;
	readonly random: () => number;
	private readonly end: number;
	private time = 0;
	private wakeUpsNow = 0;
	/** The next one to wake is the last. */
	private readonly sleepers: Sleeper[] = [];
	/** A sleep for no time that can be: `sleep` must not reject, so the run does. */
	private mistake?: Error;

	/** @param hours virtual hours after which a simulation counts as one that does not end */
	constructor(seed = 1, { hours = 24 } = {}) {
		this.random = seededRandom(seed);
		this.end = hours * hour;
	}

	/** Milliseconds since the clock was made. An arrow function, because callers take it apart from the clock. */
	readonly now = (): number => this.time;

	readonly sleep = async (milliseconds: number): Promise<void> => {
		if (!Number.isFinite(milliseconds)) {
			this.mistake ??= new Error(`Somebody sleeps for ${milliseconds} milliseconds`);
		}
		const wakesAt = this.time + Math.max(0, milliseconds);
		await new Promise<void>((wake) => {
			this.sleepers.splice(this.placeOf(wakesAt), 0, { wakesAt, wake });
		});
	};

	/** Returns the place of a sleeper among the others: those who wake at the same time and slept before it wake first. */
	private placeOf(wakesAt: number): number {
		let [low, high] = [0, this.sleepers.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if ((this.sleepers[middle]?.wakesAt ?? 0) > wakesAt) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/**
	 * Lets work run until it has settled, and returns what it resolves with. What sleeps on without being part of it stays
	 * asleep until the next run.
	 *
	 * @throws what the work rejects with; an Error where everybody waits for something that never comes, or where the
	 * bounds are exceeded
	 */
	async run<T>(work: () => Promise<T>): Promise<T> {
		let hasSettled = false;
		const running = work().finally(() => {
			hasSettled = true;
		});
		// It is awaited at the end. Until then, a rejection has no handler.
		running.catch(() => undefined);
		for (;;) {
			// All promises that can go on do so before the next macrotask.
			await macrotask();
			if (this.mistake) throw this.mistake;
			if (hasSettled) return await running;
			this.step();
		}
	}

	/** Lets so much time pass for everybody. */
	async pass(milliseconds: number): Promise<void> {
		await this.run(async () => await this.sleep(milliseconds));
	}

	/** Moves the time to the next wake-up. */
	private step(): void {
		const next = this.sleepers.pop();
		const where = `after ${Math.round(this.time / 1000)} virtual seconds and ${this.wakeUps} wake-ups`;
		if (!next) throw new Error(`Everybody waits for something that never comes, ${where}`);
		this.wakeUps += 1;
		this.wakeUpsNow = next.wakesAt > this.time ? 0 : this.wakeUpsNow + 1;
		this.time = Math.max(this.time, next.wakesAt);
		const isLong = this.time > this.end || this.wakeUps > mostWakeUps;
		if (isLong || this.wakeUpsNow > mostWakeUpsAtOnce) {
			throw new Error(`The simulation does not end: stopped ${where}`);
		}
		next.wake();
	}
}
