import { jsonOf } from '../../support/service.ts';
import {
	chosen,
	messageOf,
	useColumns,
	writes,
	type Cells,
	type Write,
} from '../../support/columns.ts';
import { storedOf, type Answered } from '../../support/storedSheet.ts';

const { arrived, current, link, madeLink, madePixel, mapped } = useColumns();

/** Sheets of the same two links, as nodes give them. */
const sheets: Record<string, readonly Cells[]> = {
	// Sheets node: texts, empty texts, numbers of rows, and formatted rows at the end.
	'Google Sheets': [
		{
			...{ row_number: 2, 'Destination\u00A0URL': 'https://example.com/de ', Slug: 'spring-1' },
			...{ Space: 'Marketing', Pixels: 'Facebook visitors; Analytics', Disabled: 'FALSE' },
			...{ 'Country Rules': 'Germany=https://example.com/a', Expires: '2031-05-01 23:59' },
			...{ 'Expiration Clicks': '250', 'UTM Source': 'mail', Notes: 'first' },
		},
		{
			...{ row_number: 3, 'Destination\u00A0URL': 'https://example.com/us', Slug: 'spring-2' },
			...{ Space: '', Pixels: '', Disabled: 'TRUE', 'Country Rules': '', Expires: '' },
			...{ 'Expiration Clicks': '', 'UTM Source': '', Notes: '' },
		},
		{
			...{ row_number: 4, 'Destination\u00A0URL': '', Slug: '', Space: '', Pixels: '' },
			...{ Disabled: '', 'Country Rules': '', Expires: '', 'Expiration Clicks': '' },
			...{ 'UTM Source': '', Notes: '' },
		},
	],
	// Airtable node: cells without a value are missing, linked records are lists.
	Airtable: [
		{
			...{ 'Destination URL': 'https://example.com/de', Alias: 'spring-1', Space: 'Marketing' },
			...{ Pixels: ['Facebook visitors', 'Analytics'], Disabled: false, 'UTM Source': 'mail' },
			...{ 'Country Rules': ['DE=https://example.com/a'], Expiration: '2031-05-01T21:59:00.000Z' },
			...{ 'Expiration Clicks': 250, Notes: 'first' },
		},
		{ 'Destination URL': 'https://example.com/us', Alias: 'spring-2', Disabled: true },
	],
	// Extract from File: texts alone, and a byte order mark.
	'a CSV file': [
		{
			...{ '\uFEFFalias': 'spring-1', url: 'https://example.com/de', space: '1' },
			...{
				pixels: 'analytics\nfacebook visitors',
				disabled: 'no',
				country_rules: 'de = https://example.com/a',
			},
			...{ expiration_date: '2031-05-01', expiration_time: '23:59', expiration_clicks: '250' },
			...{ utm_source: 'mail' },
		},
		{
			...{ '\uFEFFalias': 'spring-2', url: 'https://example.com/us', space: '', pixels: '' },
			...{ disabled: 'yes', country_rules: '', expiration_date: '', expiration_time: '' },
			...{ expiration_clicks: '', utm_source: '' },
		},
	],
	// Postgres node: null, dates of JavaScript, json columns, and texts for bigint.
	'a Postgres table': [
		{
			...{ alias: 'spring-1', destination_url: 'https://example.com/de', space_id: '1' },
			...{ pixels: ['Analytics', 'Facebook visitors'], disabled: 0, utm_source: 'mail' },
			...{ country_rules: { DE: 'https://example.com/a' }, expiration_clicks: 250 },
			...{ expires: new Date('2031-05-01T21:59:00Z') },
		},
		{
			...{ alias: 'spring-2', destination_url: 'https://example.com/us', space_id: null },
			...{ pixels: null, disabled: 1, utm_source: null, country_rules: null },
			...{ expiration_clicks: null, expires: null },
		},
	],
};

/** What an operation needs besides the columns. */
const forms: Readonly<Record<Write, Parameters<typeof mapped>[2]>> = {
	create: undefined,
	upsert: undefined,
	update: { linkId: { __rl: true, mode: 'list', value: '' } },
	sync: {
		syncScope: { domainId: chosen(1), aliasStartsWith: 'spring-' },
		unmatchedLinks: 'disable',
	},
};

const timezone = 'Europe/Berlin';

/** The links of the service by their aliases, as their parameters are written. */
const stored = async () => {
	const result = await link('getAll', { parameters: { returnAll: true, output: 'raw' } });
	const links = jsonOf(result).map((item) => storedOf(item as unknown as Answered));
	return Object.fromEntries(links.map((one) => [String(one.alias), one]));
};

/** For each sheet Create, and an operation that changes links. */
const cases = Object.entries(sheets).flatMap(([name, rows], at) =>
	(['create', writes[1 + (at % 3)] ?? 'sync'] as const).map((each) => [name, each, rows] as const),
);

it.each(cases)('a sheet from %s is stored as it is meant by %s', async (_, operation, rows) => {
	const pixels = [await madePixel('Facebook visitors'), await madePixel('Analytics')];
	// Names of spaces are known from links.
	await madeLink('other', { spaceId: 1 });
	if (operation !== 'create') await madeLink('spring-1', { disabled: operation !== 'sync' });
	if (operation === 'update') await madeLink('spring-2');
	if (operation === 'sync') await madeLink('spring-0');

	const result = await mapped(operation, rows, forms[operation], { timezone });
	expect(result.error ? messageOf(result) : undefined).toBeUndefined();
	const empty = {
		...{ domain_id: 1, space_id: null, pixel_ids: [], disabled: 0, privacy: 0, target_type: 0 },
		...{ country: null, language: null, platform: null, rotation: null, expiration: null },
		...{ expiration_clicks: null, expiration_url: null },
	};
	const { other, 'spring-0': removed, ...links } = await stored();
	expect(other).toMatchObject({ disabled: 0, space_id: 1 });
	expect(removed?.disabled).toBe(operation === 'sync' ? 1 : undefined);
	expect(links).toEqual({
		'spring-1': {
			...empty,
			...{ alias: 'spring-1', url: 'https://example.com/de?utm_source=mail', space_id: 1 },
			...{ pixel_ids: pixels, target_type: 1, expiration_clicks: 250 },
			country: [['DE', 'https://example.com/a?utm_source=mail']],
			expiration: '2031-05-01 23:59',
		},
		'spring-2': { ...empty, alias: 'spring-2', url: 'https://example.com/us', disabled: 1 },
	});

	if (operation === 'create') return;
	current().requests.length = 0;
	const again = await mapped(operation, rows, forms[operation], { timezone });
	expect(again.error).toBeUndefined();
	expect(arrived()).toEqual([]);
});
