import { modulesOf } from '../../../../nodes/shared/qrCode/encoder';

it.each([
	// The capacities of the largest code in bytes (ISO/IEC 18004, table 7).
	['L', 2953],
	['M', 2331],
	['Q', 1663],
	['H', 1273],
] as const)('with %s, encodes at most %i bytes', (level, capacity) => {
	expect(modulesOf('a'.repeat(capacity), level)).toHaveLength(177);
	expect(modulesOf('a'.repeat(capacity + 1), level)).toBeUndefined();
});

it('uses the smallest code', () => {
	// The capacities of the first versions with M, in bytes (ISO/IEC 18004, table 7).
	for (const [version, capacity] of [14, 26, 42, 62].entries()) {
		expect(modulesOf('a'.repeat(capacity), 'M')).toHaveLength(21 + 4 * version);
		expect(modulesOf('a'.repeat(capacity + 1), 'M')).toHaveLength(25 + 4 * version);
	}
});

it('has no level below the one that is asked for, and a higher one if it takes no more room', () => {
	const modules = (level: 'H' | 'L') => modulesOf('a', level);
	expect(modules('L')).toEqual(modules('H'));
});
