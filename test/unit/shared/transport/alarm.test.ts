import { Alarm } from '../../../../nodes/shared/transport/alarm';
import { VirtualClock } from '../../../../testkit/clock/virtualClock.ts';

/** An alarm on a virtual clock, and the times at which it rang. */
function setUp() {
	const clock = new VirtualClock();
	const rings: number[] = [];
	const alarm = new Alarm(clock, () => rings.push(clock.now()));
	return { clock, alarm, rings };
}

it('rings at its time', async () => {
	const { clock, alarm, rings } = setUp();
	alarm.set(300);
	await clock.pass(5_000);
	expect(rings).toEqual([300]);
});

it('rings after a second if its time is later', async () => {
	const { clock, alarm, rings } = setUp();
	alarm.set(30_000);
	await clock.pass(60_000);
	expect(rings).toEqual([1_000]);
});

it('never rings for Infinity', async () => {
	const { clock, alarm, rings } = setUp();
	alarm.set(Infinity);
	await clock.pass(5_000);
	expect(rings).toEqual([]);
});

it('rings again for an earlier time, and once for a later time', async () => {
	const { clock, alarm, rings } = setUp();
	alarm.set(500);
	alarm.set(700);
	alarm.set(200);
	await clock.pass(5_000);
	expect(rings).toEqual([200, 500]);
});
