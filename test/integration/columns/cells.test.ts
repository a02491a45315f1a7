import { runInNewContext } from 'node:vm';
import { chosen, messageOf, useColumns, type Cells } from '../../support/columns.ts';

const { current, link, pixel, mapped, mappedPixels, arrived, lastForm, madePixel } = useColumns();

const url = 'https://example.com/';

const expires = (date: string, time: string) => ({ expiration_date: date, expiration_time: time });

/** The form of a row beside destination and domain. */
function sent(): Record<string, string> {
	const { url: _, domain_id: __, ...form } = lastForm();
	return form;
}

describe('Expiration Date and Expiration Time', () => {
	// 23:00 on the 2nd in UTC is 00:00 on the 3rd in Berlin.
	const midnight = new Date('2090-02-02T23:00:00.000Z');
	// A Code node has classes of its own.
	const fromCode: unknown = runInNewContext(`new Date(${Number(midnight)})`);

	const create = async (cells: Cells) =>
		await mapped('create', [{ url, ...cells }], {}, { timezone: 'Europe/Berlin' });

	it.each<[Cells, time: string]>([
		[{ 'Expiration Date': '2090-02-03', 'Expiration Time': '9:05' }, '09:05'],
		[{ expiration_date: '2090-02-03', expiration_time: ' ' }, '23:59'],
		[{ 'Expiration Date': '2090-02-03' }, '23:59'],
		[{ 'Expiration Date': '2090-02-03 00:00:00' }, '23:59'],
		[{ 'Expiration Date': '2090-02-03 08:00', 'Expiration Time': '' }, '08:00'],
		[{ expirationDate: '2090-02-03T00:00:00.000Z', expirationTime: '23:30:59' }, '23:30'],
		[{ expirationDate: midnight, expirationTime: '10:00' }, '10:00'],
		[{ expirationDate: fromCode, expirationTime: null }, '23:59'],
		[{ expirationDate: midnight.toISOString(), expirationTime: '10:00' }, '10:00'],
		[{ expirationDate: new Date('2090-02-03T00:00:00.000Z') }, '23:59'],
		[{ expiresAt: '2090-02-03', 'Expiration Date': 'no', 'Expiration Time': 'no' }, '23:59'],
		// Blanks of other kinds between day and time.
		[{ 'Expiration Date': '2090-02-03\u00a010:00' }, '10:00'],
		[{ expires: '2090-02-03\u202f10:00' }, '10:00'],
	])('%j set the expiration', async (cells, time) => {
		expect(messageOf(await create(cells))).toBe('undefined');
		expect(sent()).toEqual(expires('2090-02-03', time));
	});

	it('keep the value of the form if both cells are empty', async () => {
		const additionalFields = { expiration: '2090-02-05' };
		const row = { url, expirationDate: '', expirationTime: null };
		await mapped('create', [row], { additionalFields });
		expect(sent()).toEqual(expires('2090-02-05', '23:59'));
	});

	it.each<[Cells, RegExp]>([
		[{ expirationTime: '10:00' }, /^Item 1: Expiration has the time "10:00" without a date; /],
		[
			{ expirationDate: '2090-01-02 08:00', expirationTime: '10:00' },
			/^Item 1: Expiration has the date "2090-01-02 08:00" with a time, and the time "10:00"; keep one time, or add the columns expirationDate and expirationTime to Inputs to Ignore$/,
		],
		[{ expirationDate: '2090-02-30' }, /^Item 1: Expiration "2090-02-30" is not a date that exi/],
		[{ expirationDate: new Date(NaN), expirationTime: '10:00' }, /is not a date that exists; /],
		[{ expirationDate: '2090-01-01', expirationTime: 'noon' }, /"noon" is not a time of day; /],
	])('%j are refused before anything is sent', async (cells, message) => {
		expect(messageOf(await create(cells))).toMatch(message);
		expect(arrived()).toEqual([]);
	});
});

it('an expiry of an expression is in the time zone of the account, or of the workflow', async () => {
	const additionalFields = { expiration: '={{ DateTime.fromISO("2090-07-01T20:00:00Z") }}' };
	const parameters = { url, domainId: chosen(1), additionalFields };
	await link('create', { parameters, timezone: 'America/New_York' });
	expect(sent()).toEqual(expires('2090-07-01', '16:00'));
	const credential = { accountTimeZone: 'Asia/Kolkata' };
	await link('create', { parameters, timezone: 'America/New_York', credential });
	expect(sent()).toEqual(expires('2090-07-02', '01:30'));
});

describe('the type of a pixel', () => {
	it('may be one of its names', async () => {
		const types: Record<string, string[]> = {
			facebook: ['Meta Pixel (Facebook)', 'Facebook', 'META'],
			'google-analytics': ['GA4', 'Google Analytics 4'],
			'google-tag-manager': ['GTM'],
			'google-ads': ['Google Ads', 'AdWords'],
			bing: ['Microsoft Ads', 'uet'],
			linkedin: ['LinkedIn', 'Insight\u00a0Tag'],
			twitter: ['X', 'Twitter'],
			pinterest: ['Pinterest'],
			quora: ['Quora'],
			adroll: ['ad roll'],
		};
		const rows = Object.values(types)
			.flat()
			.map((type) => ({ name: type, type, value: '1' }));
		const result = await mappedPixels('create', rows, { options: { concurrency: 1 } });
		expect(messageOf(result)).toBe('undefined');
		const stored = arrived().map((line) => new URLSearchParams(line.split(' ')[2]).get('type'));
		expect(stored).toEqual(
			Object.entries(types).flatMap(([value, names]) => names.map(() => value)),
		);
	});

	it('may be a name in the scope of a sync, and in a filter', async () => {
		await madePixel('mine');
		const scope = { type: '={{ "Bing Ads" }}' };
		const row = { name: 'mine', type: 'Microsoft UET Tag (Bing)', value: 'old' };
		const result = await mappedPixels('sync', [row], { syncScope: scope });
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([]);
		await pixel('getAll', { parameters: { filters: { type: '={{ "Bing" }}' } } });
		expect(current().requests.at(-1)?.query).toContain('type=bing');
	});
});
