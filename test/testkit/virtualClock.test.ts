import { VirtualClock } from '../../testkit/clock/virtualClock.ts';

it('wakes sleepers in the order of their time, and of their lying down', async () => {
	const clock = new VirtualClock();
	const woken: string[] = [];
	const sleep = async (name: string, milliseconds: number) => {
		await clock.sleep(milliseconds);
		woken.push(`${name} ${clock.now()}`);
	};
	await clock.run(async () => {
		const times = [50, 20, 90, 20, 0, 70, 10, 50];
		await Promise.all(times.map(async (time, index) => await sleep(String(index), time)));
	});
	expect(woken).toEqual(['4 0', '6 10', '1 20', '3 20', '0 50', '7 50', '5 70', '2 90']);
});

it('stands still while somebody works', async () => {
	const clock = new VirtualClock();
	let wokenAt: number | undefined;
	const times = await clock.run(async () => {
		const sleeping = clock.sleep(1000).then(() => {
			wokenAt = clock.now();
		});
		for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
		const before = clock.now();
		await sleeping;
		return [before, clock.now()];
	});
	expect(times).toEqual([0, 1000]);
	expect(wokenAt).toBe(1000);
});

it('gives the same numbers for the same seed', () => {
	const numbers = (seed: number) => {
		const { random } = new VirtualClock(seed);
		return Array.from({ length: 1000 }, random);
	};
	expect(numbers(1)).toEqual(numbers(1));
	expect(numbers(1)).not.toEqual(numbers(2));
	const all = numbers(3);
	expect(Math.min(...all)).toBeGreaterThanOrEqual(0);
	expect(Math.max(...all)).toBeLessThan(1);
	const mean = all.reduce((sum, number) => sum + number, 0) / all.length;
	expect(Math.abs(mean - 0.5)).toBeLessThan(0.05);
});

it('hands on what the work resolves and rejects with', async () => {
	const clock = new VirtualClock();
	expect(await clock.run(async () => await clock.sleep(5).then(() => 'done'))).toBe('done');
	const failing = clock.run(async () => await Promise.reject(new Error('broken')));
	await expect(failing).rejects.toThrow('broken');
});

describe('a simulation fails', () => {
	it('in which everybody waits for something that never comes', async () => {
		const clock = new VirtualClock();
		const waiting = clock.run(async () => {
			await clock.sleep(2000);
			await new Promise(() => undefined);
		});
		await expect(waiting).rejects.toThrow(/never comes, after 2 virtual seconds and 1 wake-ups/);
	});

	it('that takes too many virtual hours', async () => {
		const clock = new VirtualClock(1, { hours: 2 });
		const sleeping = clock.run(async () => {
			for (;;) await clock.sleep(60_000);
		});
		await expect(sleeping).rejects.toThrow(
			/does not end: stopped after 7200 virtual seconds and 120 wake-ups/,
		);
	});

	it('that wakes up too often', async () => {
		const clock = new VirtualClock(1, { wakeUps: 100 });
		const sleeping = clock.run(async () => {
			for (;;) await clock.sleep(1);
		});
		await expect(sleeping).rejects.toThrow(/does not end/);
	});

	it('in which no time passes', async () => {
		const clock = new VirtualClock(1, { wakeUpsAtOnce: 50 });
		const sleeping = clock.run(async () => {
			for (;;) await clock.sleep(0);
		});
		await expect(sleeping).rejects.toThrow(/stopped after 0 virtual seconds and 50 wake-ups/);
	});

	it.each([NaN, Infinity])('in which somebody sleeps for %d milliseconds', async (time) => {
		const clock = new VirtualClock();
		const sleeping = clock.run(async () => await clock.sleep(time));
		await expect(sleeping).rejects.toThrow(`sleeps for ${time} milliseconds`);
	});
});
