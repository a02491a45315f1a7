import {
	ambiguousExpiry,
	expiryOf,
	isExpiryMismatch,
} from '../../../../nodes/Link/fields/expiryTimeZone';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';
import { isEncoded, type EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { encodeOptions } from '../../../support/encodeOptions.ts';

/** A row of Create or Update that expires at that time in Berlin. */
function rowAt(expiration: string, reading?: string): EncodedRow {
	const options = { ...encodeOptions, timeZone: 'Europe/Berlin', interpretation: reading };
	const parameters = { url: 'https://e.example', alias: 'a', additionalFields: { expiration } };
	const row = encodeRow({ contract: linkContract, operation: 'upsert', options }, parameters);
	if (!isEncoded(row)) throw new Error(JSON.stringify(row));
	return row;
}

const row = rowAt('2031-01-10T11:00');

describe('the reading by which a link has the expiry of a row', () => {
	it.each([
		['2031-01-10T11:00:00Z', 'clock'],
		['2031-01-10T10:00:00.000000Z', 'moment'],
		['2031-01-10T10:00:00z', 'moment'],
		['2031-01-10T09:00:00Z', undefined],
		// These can be read in one way only.
		['2031-01-10T10:00:00+00:00', undefined],
		['2031-01-10 11:00:00', undefined],
		[null, undefined],
		['never', undefined],
		[' '.repeat(200_000) + 'Z', undefined],
	])('%j: %s', (endsAt, reading) => {
		expect(ambiguousExpiry.interpretationOf(row, { ends_at: endsAt })).toBe(reading);
	});

	it('is none in a zone whose clocks show UTC', () => {
		const utc = { ...row, options: encodeOptions };
		expect(
			ambiguousExpiry.interpretationOf(utc, { ends_at: '2031-01-10T11:00:00Z' }),
		).toBeUndefined();
	});
});

it.each([
	['2031-01-10T11:00:00Z', 0],
	['2031-01-10T10:00:00Z', 0],
	['2031-01-10T13:00:00Z', 180],
	['2031-01-10T09:00:00+01:00', -120],
	['2031-01-10 08:30:00', -150],
	[null, undefined],
])('an ends_at of %s is %s minutes from the row', (endsAt, minutes) => {
	expect(ambiguousExpiry.offsetOf(row, { ends_at: endsAt })).toBe(minutes);
});

it('is compared by the reading that the run has learned', () => {
	const compared = (reading?: string) => ({
		options: { ...row.options, interpretation: reading },
		sent: () => [['_date', '2031-01-10'] as const, ['_time', '11:00'] as const],
	});
	const shown = (endsAt: string, reading?: string) =>
		expiryOf({ ends_at: endsAt }, compared(reading))?.time;
	expect(shown('2031-01-10T10:00:00Z')).toBe('11:00');
	expect(shown('2031-01-10T11:00:00Z')).toBe('11:00');
	expect(shown('2031-01-10T10:00:00Z', 'clock')).toBe('10:00');
	expect(shown('2031-01-10T11:00:00Z', 'moment')).toBe('12:00');
});

describe('an answer with another expiry', () => {
	const [sent] = row.fields.filter(({ field }) => field.name === 'expiration');
	const isDenied = (
		endsAt: unknown,
		more: { before?: string; hasAgreement?: boolean; reading?: string; isShared?: boolean } = {},
	) =>
		sent &&
		isExpiryMismatch(
			{ ends_at: endsAt },
			{
				row: rowAt('2031-01-10T11:00', more.reading),
				sent,
				before: more.before === undefined ? undefined : { ends_at: more.before },
				isCreate: false,
				hasAgreement: more.hasAgreement ?? false,
				isSharedOffset: () => more.isShared ?? false,
			},
		);

	it.each([
		['that is the same moment', '2031-01-10T10:00:00Z', {}, false],
		['that is the same clock time', '2031-01-10T11:00:00Z', {}, false],
		['that is missing', null, {}, false],
		['that cannot be read', 'never', {}, false],
		['in another zone', '2031-01-10T05:00:00Z', {}, false],
		[
			'in another zone, while other rows agree',
			'2031-01-10T05:00:00Z',
			{ hasAgreement: true },
			true,
		],
		[
			'that differs as clocks do in summer, while other rows agree',
			'2031-01-10T09:00:00Z',
			{ hasAgreement: true },
			false,
		],
		[
			'that the service kept, although a zone would explain it',
			'2031-01-10T05:00:00Z',
			{ before: '2031-01-10T05:00:00Z' },
			true,
		],
		[
			'that the service kept, as the list shows several',
			'2031-01-10T05:00:00Z',
			{ before: '2031-01-10T05:00:00Z', isShared: true },
			false,
		],
		['on another day', '2031-01-11T11:00:00Z', {}, true],
		['that no zone explains', '2031-01-10T11:07:00Z', {}, true],
		[
			'that the service kept, by the reading of the list',
			'2031-01-10T11:00:00Z',
			{ before: '2031-01-10T11:00:00Z', reading: 'moment' },
			true,
		],
	] as const)('%s is denied: %#', (_, endsAt, more, denied) => {
		expect(isDenied(endsAt, more)).toBe(denied);
	});
});

it.each([
	[[], undefined],
	[
		[120, 120],
		'Every expiry that the service returns is 2 hours later than the expiry that the node sent',
	],
	[
		[-60, -120],
		'Every expiry that the service returns is 1 hour earlier than the expiry that the node sent',
	],
	[
		[90],
		'Every expiry that the service returns is 90 minutes later than the expiry that the node sent',
	],
	[[120, 300], undefined],
	[
		[600, 480],
		'Every expiry that the service returns is 10 hours later than the expiry that the node sent',
	],
	[[7], undefined],
])('answers that are off by %j minutes are explained by %j', (minutes, text) => {
	const note = ambiguousExpiry.noteFor(minutes, false);
	if (text === undefined) expect(note).toBeUndefined();
	else expect(note).toMatch(new RegExp(`^${text}[.] Set Account Time Zone in the credential`));
});
