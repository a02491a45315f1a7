import { setImmediate as macrotask } from 'node:timers/promises';
import {
	Turns,
	WorkQueues,
	type Turn,
	type TurnWait,
} from '../../../../nodes/shared/transport/keyedMutex';

/** Waits for every event, however long it takes. */
const patient: TurnWait = {
	waitFor: async (event) => await event.then(() => true),
	maxWait: 1000,
	tooLong: () => new Error('too long'),
};

/** Turns, with a note of what happened. */
function setUp() {
	const turns = new Turns(new WorkQueues());
	const notes: string[] = [];
	let parked = 0;
	const wait: TurnWait = {
		...patient,
		waitFor: async (event) => {
			parked += 1;
			await event;
			parked -= 1;
			return true;
		},
	};
	/** A row takes its turn, and notes when it has it. */
	const take = (turn: Turn, name: string, ...things: string[]) => {
		void turn.take(things, wait).then(() => notes.push(name));
	};
	return { turns, notes, take, parked: () => parked };
}

it('gives rows on the same thing their turns in the order of the rows', async () => {
	const { turns, notes, take } = setUp();
	const rows = [turns.begin(), turns.begin(), turns.begin()];
	for (const [index, turn] of rows.entries()) take(turn, `row-${index}`, 'a');
	await macrotask();
	expect(notes).toEqual(['row-0']);
	rows[0]?.end();
	await macrotask();
	expect(notes).toEqual(['row-0', 'row-1']);
	rows[1]?.end();
	await macrotask();
	expect(notes).toEqual(['row-0', 'row-1', 'row-2']);
});

it('lets rows on different things go on side by side', async () => {
	const { turns, notes, take, parked } = setUp();
	for (const thing of ['a', 'b', 'c']) take(turns.begin(), thing, thing);
	await macrotask();
	expect(notes).toEqual(['a', 'b', 'c']);
	expect(parked()).toBe(0);
});

it('makes a row wait until all earlier ones have told what they work on', async () => {
	const { turns, notes, take, parked } = setUp();
	const [first, second, third] = [turns.begin(), turns.begin(), turns.begin()];
	take(third, 'third', 'a');
	take(second, 'second', 'a');
	await macrotask();
	expect(notes).toEqual([]);
	expect(parked()).toBe(2);
	take(first, 'first', 'b');
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	second.end();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third']);
	expect(parked()).toBe(0);
});

it('waits no longer for a row that works on nothing that others could', async () => {
	const { turns, notes, take } = setUp();
	const [first, second] = [turns.begin(), turns.begin()];
	take(second, 'second', 'a');
	await macrotask();
	expect(notes).toEqual([]);
	first.skip();
	await macrotask();
	expect(notes).toEqual(['second']);
});

it('waits no longer for a row that ended before it told', async () => {
	const { turns, notes, take } = setUp();
	const [first, second] = [turns.begin(), turns.begin()];
	take(second, 'second', 'a');
	first.end();
	await macrotask();
	expect(notes).toEqual(['second']);
});

it('makes a later row wait for the one before it, not for the first of all', async () => {
	const { turns, notes, take } = setUp();
	const [first, second] = [turns.begin(), turns.begin()];
	take(first, 'first', 'a');
	take(second, 'second', 'a');
	first.end();
	await macrotask();
	const third = turns.begin();
	take(third, 'third', 'a');
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	second.end();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third']);
	third.end();
	const fourth = turns.begin();
	take(fourth, 'fourth', 'a');
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third', 'fourth']);
});

it('can be ended twice, and ended or skipped without having been taken', async () => {
	const { turns, notes, take } = setUp();
	const [first, second, third] = [turns.begin(), turns.begin(), turns.begin()];
	first.skip();
	first.end();
	first.end();
	take(second, 'second', 'a');
	await macrotask();
	second.end();
	second.end();
	take(third, 'third', 'a');
	await macrotask();
	expect(notes).toEqual(['second', 'third']);
});

it('makes a row on several things wait for the rows on any of them, and later ones for it', async () => {
	const { turns, notes, take } = setUp();
	const [first, second, third, fourth] = [
		turns.begin(),
		turns.begin(),
		turns.begin(),
		turns.begin(),
	];
	take(first, 'first', 'a');
	take(second, 'second', 'b');
	take(third, 'third', 'a', 'b');
	take(fourth, 'fourth', 'b');
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	second.end();
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	first.end();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third']);
	third.end();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third', 'fourth']);
});

it('tells a row whether its thing was worked on since its run began', async () => {
	const queues = new WorkQueues();
	const [earlier, run] = [new Turns(queues), new Turns(queues)];
	const other = earlier.begin();
	expect(await other.take(['a'], patient)).toBe(false);
	other.end();
	const [first, second] = [run.begin(), run.begin()];
	expect(await first.take(['a'], patient)).toBe(true);
	expect(await second.take(['b'], patient)).toBe(false);
	first.end();
	expect(await new Turns(queues).begin().take(['a'], patient)).toBe(false);
});

describe('a row that waits for another run', () => {
	/** Waits for an event, or until a test ends the time of a wait. */
	function setUpTwo() {
		const queues = new WorkQueues();
		const timers: { milliseconds: number; end: () => void }[] = [];
		const wait: TurnWait = {
			...patient,
			waitFor: async (event, milliseconds) => {
				const timer = new Promise<boolean>((resolve) => {
					timers.push({ milliseconds, end: () => resolve(false) });
				});
				return await Promise.race([event.then(() => true), timer]);
			},
		};
		return { run: () => new Turns(queues), timers, wait };
	}

	it('gives up if no work on the key ends within Max Wait, and lets later rows wait on', async () => {
		const { run, timers, wait } = setUpTwo();
		const [holder, waiting, later] = [run().begin(), run().begin(), run().begin()];
		await holder.take(['a'], wait);
		const refused = expect(waiting.take(['a'], wait)).rejects.toThrow('too long');
		const taken: boolean[] = [];
		void later.take(['a'], wait).then((isWorked) => taken.push(isWorked));
		expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([1000, 1000]);
		timers[0]?.end();
		await refused;
		waiting.end();
		await macrotask();
		expect(taken).toEqual([]);
		holder.end();
		await macrotask();
		expect(taken).toEqual([true]);
	});

	it('waits on if work on the key has ended', async () => {
		const { run, timers, wait } = setUpTwo();
		const [holder, second, waiting] = [run().begin(), run().begin(), run().begin()];
		await holder.take(['a'], wait);
		void second.take(['a'], wait);
		const taken = waiting.take(['a'], wait);
		holder.end();
		timers[1]?.end();
		await macrotask();
		expect(timers).toHaveLength(3);
		second.end();
		expect(await taken).toBe(true);
	});

	it('waits for rows of its own run without an end', async () => {
		const { run, timers, wait } = setUpTwo();
		const turns = run();
		const [first, second] = [turns.begin(), turns.begin()];
		await first.take(['a'], wait);
		const taken = second.take(['a'], wait);
		expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([Infinity]);
		first.end();
		expect(await taken).toBe(true);
	});

	it('leaves the queue if its run ends', async () => {
		const { run, wait } = setUpTwo();
		const [holder, waiting, later] = [run().begin(), run().begin(), run().begin()];
		const ended = { ...wait, waitFor: async () => await Promise.reject(new Error('ended')) };
		await holder.take(['a'], wait);
		await expect(waiting.take(['a'], ended)).rejects.toThrow('ended');
		waiting.end();
		const taken = later.take(['a'], wait);
		holder.end();
		expect(await taken).toBe(true);
	});
});
