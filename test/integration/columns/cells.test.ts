import { runInNewContext } from 'node:vm';
import { messageOf, chosen, useColumns, type Cells } from '../../support/columns.ts';

const {
	current,
	link,
	pixel,
	mapped,
	mappedPixels,
	items,
	arrived,
	lastForm,
	madeLink,
	madePixel,
} = useColumns();

const url = 'https://example.com/';

/** What the last form has beside what each row sends. */
function sentBeside(names: readonly string[]): Record<string, string> {
	const form = lastForm();
	return Object.fromEntries(Object.entries(form).filter(([name]) => !names.includes(name)));
}

/** The form of a row beside destination and domain. */
const sent = () => sentBeside(['url', 'domain_id']);

const expires = (date: string, time: string) => ({ expiration_date: date, expiration_time: time });

describe('Expiration Date and Expiration Time', () => {
	// 23:00 on the 2nd in UTC is 00:00 on the 3rd in Berlin.
	const midnight = new Date('2090-02-02T23:00:00.000Z');
	// A Code node has classes of its own.
	const fromCode: unknown = runInNewContext(`new Date(${Number(midnight)})`);

	const create = async (cells: Cells) =>
		await mapped('create', [{ url, ...cells }], {}, { timezone: 'Europe/Berlin' });

	it.each<[Cells, string, string]>([
		[{ 'Expiration Date': '2090-02-03', 'Expiration Time': '9:05' }, '2090-02-03', '09:05'],
		[{ expiration_date: '2090-02-03', expiration_time: ' ' }, '2090-02-03', '23:59'],
		[{ 'Expiration Date': '2090-02-03' }, '2090-02-03', '23:59'],
		[{ 'Expiration Date': '2090-02-03 00:00:00' }, '2090-02-03', '23:59'],
		[{ 'Expiration Date': '2090-02-03 08:00', 'Expiration Time': '' }, '2090-02-03', '08:00'],
		[
			{ expirationDate: '2090-02-03T00:00:00.000Z', expirationTime: '23:30:59' },
			'2090-02-03',
			'23:30',
		],
		[{ expirationDate: midnight, expirationTime: '10:00' }, '2090-02-03', '10:00'],
		[{ expirationDate: fromCode, expirationTime: null }, '2090-02-03', '23:59'],
		[{ expirationDate: midnight.toISOString(), expirationTime: '10:00' }, '2090-02-03', '10:00'],
		[
			{ expiresAt: '2090-02-04', 'Expiration Date': 'no', 'Expiration Time': 'no' },
			...(['2090-02-04', '23:59'] as const),
		],
	])('%j set the expiration', async (cells, day, clock) => {
		const result = await create(cells);
		expect(messageOf(result)).toBe('undefined');
		expect(sent()).toEqual(expires(day, clock));
	});

	it('keep the value of the form if both cells are empty', async () => {
		const additionalFields = { expiration: '2090-02-05' };
		await mapped('create', [{ url, expirationDate: '', expirationTime: null }], {
			additionalFields,
		});
		expect(sent()).toEqual(expires('2090-02-05', '23:59'));
	});

	it.each<[Cells, RegExp]>([
		[{ expirationTime: '10:00' }, /^Item 1: Expiration has the time "10:00" without a date; /],
		[
			{ expirationDate: '2090-01-02 08:00', expirationTime: '10:00' },
			/^Item 1: Expiration has the date "2090-01-02 08:00" with a time, and the time "10:00"; keep one time, or add the columns expirationDate and expirationTime to Inputs to Ignore$/,
		],
		[
			{ expirationDate: '2090-02-30' },
			/^Item 1: Expiration "2090-02-30" is not a date that exists; /,
		],
		[{ expirationDate: new Date(NaN), expirationTime: '10:00' }, /is not a date that exists; /],
		[{ expirationDate: '2090-01-01', expirationTime: 'noon' }, /"noon" is not a time of day; /],
	])('%j are refused before anything is sent', async (cells, message) => {
		expect(messageOf(await create(cells))).toMatch(message);
		expect(arrived()).toEqual([]);
	});
});

describe('a misspelled name', () => {
	it.each(['summer-campaign-2072', 'Summer campaign 2072', 'autumn_links_2072_b'])(
		'%j is never sent as an ID',
		async (space) => {
			await madeLink('first', { spaceId: chosen(2) });
			const result = await mapped('create', [{ url, space }]);
			expect(messageOf(result)).toMatch(
				/^Item 1: Space ".*" was not found among the spaces of your newest/,
			);
			expect(arrived()).toEqual([]);
		},
	);

	it.each([
		['summer-campaign-2072', 403],
		['summer-campaign-2072', 503],
	])('%j is not sent where the list cannot be read (HTTP %d)', async (space, status) => {
		const on = { method: 'GET', path: '/links' };
		current().set({ faults: [{ on, effect: { kind: 'status', status } }] });
		const options = { maxWait: 0 } as never;
		const result = await mapped('create', [{ url, space }], { options });
		expect(messageOf(result)).toContain('Space "summer-campaign-2072" cannot be looked up');
		expect(arrived()).toEqual([]);
	});
});

