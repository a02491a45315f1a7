import { linkFilters } from '../../../../nodes/Link/fields/clientFilters';
import { Invalid, type EncodeOptions } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const test = (name: string, value: unknown, timeZone = 'Europe/Berlin') => {
	const property = linkFilters.find((filter) => filter.name === name);
	if (!property) throw new Error(`There is no filter ${name}`);
	const options: EncodeOptions = { ...encodeOptions, timeZone, resourceOptions: {} };
	return property.filter.read(value, property, options);
};

const passes = (name: string, value: unknown, link: object, timeZone?: string) => {
	const read = test(name, value, timeZone);
	if (read instanceof Invalid) throw new Error(read.reasons.join());
	return read.passes({ ...link });
};

const isDoubtful = (name: string, value: unknown, link: object, timeZone?: string) => {
	const read = test(name, value, timeZone);
	return read instanceof Invalid ? undefined : read.isDoubtful?.({ ...link });
};

describe('a date of creation', () => {
	it.each([
		// A time without an offset is local time, of the filter and of the link.
		['2026-06-01T12:00:00', '2026-06-01 11:59:59', false],
		['2026-06-01T12:00:00', '2026-06-01 12:00:00', true],
		['2026-06-01T12:00:30', '2026-06-01T12:00:29.999+02:00', false],
		['2026-06-01T12:00:30', '2026-06-01T12:00:30+0200', true],
		// A Z means UTC.
		['2026-06-01T12:00:00', '2026-06-01T09:59:59.999999Z', false],
		['2026-06-01T12:00:00', '2026-06-01T10:00:00.000000Z', true],
		['2026-06-01T10:00:00Z', '2026-06-01T10:00:00Z', true],
		// A date is its start in the time zone.
		['2026-06-01', '2026-05-31T21:59:59Z', false],
		['2026-06-01', '2026-05-31T22:00:00Z', true],
		['2026-06-01', '2026-06-01', true],
		[new Date('2026-06-01T10:00:00Z'), '2026-06-01T10:00:00+00', true],
		// Each millisecond counts, and nothing below it.
		[new Date('2026-06-01T10:00:01.001Z'), '2026-06-01T10:00:01.001Z', true],
		[new Date('2026-06-01T10:00:01.001Z'), '2026-06-01T10:00:01.000999Z', false],
		['2026-06-01T10:00:01.001Z', '2026-06-01T10:00:01.000000Z', false],
		['2026-06-01T10:00:01,5Z', '2026-06-01T10:00:01.499Z', false],
	])('%s: %s is at or after it: %s', (bound, created, isAfter) => {
		expect(passes('createdAfter', bound, { created_at: created })).toBe(isAfter);
		expect(passes('createdBefore', bound, { created_at: created })).toBe(!isAfter);
	});

	it.each([
		undefined,
		null,
		'',
		'yesterday',
		'01/06/2026',
		1780308000,
		'2026-02-30 10:00',
		'2026-06-01T12:00:00Z and more',
		// Daylight saving time skips it.
		'2026-03-29 02:30:00',
	])('is unknown if it is %p', (created) => {
		expect(passes('createdAfter', '2020-01-01', { created_at: created })).toBeUndefined();
		expect(passes('createdBefore', '2030-01-01', { created_at: created })).toBeUndefined();
	});

	it('is doubtful if the result depends on the Z', () => {
		const bound = '2026-06-01T12:00:00';
		const at = (created_at: string) => ({ created_at });
		expect(isDoubtful('createdAfter', bound, at('2026-06-01T11:00:00Z'))).toBe(true);
		expect(isDoubtful('createdAfter', bound, at('2026-06-01T13:00:00Z'))).toBe(false);
		expect(isDoubtful('createdAfter', bound, at('2026-06-01T09:00:00Z'))).toBe(false);
		expect(isDoubtful('createdAfter', bound, at('2026-06-01T11:00:00Z'), 'UTC')).toBe(false);
		expect(isDoubtful('createdAfter', bound, at('2026-06-01T11:00:00+02:00'))).toBe(false);
	});

	it('refuses a filter that is no date', () => {
		for (const [value, reason] of [
			['soon', /"soon" is not a date and time; enter it as/],
			[7, /7 is not a date and time/],
			[new Date(NaN), /is not a date and time/],
			['2026-03-29T02:30', /does not exist in Europe\/Berlin because of daylight saving time/],
		] as const) {
			const read = test('createdAfter', value);
			expect(read).toBeInstanceOf(Invalid);
			expect(read instanceof Invalid && read.reasons.join()).toMatch(reason);
		}
	});
});

describe('Expires Before', () => {
	it.each([
		['2026-06-01T21:58:59Z', true],
		['2026-06-01T21:59:00Z', false],
		['2026-06-01 23:58', true],
		[null, false],
		['', false],
		[undefined, undefined],
		['never', undefined],
	])('decides about %p: %p', (endsAt, expected) => {
		expect(passes('expiresBefore', '2026-06-01T23:59', { ends_at: endsAt })).toBe(expected);
	});
});

describe('clicks and password', () => {
	it.each([
		[5, true, true],
		['5', true, true],
		[4, false, true],
		[6, true, false],
		[0, false, true],
		[null, undefined, undefined],
		['1,234', undefined, undefined],
		[undefined, undefined, undefined],
	])('%p clicks: at least 5 %p, at most 5 %p', (clicks, isAtLeast, isAtMost) => {
		expect(passes('clicksAtLeast', 5, { clicks })).toBe(isAtLeast);
		expect(passes('clicksAtMost', '5', { clicks })).toBe(isAtMost);
	});

	it.each([
		[true, true],
		[1, true],
		[false, false],
		['0', false],
		[null, undefined],
		[undefined, undefined],
		['secret', undefined],
	])('a password of %p: %p', (password, has) => {
		expect(passes('hasPassword', true, { password })).toBe(has);
		expect(passes('hasPassword', 'no', { password })).toBe(has === undefined ? has : !has);
	});

	it('refuse other values', () => {
		expect(test('clicksAtLeast', 'many')).toBeInstanceOf(Invalid);
		expect(test('hasPassword', 'perhaps')).toBeInstanceOf(Invalid);
	});
});
