import { setImmediate as macrotask } from 'node:timers/promises';
import { KeyedMutex, type LockWait } from '../../../../nodes/shared/transport/keyedMutex';

const wait: LockWait = {
	waitFor: async (event) => await event.then(() => true),
	maxWait: 1_000,
	tooLong: () => new Error('too long'),
};

/** A mutex with locks of one run on one key, and the names of those that were acquired. */
function setUp(...names: string[]) {
	const mutex = new KeyedMutex();
	const run = {};
	const acquired: string[] = [];
	const locks = names.map((name) => {
		const lock = mutex.enqueue('a', run);
		void lock.acquire(wait).then(() => acquired.push(name));
		return lock;
	});
	return { mutex, run, locks, acquired };
}

it('grants the locks of a key one after the other', async () => {
	const { locks, acquired } = setUp('first', 'second', 'third');
	await macrotask();
	expect(acquired).toEqual(['first']);
	expect(locks.map(({ isAcquired }) => isAcquired)).toEqual([true, false, false]);
	locks[0]?.release();
	await macrotask();
	expect(acquired).toEqual(['first', 'second']);
});

it('grants the locks of different keys at the same time', () => {
	const { mutex, run } = setUp('first');
	expect(mutex.enqueue('b', run).isAcquired).toBe(true);
});

it('skips a lock that leaves the queue, and ignores a second release', async () => {
	const { mutex, run, locks, acquired } = setUp('first', 'second', 'third');
	locks[1]?.release();
	locks[1]?.release();
	locks[0]?.release();
	await macrotask();
	expect(acquired).toEqual(['first', 'third']);
	locks[2]?.release();
	const next = mutex.enqueue('a', run);
	locks[2]?.release();
	expect(next.isAcquired).toBe(true);
	expect(mutex.enqueue('a', run).isAcquired).toBe(false);
});

it('knows which keys were locked, until its history is cleared', () => {
	const { mutex } = setUp('first');
	expect(mutex.wasLockedAfter('a', 0)).toBe(true);
	expect(mutex.wasLockedAfter('a', mutex.count)).toBe(false);
	expect(mutex.wasLockedAfter('b', 0)).toBe(false);
	mutex.clearHistory();
	expect(mutex.wasLockedAfter('a', 0)).toBe(false);
});

it.each([
	['another run', {}, [1_000]],
	['its own run', undefined, [Infinity]],
])('waits for %s', async (_name, other, times) => {
	const { mutex, run } = setUp('first');
	const waits: number[] = [];
	const waitFor: LockWait['waitFor'] = async (_event, milliseconds) => {
		waits.push(milliseconds);
		return await Promise.resolve(false);
	};
	const lock = mutex.enqueue('a', other ?? run);
	await expect(lock.acquire({ ...wait, waitFor })).rejects.toThrow('too long');
	expect(waits).toEqual(times);
});