describe('words for flags and choices', () => {
	it.each([
		['yes', '1'],
		['On', '1'],
		['YES\u00a0', '1'],
		['no', '0'],
		['\ufeffoff', '0'],
	])('%j in a column and in an expression is Disabled %s', async (word, disabled) => {
		await mapped('create', [{ url, Disabled: word }]);
		expect(sent()).toEqual({ disabled });
		const additionalFields = { disabled: '={{ $json.off }}' } as never;
		const parameters = { url, domainId: chosen(1), additionalFields };
		await link('create', { items: items([{ off: word }]), parameters });
		expect(sent()).toEqual({ disabled });
	});

	it('count in an option', async () => {
		const options = { dryRun: '={{ "yes" }}' } as never;
		const result = await mapped('create', [{ url }], { options });
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([]);
	});

	it.each<[Cells, Record<string, string>]>([
		[{ 'Statistics Privacy': 'Private' }, { privacy: '1' }],
		[{ 'Statistics Privacy': 'public' }, { privacy: '0' }],
		[{ targetType: 'none' }, { target_type: '0' }],
		[
			{ targetType: 'Geographic', 'Country Rules': `DE=${url}de` },
			{ 'country[0][key]': 'DE', 'country[0][value]': `${url}de`, target_type: '1' },
		],
		[
			{ targetType: 'ROTATION', 'Rotation Rules': `${url}a` },
			{ 'rotation[0][value]': `${url}a`, target_type: '4' },
		],
	])('%j', async (cells, expected) => {
		const result = await mapped('create', [{ url, ...cells }]);
		expect(messageOf(result)).toBe('undefined');
		expect(sent()).toEqual(expected);
	});

	it.each<[Cells, RegExp]>([
		[{ privacy: 'Password' }, /Statistics Privacy needs Statistics Password; /],
		[{ targetType: 'Platform' }, /Target Type needs Platform Rules; /],
		[
			{ targetType: 'Platform', 'Country Rules': `DE=${url}de` },
			/Country Rules contradicts Target Type Platform; /,
		],
	])('%j is refused as the value is', async (cells, message) => {
		expect(messageOf(await mapped('create', [{ url, ...cells }]))).toMatch(message);
		expect(arrived()).toEqual([]);
	});

	it('change nothing on a link that has the value', async () => {
		await madeLink('made', {
			privacy: 1,
			country: { rules: [{ key: 'DE', value: `${url}de` }] },
		});
		const row = { alias: 'made', url: 'https://example.com/old', privacy: 'Private' };
		const rules = { targetType: 'geographic', country: `Germany=${url}de\n` };
		await mapped('upsert', [{ ...row, ...rules, disabled: 'no' }]);
		expect(arrived()).toEqual([]);
	});

	it('name the fields of Clear Fields', async () => {
		const id = await madeLink('made', { spaceId: chosen(2), expirationClicks: 5 });
		const clearFields = '={{ "Space; Expiration Clicks" }}' as never;
		const result = await link('update', { parameters: { linkId: chosen(id), clearFields } });
		expect(messageOf(result)).toBe('undefined');
		expect(lastForm()).toEqual({ space_id: '', expiration_clicks: '' });
	});
});

describe('the type of a pixel', () => {
	it.each([
		['Meta Pixel (Facebook)', 'facebook'],
		['Facebook', 'facebook'],
		['META', 'facebook'],
		['GA4', 'google-analytics'],
		['Google Analytics 4', 'google-analytics'],
		['GTM', 'google-tag-manager'],
		['Google Ads', 'google-ads'],
		['AdWords', 'google-ads'],
		['Microsoft Ads', 'bing'],
		['uet', 'bing'],
		['LinkedIn', 'linkedin'],
		['Insight\u00a0Tag', 'linkedin'],
		['X', 'twitter'],
		['Twitter', 'twitter'],
		['Pinterest', 'pinterest'],
		['Quora', 'quora'],
		['ad roll', 'adroll'],
	])('%j is %s', async (type, value) => {
		const result = await mappedPixels('create', [{ name: 'one', type, value: '1' }]);
		expect(messageOf(result)).toBe('undefined');
		expect(lastForm()).toEqual({ name: 'one', type: value, value: '1' });
	});

	it('may be a name in the scope of a sync, and in a filter', async () => {
		await madePixel('mine');
		const scope = { type: '={{ "Bing Ads" }}' };
		const row = { name: 'mine', type: 'Microsoft UET Tag (Bing)', value: 'old' };
		const result = await mappedPixels('sync', [row], { syncScope: scope });
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([]);
		const filters = { type: '={{ "Bing" }}' };
		await pixel('getAll', { parameters: { filters } });
		expect(current().requests.at(-1)?.query).toContain('type=bing');
	});
});

