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

/** The end of the last work that was announced on each thing, by all runs. */
export type WorkQueues = Map<string, Promise<void>>;

/**
 * Rows that change the same thing take turns: those of one run in the order of the rows, those of several runs in the order
 * in which they ask. What a row changes may be known only after a search, so a row also waits until all earlier ones of its
 * run have told.
 */
export class Turns {
	/** Rows that have not told yet what they change, in their order. */
	private readonly untold = new Set<Turn>();

	private readonly queues: WorkQueues;

	/** @param queues those that all runs share which may change the same things */
	constructor(queues: WorkQueues) {
		this.queues = queues;
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

	/** Announces work on a thing: what to wait for before it, and what to call at its end. */
	announce(thing: string): { before?: Promise<void>; end: () => void } {
		const before = this.queues.get(thing);
		const { promise, resolve } = deferred();
		this.queues.set(thing, promise);
		const end = () => {
			if (this.queues.get(thing) === promise) this.queues.delete(thing);
			resolve();
		};
		return { before, end };
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

	/** Waits until no earlier row works on any of the same things. To be called once at most. */
	async take(things: readonly string[], park: Park): Promise<void> {
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
