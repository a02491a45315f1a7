/** Waits for something without taking part in what goes on meanwhile. */
type Park = (wait: Promise<unknown>) => Promise<unknown>;

/** A promise for the call of a function. */
function deferred() {
	let resolve: () => void = () => undefined;
	const promise = new Promise<void>((settle) => {
		resolve = settle;
	});
	return { promise, resolve };
}

/** Work on things, by all runs. */
export class WorkQueues {
	/** The end of the last work that was announced on each thing. */
	readonly last = new Map<string, Promise<void>>();

	/** Things that were worked on, and as which work of all; forgotten with the last run that is open. */
	readonly worked = new Map<string, number>();

	/** How many works were announced. */
	count = 0;
}

/** Work on a thing: what to wait for before it, whether it was worked on since the run began, what to call at its end. */
interface Announced {
	readonly before?: Promise<void>;
	readonly isWorked: boolean;
	readonly end: () => void;
}

/**
 * Rows that change the same thing take turns: those of one run in the order of the rows, those of several runs in the order
 * in which they ask. What a row changes may be known only after a search, so a row also waits until all earlier ones of its
 * run have told.
 */
export class Turns {
	/** Rows that have not told yet what they change, in their order. */
	private readonly untold = new Set<Turn>();

	private readonly queues: WorkQueues;

	/** How many works had been announced when the run began. */
	private readonly since: number;

	/** @param queues those that all runs share which may change the same things */
	constructor(queues: WorkQueues) {
		this.queues = queues;
		this.since = queues.count;
	}

	/** The turn of the next row. Rows begin in their order. */
	begin(): Turn {
		const turn = new Turn(this);
		this.untold.add(turn);
		return turn;
	}

	isFirst(turn: Turn): boolean {
		const [first] = this.untold;
		return first === turn;
	}

	tell(turn: Turn): void {
		if (!this.untold.delete(turn)) return;
		const [first] = this.untold;
		first?.becomeFirst();
	}

	/** Announces work on a thing. */
	announce(thing: string): Announced {
		const { last, worked } = this.queues;
		const before = last.get(thing);
		const isWorked = (worked.get(thing) ?? 0) > this.since;
		const { promise, resolve } = deferred();
		last.set(thing, promise);
		this.queues.count += 1;
		worked.set(thing, this.queues.count);
		const end = () => {
			if (last.get(thing) === promise) last.delete(thing);
			resolve();
		};
		return { before, isWorked, end };
	}
}

/** One row among those that take turns. */
export class Turn {
	/** What the row waits for while earlier ones have not told. */
	becomeFirst: () => void = () => undefined;

	private finish?: () => void;

	private readonly turns: Turns;

	constructor(turns: Turns) {
		this.turns = turns;
	}

	/**
	 * Waits until no earlier row works on any of the same things. To be called once at most.
	 *
	 * @returns whether any of them was worked on since the run began, so that what was read before may be outdated
	 */
	async take(things: readonly string[], park: Park): Promise<boolean> {
		if (!this.turns.isFirst(this)) {
			const { promise, resolve } = deferred();
			this.becomeFirst = resolve;
			await park(promise);
		}
		const announced = things.map((thing) => this.turns.announce(thing));
		this.finish = () => announced.forEach(({ end }) => end());
		this.turns.tell(this);
		const before = announced.flatMap((one) => one.before ?? []);
		if (before.length > 0) await park(Promise.all(before));
		return announced.some(({ isWorked }) => isWorked);
	}

	/** Tells that the row changes nothing that another one could change as well. */
	skip(): void {
		this.turns.tell(this);
	}

	/** Ends the row's work. */
	end(): void {
		this.turns.tell(this);
		this.finish?.();
	}
}
