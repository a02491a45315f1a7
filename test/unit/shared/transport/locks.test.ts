import { setImmediate as macrotask } from 'node:timers/promises';
import { Locks, rowLocks, type LockWait } from '../../../../nodes/shared/transport/locks';

const waitFor: LockWait = async (event) => await event.then(() => true);

/** Returns locks of rows. Each letter is the run of a row; the runs begin in their order. */
function rowsOf(runs: string, locks = new Locks(), wait = waitFor) {
	const numbers = new Map([...new Set(runs)].map((run) => [run, locks.nextNumber()]));
	return [...runs].map((run) => rowLocks(locks, numbers.get(run) ?? 0, wait, 1000));
}

/**
 * Each step is a row that requests its texts, such as `1AB`, or its last lock, such as `1a`, or a row that ends, such as `1-`.
 * After the slash are the rows that have got what they requested, in the order in which they got it.
 */
it.each<[name: string, runs: string, ...steps: string[]]>([
	['one row after another', 'AAA', '0a/0', '1a/0', '2a/0', '0-/01', '1-/012'],
	['different keys at the same time', 'AAA', '0a/0', '1b/01', '2c/012'],
	['in the order of the rows, not of their requests', 'AAA', '2a/', '1a/', '0b/01', '1-/012'],
	['rows of two runs in the order of their requests', 'AB', '1a/1', '0a/1', '1-/10'],
	['a row without a key delays no other', 'AA', '1a/', '0/01'],
	['a row that ends before it requests its last lock', 'AA', '1a/', '0-/1'],
	['a row that ended twice', 'AAA', '0a/0', '1a/0', '2a/0', '0-/01', '0-/01', '1-/012'],
	['a row waits for the row before it', 'AAAA', '0a/0', '1a/0', '0-/01', '2a/01', '1-/012'],
	['all texts of a row', 'AAAA', '0A/0', '1B/01', '2AB/01', '3B/01', '1-/01', '0-/012', '2-/0123'],
	[
		'texts at once, although earlier rows have not requested their last lock',
		'AA',
		'0A/0',
		'1B/01',
	],
	['a row that uses a text that an earlier row writes', 'AA', '0AB/0', '1B/0', '0a/00', '0-/001'],
	['two runs with the same texts', 'AB', ...['0AB/0', '1AB/0', '0a/00', '0-/001', '1a/0011']],
	['a row that ends while it waits', 'ABC', '0a/0', '1a/0', '2a/0', '1-/0', '0-/02'],
])('locks %s', async (_name, runs, ...steps) => {
	const rows = rowsOf(runs);
	const granted: string[] = [];
	for (const step of steps) {
		const [action = '', expected] = step.split('/');
		const [name = '', ...keys] = action;
		const row = rows[Number(name)];
		const [key] = keys;
		if (key === '-') row?.release();
		else {
			const isText = key !== undefined && key === key.toUpperCase();
			const acquired = isText ? row?.acquireTexts(keys) : row?.acquireLast(key);
			void acquired?.then(() => granted.push(name));
		}
		await macrotask();
		expect([step, granted.join('')]).toEqual([step, expected]);
	}
});

it('locks nothing for a row that has ended, or ends while it is granted its turn', async () => {
	const [first, second, third] = rowsOf('AAA');
	void second?.acquireLast('a');
	void first?.acquireLast();
	second?.release();
	first?.release();
	expect(await first?.acquireTexts(['a'])).toBe(false);
	expect(await third?.acquireLast('a')).toBe(false);
});

it('returns whether a key was locked since the run began', async () => {
	const locks = new Locks();
	const [earlier, first, second] = rowsOf('ABB', locks);
	expect(await earlier?.acquireLast('a')).toBe(false);
	earlier?.release();
	expect(await first?.acquireLast('a')).toBe(true);
	expect(await second?.acquireLast('b')).toBe(false);
	first?.release();
	expect(await rowsOf('C', locks)[0]?.acquireLast('a')).toBe(false);
	const waiting = rowsOf('D', locks)[0]?.acquireLast('b');
	second?.release();
	expect(await waiting).toBe(true);
});

describe('a row that waits', () => {
	/** Waits for an event, or until a test ends the time of a wait. */
	const timers: { milliseconds: number; end: () => void }[] = [];
	const timed: LockWait = async (event, milliseconds) => {
		const timer = new Promise<boolean>((resolve) => {
			timers.push({ milliseconds, end: () => resolve(false) });
		});
		return await Promise.race([event.then(() => true), timer]);
	};
	beforeEach(() => (timers.length = 0));

	it('for another run continues to wait if a lock was released', async () => {
		const [holder, second, waiting] = rowsOf('ABC', new Locks(), timed);
		await holder?.acquireLast('a');
		void second?.acquireLast('a');
		const taken = waiting?.acquireLast('a');
		await macrotask();
		holder?.release();
		await macrotask();
		timers[1]?.end();
		await macrotask();
		expect(timers).toHaveLength(3);
		second?.release();
		expect(await taken).toBe(true);
	});

	it('for its own run has no time limit', async () => {
		const [first, second] = rowsOf('AA', new Locks(), timed);
		await first?.acquireLast('a');
		void second?.acquireLast('a');
		await macrotask();
		expect(timers.map(({ milliseconds }) => milliseconds)).toEqual([Infinity]);
	});
});
