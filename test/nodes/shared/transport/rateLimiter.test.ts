import type { HttpAnswer } from '../../../../nodes/shared/transport/http';
import { Pacer } from '../../../../nodes/shared/client/pacer';
import { retryAfterOf } from '../../../../nodes/shared/client/retryAfter';

/** A clock that only moves when somebody waits, and notes each wait. */
function stillClock() {
	const waits: number[] = [];
	let now = 0;
	return {
		waits,
		now: () => now,
		sleep: async (milliseconds: number) => {
			waits.push(milliseconds);
			now += milliseconds;
			await Promise.resolve();
		},
	};
}

const answer = (status: number, headers: Record<string, string> = {}): HttpAnswer => ({
	status,
	headers,
	body: '',
});
const refusal = (headers: Record<string, string> = {}) => answer(429, headers);

async function leave(pacer: Pacer, deadline = Infinity): Promise<number> {
	const left = await pacer.turn(deadline);
	if (left === false) throw new Error('no turn');
	return left;
}

describe('a Retry-After', () => {
	const date = 'Wed, 21 Oct 2026 07:28:00 GMT';

	it.each([
		['7', {}, 7000],
		[' 0 ', {}, 0],
		['Wed, 21 Oct 2026 07:28:30 GMT', { date }, 30_000],
		['Wed, 21 Oct 2026 07:27:30 GMT', { date }, 0],
		['soon', {}, undefined],
		['', {}, undefined],
	])('of "%s" is that many milliseconds', (after, headers, milliseconds) => {
		expect(retryAfterOf({ ...headers, 'retry-after': after })).toBe(milliseconds);
	});

	it('as a date is compared with this clock where the service tells none', () => {
		const in60 = new Date(Date.now() + 60_000).toUTCString();
		const milliseconds = retryAfterOf({ 'retry-after': in60 }) ?? 0;
		expect(Math.abs(milliseconds - 60_000)).toBeLessThan(5_000);
	});

	it.each([
		['seconds', { 'retry-after': '7' }],
		['a date', { 'retry-after': 'Wed, 21 Oct 2026 07:28:07 GMT', date }],
	])('in %s is waited for to the millisecond, once for all', async (_form, headers) => {
		const clock = stillClock();
		const pacer = new Pacer(clock, 0);
		const under = [await leave(pacer), await leave(pacer), await leave(pacer)];
		for (const left of under) pacer.done(left, refusal(headers));
		const next = await leave(pacer);
		expect(clock.waits).toEqual([7000]);
		pacer.done(next, answer(200));
		await leave(pacer);
		expect(clock.waits).toEqual([7000]);
		expect(pacer.waits).toEqual({ count: 1, milliseconds: 7000 });
	});

	it('that ends after the deadline gives no turn, and is not waited for', async () => {
		const clock = stillClock();
		const pacer = new Pacer(clock, 0);
		pacer.done(await leave(pacer), refusal({ 'retry-after': '7' }));
		expect(await pacer.turn(6999)).toBe(false);
		expect(clock.waits).toEqual([]);
		expect(await pacer.turn(7000)).toBe(7000);
	});
});

it('waits longer after each refusal without Retry-After, and from the start after a success', async () => {
	const clock = stillClock();
	const pacer = new Pacer(clock, 0);
	for (let refusals = 0; refusals < 4; refusals += 1) pacer.done(await leave(pacer), refusal());
	pacer.done(await leave(pacer), answer(201));
	pacer.done(await leave(pacer), refusal());
	await leave(pacer);
	const [first = 0, second = 0, third = 0, fourth = 0, again = 0] = clock.waits;
	// Half of each is fixed, half is chance.
	for (const [wait, full] of [
		[first, 1000],
		[second, 2000],
		[third, 4000],
		[fourth, 8000],
		[again, 1000],
	] as const) {
		expect(wait).toBeGreaterThanOrEqual(full / 2);
		expect(wait).toBeLessThanOrEqual(full);
	}
});

it('lets one request alone find out whether a limit is over', async () => {
	const pacer = new Pacer(stillClock(), 0);
	pacer.done(await leave(pacer), refusal({ 'retry-after': '1' }));
	const probe = await leave(pacer);
	let second: number | false | undefined;
	const waiting = pacer.turn(Infinity).then((left) => {
		second = left;
	});
	await Promise.resolve();
	expect(second).toBeUndefined();
	pacer.done(probe, answer(200));
	await waiting;
	expect(second).toBe(1000);
});

it('sends no more than the service says it still takes', async () => {
	const pacer = new Pacer(stillClock(), 0);
	const under = [await leave(pacer), await leave(pacer), await leave(pacer)];
	const [first = 0] = under;
	// Of three that remain, two are under way.
	pacer.done(first, answer(200, { 'x-ratelimit-remaining': '3' }));
	await leave(pacer);
	let more = false;
	void pacer.turn(Infinity).then(() => {
		more = true;
	});
	await new Promise((resolve) => setImmediate(resolve));
	expect(more).toBe(false);
});

it('spaces requests by the limit that the user gives', async () => {
	const clock = stillClock();
	const pacer = new Pacer(clock, 120);
	const left = [await leave(pacer), await leave(pacer), await leave(pacer)];
	expect(left).toEqual([0, 500, 1000]);
});