describe('lists in a cell', () => {
	it('of pixels are separated by semicolons and line breaks as well', async () => {
		const ids = [await madePixel('Spring'), await madePixel('B C'), await madePixel('D; E')];
		for (const cell of [
			`Spring; B C\r\n${ids[2]}`,
			`\ufeffspring\nb\u00a0c\n\n${ids[2]},\n`,
			['Spring', 'B C', 'D; E'],
			'["Spring", "B C", "D; E"]',
			`${ids.join('; ')};`,
			ids.join('\n'),
		]) {
			const result = await mapped('create', [{ url, pixels: cell }]);
			expect(messageOf(result)).toBe('undefined');
			expect(lastForm()['pixel_ids[]']).toBe(ids.join());
		}
	});

	it('of IDs alone read no list of names', async () => {
		const [one, other] = [await madePixel('3'), await madePixel('8')];
		await mapped('create', [{ url, pixels: `${one}; ${other}\n` }]);
		expect(lastForm()['pixel_ids[]']).toBe(`${one},${other}`);
		expect(current().requests.map(({ method }) => method)).toEqual(['POST']);
	});

	it('name each unknown part', async () => {
		await madePixel('Spring visitors');
		const result = await mapped('create', [{ url, pixels: 'Spring visitor; Summer' }]);
		expect(messageOf(result)).toBe(
			'Item 1: Pixels "Spring visitor" was not found among the pixels of the account; use the ID, or one of: Spring visitors, or add the column pixels to Inputs to Ignore. Pixels "Summer" was not found among the pixels of the account; use the ID, or one of: Spring visitors',
		);
	});

	it('of rules are separated by line breaks, which URLs do not contain', async () => {
		const country = `Germany=${url}p;v=2\r\nUS = ${url}?a=1,2;b=3\n\n  \nFR=${url}f\n`;
		const result = await mapped('create', [{ url, 'Country Rules': country }]);
		expect(messageOf(result)).toBe('undefined');
		expect(sent()).toEqual({
			'country[0][key]': 'DE',
			'country[0][value]': `${url}p;v=2`,
			'country[1][key]': 'US',
			'country[1][value]': `${url}?a=1,2;b=3`,
			'country[2][key]': 'FR',
			'country[2][value]': `${url}f`,
			target_type: '1',
		});
	});

	it('of addresses are separated by line breaks', async () => {
		const rotation = `${url}p;v=2\r\n${url}?t=10:30,11:45\n${url}c`;
		await mapped('create', [{ url, 'Rotation Rules': rotation }]);
		expect(sent()).toEqual({
			'rotation[0][value]': `${url}p;v=2`,
			'rotation[1][value]': `${url}?t=10:30,11:45`,
			'rotation[2][value]': `${url}c`,
			target_type: '4',
		});
	});

	it.each([
		[`DE=${url}de\nGermny=${url}g`, '"Germny" is not a known choice; use the English name'],
		[`DE=${url}de; FR=${url}fr`, 'several rules; write one rule per line, such as US=https'],
		[`DE=${url}de,\nFR=${url}fr`, 'several rules; write one rule per line, such as US=https'],
		[`DE=${url}de FR=${url}fr`, 'several rules; write one rule per line, such as US=https'],
		['DE=htps://example.com/', '"htps://example.com/" has a typo before ://; it must start with'],
		[`DE=${url}de\n${url}fr`, 'cannot be read as rules'],
		[`DE=${url}de\nFR=example.com/fr`, '"example.com/fr" must start with https'],
	])('%j is refused and named', async (country, message) => {
		expect(messageOf(await mapped('create', [{ url, 'Country Rules': country }]))).toContain(
			message,
		);
		expect(arrived()).toEqual([]);
	});
});

describe('a blank of another kind between day and time', () => {
	it.each(['\u00a0', '\u202f', '\u2009'])('%j is read like a blank', async (blank) => {
		const written = `2090-01-02${blank}10:00`;
		for (const cells of [
			{ url, expires: written },
			{ url, expirationDate: written },
		]) {
			const result = await mapped('create', [cells]);
			expect(messageOf(result)).toBe('undefined');
			expect(sent()).toEqual(expires('2090-01-02', '10:00'));
		}
	});
});
