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

/** A sleep. Sleeps end in the order of their end times, and then in the order in which they started. */
interface Sleeper {
	readonly wakesAt: number;
	readonly number: number;
	readonly wake: () => void;
}

const isBefore = (a: Sleeper, b: Sleeper) =>
	a.wakesAt < b.wakesAt || (a.wakesAt === b.wakesAt && a.number < b.number);

/** A binary heap of sleepers. */
class Sleepers {
	private readonly heap: Sleeper[] = [];

	get size(): number {
		return this.heap.length;
	}

	push(sleeper: Sleeper): void {
		const { heap } = this;
		let at = heap.length;
		heap.push(sleeper);
		while (at > 0) {
			const above = (at - 1) >> 1;
			const parent = heap[above];
			if (!parent || !isBefore(sleeper, parent)) break;
			heap[at] = parent;
			at = above;
		}
		heap[at] = sleeper;
	}

	/** Takes out the one who wakes first. */
	pop(): Sleeper | undefined {
		const { heap } = this;
		const [first] = heap;
		const last = heap.pop();
		if (!first || !last || heap.length === 0) return first;
		let at = 0;
		for (;;) {
			const [leftChild, rightChild] = [heap[2 * at + 1], heap[2 * at + 2]];
			const isRight = leftChild && rightChild && isBefore(rightChild, leftChild);
			const below = isRight ? rightChild : leftChild;
			if (!below || !isBefore(below, last)) break;
			heap[at] = below;
			at = 2 * at + (isRight ? 2 : 1);
		}
		heap[at] = last;
		return first;
	}
}

/** What a simulation may take before it counts as one that does not end. */
export interface Bounds {
	/** Virtual hours from the beginning of the clock. */
	readonly hours: number;
	/** Sleeps that may end in all. */
	readonly wakeUps: number;
	/** Sleeps that may end one after another without any time between them. */
	readonly wakeUpsAtOnce: number;
}

const defaultBounds: Bounds = { hours: 24, wakeUps: 1_000_000, wakeUpsAtOnce: 20_000 };

const hour = 60 * 60 * 1000;

/**
 * A clock whose time only moves when everybody waits for it: then it jumps to the next wake-up. Work that runs on it takes
 * no real time, and comes out the same for the same seed.
 */
export class VirtualClock {
	/** Sleeps that have ended. */
	wakeUps = 0;

	private time = 0;

	private wakeUpsNow = 0;

	private lastNumber = 0;

	private readonly sleepers = new Sleepers();

	private readonly bounds: Bounds;

	readonly random: () => number;

	/** A sleep for no time that can be: `sleep` must not reject, so the run does. */
	private mistake?: Error;

	constructor(seed = 1, bounds: Partial<Bounds> = {}) {
		this.random = seededRandom(seed);
		this.bounds = { ...defaultBounds, ...bounds };
	}

	/** Milliseconds since the clock was made. An arrow function, because callers take it apart from the clock. */
	readonly now = (): number => this.time;

	readonly sleep = async (milliseconds: number): Promise<void> => {
		if (!Number.isFinite(milliseconds)) {
			this.mistake ??= new Error(`Somebody sleeps for ${milliseconds} milliseconds`);
		}
		const wakesAt = this.time + Math.max(0, milliseconds);
		this.lastNumber += 1;
		const number = this.lastNumber;
		await new Promise<void>((wake) => {
			this.sleepers.push({ wakesAt, number, wake });
		});
	};

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

	private step(): void {
		const next = this.sleepers.pop();
		const where = `after ${Math.round(this.time / 1000)} virtual seconds and ${this.wakeUps} wake-ups`;
		if (!next) throw new Error(`Everybody waits for something that never comes, ${where}`);
		this.wakeUps += 1;
		this.wakeUpsNow = next.wakesAt > this.time ? 0 : this.wakeUpsNow + 1;
		this.time = Math.max(this.time, next.wakesAt);
		if (
			this.time > this.bounds.hours * hour ||
			this.wakeUps > this.bounds.wakeUps ||
			this.wakeUpsNow > this.bounds.wakeUpsAtOnce
		) {
			throw new Error(`The simulation does not end: stopped ${where}`);
		}
		next.wake();
	}
}
