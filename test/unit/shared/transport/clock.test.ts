import { growingPause } from '../../../../nodes/shared/transport/clock';

it.each([
	[0, 0, 250],
	[0, 1, 500],
	[0, 0.5, 375],
	[1, 0, 500],
	[4, 0, 4_000],
	[5, 0, 5_000],
	[5, 1, 10_000],
	[100, 1, 10_000],
])('after %d failures and with the chance %d pauses for %d ms', (tries, chance, pause) => {
	expect(growingPause(tries, { random: () => chance })).toBe(pause);
});
