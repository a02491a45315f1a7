import { setImmediate as macrotask } from 'node:timers/promises';
import { Locks, RowLocks, type LockWait } from '../../../../nodes/shared/transport/locks';

/** Waits for every event, however long it takes. */
const patient: LockWait = {
	waitFor: async (event) => await event.then(() => true),
	maxWait: 1000,
	tooLong: () => new Error('too long'),
};

/** A run whose rows use locks. */
function runOf(locks: Locks) {
	const run = { locksBefore: locks.count, rowOrder: new Locks() };
	return { begin: () => new RowLocks(locks, run) };
}

/** The locks of a run, and the names of the rows that have acquired theirs. */
function setUp() {
	const locks = runOf(new Locks());
	const notes: string[] = [];
	let suspended = 0;
	const wait: LockWait = {
		...patient,
		waitFor: async (event) => {
			suspended += 1;
			await event;
			suspended -= 1;
			return true;
		},
	};
	/** Acquires the lock of a row, and adds its name to the notes. */
	const take = (lock: RowLocks, name: string, ...keys: string[]) => {
		void lock.acquire(keys, wait).then(() => notes.push(name));
	};
	return { locks, notes, take, suspended: () => suspended };
}

it('locks a key for one row after the other, in the order of the rows', async () => {
	const { locks, notes, take } = setUp();
	const rows = [locks.begin(), locks.begin(), locks.begin()];
	for (const [index, lock] of rows.entries()) take(lock, `row-${index}`, 'a');
	await macrotask();
	expect(notes).toEqual(['row-0']);
	rows[0]?.release();
	await macrotask();
	expect(notes).toEqual(['row-0', 'row-1']);
	rows[1]?.release();
	await macrotask();
	expect(notes).toEqual(['row-0', 'row-1', 'row-2']);
});

it('locks different keys at the same time', async () => {
	const { locks, notes, take, suspended } = setUp();
	for (const key of ['a', 'b', 'c']) take(locks.begin(), key, key);
	await macrotask();
	expect(notes).toEqual(['a', 'b', 'c']);
	expect(suspended()).toBe(0);
});

it('makes a row wait until all earlier rows have named their keys', async () => {
	const { locks, notes, take, suspended } = setUp();
	const [first, second, third] = [locks.begin(), locks.begin(), locks.begin()];
	take(third, 'third', 'a');
	take(second, 'second', 'a');
	await macrotask();
	expect(notes).toEqual([]);
	expect(suspended()).toBe(2);
	take(first, 'first', 'b');
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	second.release();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third']);
	expect(suspended()).toBe(0);
});

it('does not wait for a row without a key', async () => {
	const { locks, notes, take } = setUp();
	const [first, second] = [locks.begin(), locks.begin()];
	take(second, 'second', 'a');
	await macrotask();
	expect(notes).toEqual([]);
	void first.acquire([], patient);
	await macrotask();
	expect(notes).toEqual(['second']);
});

it('does not wait for a row that ended before it named its keys', async () => {
	const { locks, notes, take } = setUp();
	const [first, second] = [locks.begin(), locks.begin()];
	take(second, 'second', 'a');
	first.release();
	await macrotask();
	expect(notes).toEqual(['second']);
});

it('makes a row wait for the row before it, not for the first row', async () => {
	const { locks, notes, take } = setUp();
	const [first, second] = [locks.begin(), locks.begin()];
	take(first, 'first', 'a');
	take(second, 'second', 'a');
	first.release();
	await macrotask();
	const third = locks.begin();
	take(third, 'third', 'a');
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	second.release();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third']);
	third.release();
	const fourth = locks.begin();
	take(fourth, 'fourth', 'a');
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third', 'fourth']);
});

it('can be released twice, and without being acquired', async () => {
	const { locks, notes, take } = setUp();
	const [first, second, third] = [locks.begin(), locks.begin(), locks.begin()];
	void first.acquire([], patient);
	first.release();
	first.release();
	take(second, 'second', 'a');
	await macrotask();
	second.release();
	second.release();
	take(third, 'third', 'a');
	await macrotask();
	expect(notes).toEqual(['second', 'third']);
});

