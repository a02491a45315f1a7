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

describe('a simulation fails', () => {
	it('in which everybody waits for something that never comes', async () => {
		const clock = new VirtualClock();
		const waiting = clock.run(async () => {
			await clock.sleep(2000);
			await new Promise(() => undefined);
		});
		await expect(waiting).rejects.toThrow(/never comes, after 2 virtual seconds and 1 wake-ups/);
	});

	it('in which no time passes', async () => {
		const clock = new VirtualClock(1, { wakeUpsAtOnce: 50 });
		const sleeping = clock.run(async () => {
			for (;;) await clock.sleep(0);
		});
		await expect(sleeping).rejects.toThrow(/stopped after 0 virtual seconds and 50 wake-ups/);
	});
});
