import { linkContract } from '../../../nodes/Link/link.contract';
import { pixelContract } from '../../../nodes/Pixel/pixel.contract';
import { propertiesOf } from '../../../nodes/shared/description/properties';
import { descriptionOf, hintsOf, messageOf, useColumns, writes } from '../../support/columns.ts';
import { switchings } from '../../support/operationNames.ts';

const { current, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';

/** Headings of campaign plans, exports of shorteners and ad tools, databases and CSV files that fill no field. */
const ordinary = [
	...['Type', 'Targets', 'Clicks', 'Date', 'Description', 'Short URL', 'hasPassword', 'Notes'],
	...['Owner', 'Status', 'Created', 'Region', 'Channel', 'Budget', 'Enabled', 'Title', 'Location'],
	...['Link', 'Target', 'Keyword', 'Keywords', 'Source', 'Sources', 'Medium', 'Media', 'Campaign'],
	...['Campaign Name', 'Term', 'Content', 'Expired', 'Platforms', 'Languages', 'County', 'City'],
	...[
		'Start Date',
		'End Date',
		'Valid From',
		'Expires At',
		'created_at',
		'updatedAt',
		'Last Clicked',
	],
	...[
		'Landing Page',
		'Final URL',
		'Tracking URL',
		'Redirect',
		'QR Code',
		'short_link',
		'Code',
		'Mode',
	],
	...['Tags', 'Label', 'Group', 'Team', 'Country Code', 'Locale', 'Device', 'Ad Group', 'Audience'],
	...[
		'Impressions',
		'CTR',
		'Cost, net',
		'Conversions',
		'Price',
		'Currency',
		'Email',
		'Phone',
		'E-mail',
	],
	...['Alias 2', 'Destination URL 1', 'Domain2', 'Expiration Notes', 'utm_url', 'Password Hint'],
	...['user_id', 'link_id', 'pixel_id', 'uuid', 'row_number', '__EMPTY', '__EMPTY_1', '', ' ', '#'],
	...[
		'outcome',
		'error',
		'errorDetails',
		'statusCode',
		'Place',
		'Spend',
		'Public',
		'Private',
		'Position',
	],
];

const pixelColumns = ['Names', 'Types', 'Tracking', 'Tracking URL', 'Pixel', 'Domain', 'Value 2'];

/** Row of headings with a cell each. */
const rowOf = (headings: readonly string[], cell: unknown = 'x') =>
	Object.fromEntries(headings.map((heading) => [heading, cell]));

describe('ordinary headings', () => {
	it('are more than sixty', () => {
		expect(new Set(ordinary).size).toBeGreaterThanOrEqual(60);
	});

	it.each(writes)('never stop %s of links', async (operation) => {
		const id = await madeLink();
		const alias = operation === 'create' ? 'new' : 'made';
		const result = await mapped(operation, [{ ...rowOf(ordinary), id, alias, url: `${url}new` }]);
		expect(result.error).toBeUndefined();
		expect(lastForm().url).toBe(`${url}new`);
		expect(arrived()).toHaveLength(1);
		expect(hintsOf(result).at(-1)).toMatch(
			/^Mapped columns: alias, url\. Ignored columns: Type, Targets, /,
		);
	});

	it.each(writes)('never stop %s of pixels', async (operation) => {
		const id = await madePixel();
		const name = operation === 'create' ? 'new' : 'made';
		const links = ordinary.filter((heading) => heading !== 'Type');
		const row = { ...rowOf([...links, ...pixelColumns]), id, name, type: 'bing', value: 'v' };
		const result = await mappedPixels(operation, [row]);
		expect(result.error).toBeUndefined();
		expect(arrived()).toHaveLength(1);
	});

	it('are those that the node itself puts out', async () => {
		const put = [linkContract, pixelContract].flatMap(({ output }) =>
			output.flatMap(({ name, displayName }) => [name, displayName]),
		);
		const headings = put.filter((heading) => !/^(value|type|name|alias|url|id)$/i.test(heading));
		const row = rowOf(headings, '');
		const result = await mapped('create', [row], { url, inputsToIgnore: 'pixelIds' });
		expect(messageOf(result)).not.toMatch(/Did you mean/i);
	});
});

describe('a heading one letter away from a name', () => {
	it.each([
		['Expirs', 'Expiration'],
		['Destnation', 'Destination URL'],
		['Destination ULR', 'Destination URL'],
		['Alais', 'Alias'],
		['aliass', 'Alias'],
		['\uFEFFAlia s:s', 'Alias'],
		['Domian', 'Domain'],
		['utm_sorce', 'UTM Source'],
		['UTM Campaing', 'UTM Campaign'],
		['short coda', 'Alias'],
		['Valid untill', 'Expiration'],
		['Expiry\u00A0', undefined],
		['Expirey', 'Expiration'],
		['expiration_dat', 'Expiration Date (Raw)'],
		['Pasword', 'Password'],
		['Contry rules', 'Country Rules'],
		['Dissabled', 'Disabled'],
	])('%j refuses the run', async (heading, meant) => {
		const cell = meant === undefined ? '2090-01-02' : 's3cret';
		const result = await mapped('create', [{ url }, { url, [heading]: cell }]);
		if (meant === undefined) {
			expect(result.error).toBeUndefined();
			return;
		}
		expect(messageOf(result)).toBe(
			`Column ${JSON.stringify(heading).replace('\ufeff', '\\ufeff')} is not used. Did you mean ${meant}? Rename it, map it with Column Names, or add it to Inputs to Ignore.`,
		);
		expect(descriptionOf(result)).toBe('Nothing was sent.');
		expect(current().requests).toEqual([]);
	});

	it.each(writes)('refuses %s, with all such headings in one error', async (operation) => {
		const row = { id: 1, alias: 'a', url, Expirs: '', Destnation: '', notes: '' };
		const result = await mapped(operation, [row]);
		expect(messageOf(result)).toBe(
			'Columns "Expirs" (did you mean Expiration?), "Destnation" (did you mean Destination URL?) are not used. Rename them, map them with Column Names, or add them to Inputs to Ignore.',
		);
		const pixels = await mappedPixels(operation, [{ id: 1, name: 'a', 'Trackng ID': 'x' }]);
		expect(messageOf(pixels)).toMatch(
			/^Column "Trackng ID" is not used. Did you mean Tracking ID\? /,
		);
		expect(current().requests).toEqual([]);
	});

	it('is no typo for a name that the operation does not have', async () => {
		const id = await madeLink();
		const result = await mapped('update', [{ id, url: `${url}new`, Domian: 'x' }]);
		expect(result.error).toBeUndefined();
	});

	it('names each field that it is near to', async () => {
		const result = await mapped('create', [{ url, 'UTM Tern': 1, 'space i': 1, destinatione: 1 }]);
		expect(messageOf(result)).toContain('"space i" (did you mean Space?)');
		const row = { url, expirationtimi: 1 };
		expect(messageOf(await mapped('create', [row]))).toContain('mean Expiration Time (Raw)?');
	});

	it('runs if it is ignored, mapped or used by an expression', async () => {
		const row = { url, Expirs: '2090-01-02' };
		const ignored = await mapped('create', [row], { inputsToIgnore: 'Expirs' });
		expect(ignored.error).toBeUndefined();
		const columnNames = { columns: [{ field: 'expiration', column: 'Expirs' }] };
		const named = await mapped('create', [row], { options: { columnNames } });
		expect(named.error).toBeUndefined();
		expect(lastForm().expiration_date).toBe('2090-01-02');
		const form = { additionalFields: { expiration: '={{ $json.Expirs }}' } };
		expect((await mapped('create', [row], form)).error).toBeUndefined();
		expect(lastForm().expiration_date).toBe('2090-01-02');
		const other = { additionalFields: { password: '={{ $json.ExpirsAt ?? "x" }}' } };
		expect(messageOf(await mapped('create', [row], other))).toMatch(/^Column "Expirs" is not used/);
	});

	it('runs where Unknown Columns is Ignore, and is unknown where it is Fail', async () => {
		const row = { url, Expirs: 'x' };
		const ignore = await mapped('create', [row], { options: { unknownColumns: 'ignore' } });
		expect(ignore.error).toBeUndefined();
		const fail = await mapped('create', [row], { options: { unknownColumns: 'fail' } });
		expect(messageOf(fail)).toBe(
			'The column Expirs matches no field; correct its name, or add it to Inputs to Ignore',
		);
		const typos = await mapped('create', [row], { options: { unknownColumns: 'failOnTypos' } });
		expect(messageOf(typos)).toMatch(/^Column "Expirs" is not used/);
		expect(arrived()).toHaveLength(1);
	});

	it('is found among thousands, and the error stays short', async () => {
		const letters = Array.from(
			{ length: 5000 },
			(_, at) => `Destinat${String.fromCodePoint(0x4e00 + at)}on`,
		);
		const long = `Destination${' '.repeat(100_000)}x`;
		const result = await mapped('create', [{ url, ...rowOf(letters), [long]: 1 }]);
		expect(messageOf(result)).toMatch(
			/^Columns "Destinat一on" \(did you mean Destination URL\?\), /,
		);
		expect(messageOf(result)).toMatch(/ … and 4,\d+ more are not used\. Rename them, /);
		expect(messageOf(result).length).toBeLessThan(750);
	});
});

describe('the form', () => {
	const notices = [linkContract, pixelContract].flatMap((contract) =>
		propertiesOf(contract).filter(({ name }) => name === 'columnsNotice'),
	);

	it('lists the headings that map, once for each operation that takes columns', () => {
		expect(notices.map(({ displayOptions }) => String(displayOptions?.show?.operation))).toEqual(
			[linkContract, pixelContract].flatMap(({ operations }) =>
				operations
					.map(({ value }) => value)
					.filter((name) => [...writes, ...switchings].some((mapped) => mapped === name)),
			),
		);
		for (const { type, displayOptions, displayName } of notices) {
			expect(type).toBe('notice');
			expect(displayOptions?.show?.mappingColumnMode).toEqual(['autoMapInputData']);
			// n8n shows no other elements of HTML in a notice.
			expect(displayName.replaceAll(/<\/?(ul|li)>/g, '')).not.toMatch(/[\n<>]/);
		}
	});

	it('names fields and synonyms, and not what the operation lacks', () => {
		const [create, , disable, , , update, pixel] = notices.map(({ displayName }) =>
			displayName.split(/<\/?ul>|<\/?li>/).filter(Boolean),
		);
		expect(create?.slice(0, 4)).toEqual([
			'Columns with these names are mapped. Case, spaces and punctuation are ignored.',
			'Destination URL (long url, original url, destination)',
			'Alias (slug, back-half, short code, custom alias)',
			'Expiration (expires, expiry, valid until)',
		]);
		const plain = create?.[4]?.split(', ') ?? [];
		expect(plain).toEqual(plain.toSorted());
		// A new field joins these fields.
		const expected =
			'Country Rules, Disabled, Domain, Expiration Clicks, Expiration Redirect URL, Language Rules, Pixel Names or IDs, Platform Rules, Rotation Rules, Space, Statistics Privacy, UTM Parameters';
		expect(plain).toEqual(expect.arrayContaining(expected.split(', ')));
		for (const name of ['Search', 'Sort By', 'Clear Fields']) expect(plain).not.toContain(name);
		expect(create?.slice(5)).toEqual([
			'UTM Source, UTM Medium, UTM Campaign, UTM Term, UTM Content, UTM ID',
			'Expiration Date (Raw), Expiration Time (Raw), Target Type, Target Rules',
			'Password, Statistics Password, with Map Passwords under Options',
			'For other names, add Column Names under Options.',
		]);
		expect(update).toEqual(
			expect.arrayContaining(['ID if Match By is ID', 'Short URL if Match By is Short URL']),
		);
		expect(disable?.slice(1, -1)).toEqual([
			'Alias (slug, back-half, short code, custom alias)',
			'Domain',
			'Destination URL if Match By is Destination URL',
			'ID if Match By is ID',
			'Short URL if Match By is Short URL',
		]);
		expect(pixel?.slice(1, -1)).toEqual(['Name, Type, Tracking ID']);
	});

	it('offers every field that a column can fill under Column Names', () => {
		const options = propertiesOf(linkContract).find(({ name }) => name === 'options');
		const columnNames = options?.options?.find(({ name }) => name === 'columnNames');
		const text = JSON.stringify(columnNames);
		for (const [name, value] of [
			['Alias', 'alias'],
			['Destination URL', 'url'],
			['Domain', 'domainId'],
			['Expiration', 'expiration'],
			['UTM Source', 'utm_source'],
			['UTM Parameters', 'utm'],
			['Password', 'password'],
		]) {
			expect(text).toContain(JSON.stringify({ name, value }));
		}
		expect(text).not.toContain('searchBy');
	});
});
