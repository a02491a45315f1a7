import { fingerprint } from '../../../../nodes/LinkTrigger/polling/fingerprint';

describe('a fingerprint', () => {
	it.each([
		[10, 10],
		[6, 6],
		[5, 5],
		[4, 4],
		[2, 2],
	])('of %d characters has %d', (length, characters) => {
		expect(fingerprint('https://example.com/', length)).toHaveLength(characters);
	});

	it('is the same for the same text in every version, because it is stored', () => {
		expect(fingerprint('https://example.com/', 10)).toBe('aMAbQZB54S');
		expect(fingerprint('Größe €', 10)).toBe('Xr-w61skZz');
		expect(fingerprint('', 6)).toBe('cITIrI');
	});

	it('begins with the shorter fingerprint of the same text', () => {
		expect(fingerprint('spring', 10).slice(0, 4)).toBe(fingerprint('spring', 4));
	});

	it('differs for texts that differ in their last character only', () => {
		const prints = Array.from('0123456789', (digit) =>
			fingerprint(`https://example.com/${digit}`, 2),
		);
		expect(new Set(prints).size).toBe(10);
	});

	it('differs for texts that differ in the high byte of a character only', () => {
		expect(fingerprint('\u0141', 6)).not.toBe(fingerprint('\u0241', 6));
	});
});
