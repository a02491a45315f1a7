import { modulesOf } from '../../../../nodes/shared/qrCode/encoder';

// The capacities with error correction M in bytes (ISO/IEC 18004, table 7).
it('encodes at most 2,331 bytes', () => {
	expect(modulesOf('a'.repeat(2331))).toHaveLength(177);
	expect(modulesOf('a'.repeat(2332))).toBeUndefined();
});

it('uses the smallest code', () => {
	for (const [version, capacity] of [14, 26, 42, 62].entries()) {
		expect(modulesOf('a'.repeat(capacity))).toHaveLength(21 + 4 * version);
		expect(modulesOf('a'.repeat(capacity + 1))).toHaveLength(25 + 4 * version);
	}
});
