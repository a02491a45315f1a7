import { Delays } from '../../../../nodes/shared/transport/delays';
import type { Place } from '../../../../nodes/shared/transport/runQueue';

const never = new Promise<void>(() => undefined);

const placeOf = (order: number) => ({ row: { order } }) as Place;

it('ends with the event', async () => {
	const delays = new Delays();
	expect(await delays.wait(Promise.resolve(), 1_000)).toBe(true);
	expect(delays.nextEnd).toBe(Infinity);
});

it('ends at its time without the event', async () => {
	const delays = new Delays();
	const waits = [delays.wait(never, 2_000), delays.wait(never, 1_000)];
	expect(delays.nextEnd).toBe(1_000);
	delays.expire(999);
	expect(delays.nextEnd).toBe(1_000);
	delays.expire(1_000);
	expect(await waits[1]).toBe(false);
	expect(delays.nextEnd).toBe(2_000);
});

it('ends with an error if its row is removed, and not without a row', async () => {
	const delays = new Delays();
	const removed = delays.wait(never, 1_000, placeOf(1));
	const other = delays.wait(never, 2_000, placeOf(2));
	const free = delays.wait(never, 3_000);
	delays.remove(
		({ row }) => row.order === 1,
		({ row }) => new Error(`row ${row.order}`),
	);
	await expect(removed).rejects.toThrow('row 1');
	delays.expire(3_000);
	expect(await Promise.all([other, free])).toEqual([false, false]);
});