it('makes a row with several keys wait for each of them', async () => {
	const { locks, notes, take } = setUp();
	const [first, second, third, fourth] = [
		locks.begin(),
		locks.begin(),
		locks.begin(),
		locks.begin(),
	];
	take(first, 'first', 'a');
	take(second, 'second', 'b');
	take(third, 'third', 'a', 'b');
	take(fourth, 'fourth', 'b');
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	second.release();
	await macrotask();
	expect(notes).toEqual(['first', 'second']);
	first.release();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third']);
	third.release();
	await macrotask();
	expect(notes).toEqual(['first', 'second', 'third', 'fourth']);
});

it('locks nothing for a row that ends while it is granted its turn', async () => {
	const { locks, notes, take } = setUp();
	const [first, second, third] = [locks.begin(), locks.begin(), locks.begin()];
	const ended = expect(second.acquire(['a'], patient)).rejects.toThrow('The run ended');
	void first.acquire([], patient);
	second.release();
	await ended;
	take(third, 'third', 'a');
	await macrotask();
	expect(notes).toEqual(['third']);
});

it('returns whether a key was locked since the run began', async () => {
	const all = new Locks();
	const [earlier, run] = [runOf(all), runOf(all)];
	const other = earlier.begin();
	expect(await other.acquire(['a'], patient)).toBe(false);
	other.release();
	const [first, second] = [run.begin(), run.begin()];
	expect(await first.acquire(['a'], patient)).toBe(true);
	expect(await second.acquire(['b'], patient)).toBe(false);
	first.release();
	expect(await runOf(all).begin().acquire(['a'], patient)).toBe(false);
	all.clearHistory();
	expect(all.wasLockedAfter('a', 0)).toBe(false);
});

describe('a row that waits for another run', () => {
	/** Waits for an event, or until a test ends the time of a wait. */
	function setUpTwo() {
		const all = new Locks();
		const timers: { milliseconds: number; end: () => void }[] = [];
		const wait: LockWait = {
			...patient,
			waitFor: async (event, milliseconds) => {
				const timer = new Promise<boolean>((resolve) => {
					timers.push({ milliseconds, end: () => resolve(false) });
				});
				return await Promise.race([event.then(() => true), timer]);
			},
		};
		return { run: () => runOf(all), timers, wait };
	}

	it('fails if no lock is released within Max Wait, and later rows continue to wait', async () => {
		const { run, timers, wait } = setUpTwo();
		const [holder, waiting, later] = [run().begin(), run().begin(), run().begin()];
		await holder.acquire(['a'], wait);
		const refused = expect(waiting.acquire(['a'], wait)).rejects.toThrow('too long');
		const taken: boolean[] = [];
		void later.acquire(['a'], wait).then((isWorked) => taken.push(isWorked));
		expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([1000, 1000]);
		timers[0]?.end();
		await refused;
		waiting.release();
		await macrotask();
		expect(taken).toEqual([]);
		holder.release();
		await macrotask();
		expect(taken).toEqual([true]);
	});

	it('continues to wait if a lock was released', async () => {
		const { run, timers, wait } = setUpTwo();
		const [holder, second, waiting] = [run().begin(), run().begin(), run().begin()];
		await holder.acquire(['a'], wait);
		void second.acquire(['a'], wait);
		const taken = waiting.acquire(['a'], wait);
		holder.release();
		timers[1]?.end();
		await macrotask();
		expect(timers).toHaveLength(3);
		second.release();
		expect(await taken).toBe(true);
	});

	it('waits for rows of its own run without a limit', async () => {
		const { run, timers, wait } = setUpTwo();
		const locks = run();
		const [first, second] = [locks.begin(), locks.begin()];
		await first.acquire(['a'], wait);
		const taken = second.acquire(['a'], wait);
		expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([Infinity]);
		first.release();
		expect(await taken).toBe(true);
	});

	it('leaves the queue if its run ends', async () => {
		const { run, wait } = setUpTwo();
		const [holder, waiting, later] = [run().begin(), run().begin(), run().begin()];
		const ended = { ...wait, waitFor: async () => await Promise.reject(new Error('ended')) };
		await holder.acquire(['a'], wait);
		await expect(waiting.acquire(['a'], ended)).rejects.toThrow('ended');
		waiting.release();
		const taken = later.acquire(['a'], wait);
		holder.release();
		expect(await taken).toBe(true);
	});
});
