import { without } from '../../../nodes/shared/contract/values';
import {
	chosen,
	errorsOf,
	hintsOf,
	messageOf,
	useColumns,
	writes,
	type Cells,
	type Write,
} from '../../support/columns.ts';
import { continues, jsonOf, succeeded } from '../../support/service.ts';

const { current, mapped, arrived, lastForm, madeLink, madePixel, held, mappedPixels } =
	useColumns();

const url = 'https://example.com/';
/** The spellings of a header, as the API, a person and a database have it, and as sheets spoil it; and a cell below it. */
const headersOf = (pixel: number): [cell: unknown, ...spellings: string[]][] => [
	[`${url}new`, 'url', 'Destination URL', 'destination_url', '\uFEFFURL'],
	['TRUE', 'disabled', 'Disabled', 'DISABLED', ' disabled '],
	['7', 'expirationClicks', 'Expiration Clicks', 'expiration_clicks', 'EXPIRATION-CLICKS'],
	['2090-01-02', 'expirationDate', 'Expiration Date', 'expiration_date', 'EXPIRATION-date'],
	['8:30', 'expirationTime', 'Expiration Time', 'expiration_time', 'Expiration\u00A0Time'],
	[`${url}over`, 'expirationUrl', 'Expiration Redirect URL', 'expiration_url', 'Expiration Url'],
	[[pixel], 'pixelIds', 'Pixel IDs', 'pixel_ids', 'Pixels', 'Pixel Names or IDs'],
	['1', 'privacy', 'Privacy', 'PRIVACY', 'Statistics Privacy'],
	['2', 'spaceId', 'Space', 'space_id', 'SPACE ID'],
	[1, 'targetType', 'Target Type', 'target_type', 'TargetType'],
	[`DE=${url}de`, 'countryRules', 'Country Rules', 'country_rules', 'COUNTRY RULES'],
	['letter', 'utm_source', 'UTM Source', 'utmSource', 'UTM-SOURCE'],
	['Spring sale', 'utmCampaign', 'UTM Campaign', 'utm_campaign', 'Utm campaign'],
];

const sentFor = (pixel: number) => ({
	url: `${url}new?utm_source=letter&utm_campaign=Spring%20sale`,
	disabled: '1',
	expiration_clicks: '7',
	expiration_date: '2090-01-02',
	expiration_time: '08:30',
	expiration_url: `${url}over`,
	'pixel_ids[]': String(pixel),
	privacy: '1',
	space_id: '2',
	target_type: '1',
	'country[0][key]': 'DE',
	'country[0][value]': `${url}de?utm_source=letter&utm_campaign=Spring%20sale`,
});

/** A row that names what is there already, except to Create, which makes another one. */
const keyOf = async (operation: Write): Promise<Cells> => ({
	id: await madeLink(),
	alias: operation === 'create' ? 'new' : 'made',
});

it.each(writes.map((operation, spelling) => [operation, spelling] as const))(
	'%s takes columns named like a field, in spelling %i',
	async (operation, spelling) => {
		const pixel = await madePixel();
		const row = await keyOf(operation);
		for (const [cell, ...names] of headersOf(pixel)) row[names[spelling] ?? ''] = cell;
		await succeeded(mapped(operation, [row]));
		const form = lastForm();
		expect(form).toMatchObject(sentFor(pixel));
		expect(arrived()).toHaveLength(1);
		// What the link has already is not written to it again.
		expect(form.alias).toBe(operation === 'create' ? 'new' : undefined);
	},
);

it.each(writes)(
	'%s takes columns from all rows, and a row that lacks one clears nothing',
	async (operation) => {
		const keep = { spaceId: chosen(1), disabled: true };
		const ids = [await madeLink('a', keep), await madeLink('b', keep), await madeLink('c', keep)];
		const key = (index: number) => {
			const alias = ['a', 'b', 'c'][index];
			return { id: ids[index], alias: operation === 'create' ? `new-${alias}` : alias, url };
		};
		const rows: Cells[] = [key(0), { ...key(1), space: ' ' }, { space: 2, ...key(2) }];
		const options = { emptyValues: 'clear', concurrency: 1 };
		const result = await succeeded(mapped(operation, rows, { output: 'raw', options }));
		const spaces = jsonOf(result).map(({ space }) => (space as { id: number } | null)?.id);
		expect(spaces).toEqual([operation === 'create' ? undefined : 1, undefined, 2]);
	},
);

it('a column fills a set of inputs', async () => {
	await mapped('create', [{ url, 'UTM Parameters': { utm_medium: 'a' } }]);
	expect(lastForm().url).toBe(`${url}?utm_medium=a`);
});

const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
const row = JSON.parse(
	`{"url": "${url}", ${names.map((name) => `"${name}": {"a": {"alias": "x", "key": 1}}`).join()}}`,
) as Cells;

it('names that every object has are columns that fill nothing', async () => {
	const result = await succeeded(mapped('create', [row], { options: { includeInput: true } }));
	expect(lastForm()).toEqual({ url, domain_id: '1' });
	expect(hintsOf(result).at(-1)).toBe(`Mapped columns: url. Ignored columns: ${names.join(', ')}.`);
	expect(Object.keys(jsonOf(result)[0] ?? {})).toEqual(['url', ...names, 'link']);
});

it('Inputs to Ignore leaves columns out, and must be a list', async () => {
	const cells = { url, disabled: 1, Space_Id: 2, ' owner': 1, '\ufeffspace': 1, '\ufeffpixels': 1 };
	const inputsToIgnore = String.raw`Disabled, SPACE ID, owner, \ufeffspace, "\ufeffpixels"`;
	const result = await succeeded(mapped('create', [cells], { inputsToIgnore }));
	expect(lastForm()).toEqual({ url, domain_id: '1' });
	expect(hintsOf(result).at(-1)).toBe(
		String.raw`Mapped columns: url. Ignored columns: disabled, Space_Id, " owner", "\ufeffspace", "\ufeffpixels".`,
	);
	const long = `custom <slug>, ${'x'.repeat(99)}`;
	const twice = [{ url, '\ufeffurl': 'bad', Disabled: 1, 'disabled ': '', [long]: 'x' }];
	const known = String.raw`\ufeffurl,"disabled "`;
	const stop = messageOf(await mapped('create', twice, { inputsToIgnore: known }));
	const [, shown = ''] = /Column (".+") is/.exec(stop) ?? [];
	await succeeded(mapped('create', twice, { inputsToIgnore: `${known},${shown}` }));
	expect(lastForm()).toEqual({ url, domain_id: '1', disabled: '1' });
	const refused = await mapped('create', [{ url }], { inputsToIgnore: '={{ { url: 1 } }}' });
	expect(messageOf(refused)).toMatch(/^Inputs to Ignore \{"url":1\} is not a list of columns; /);
	expect(arrived()).toHaveLength(2);
});

it('a run goes on after rows that fail, with their columns beside the error', async () => {
	const rows = [{ url, n: 1 }, { url: 'no', n: 2 }, { n: 3 }, { url, disabled: 'maybe' }];
	const result = await mapped('create', rows, {}, continues);
	expect(errorsOf(result)).toEqual([
		null,
		expect.stringMatching(/^Item 2: Destination URL "no" must start with https:\/\//),
		expect.stringMatching(/^Item 3: Destination URL is missing; /),
		'Item 4: Disabled "maybe" is neither true nor false; enter true or false, or add the column disabled to Inputs to Ignore',
	]);
	expect(jsonOf(result)[1]).toMatchObject({ url: 'no', n: 2 });
	expect(arrived()).toEqual([`POST /links url=${url}&domain_id=1`]);
	const conflict = await mapped('create', [{ url }, { URL: url }], {}, continues);
	const ofRun: unknown = expect.stringMatching(/^The columns "url" and "URL" both/);
	expect(errorsOf(conflict)).toEqual([ofRun, ofRun]);
	expect(arrived()).toHaveLength(1);
});

describe('what comes first', () => {
	const expression = "={{ 'https://example.com/' + $json.row }}";
	const fixed = `${url}fixed`;

	it('is an expression, then the column, then the fixed value', async () => {
		const rows = [{ row: 'a', url: `${url}column`, alias: 'x', disabled: 1, Domain: 2 }];
		const alias = '={{ "expressed" }}';
		const additionalFields = { disabled: false, spaceId: chosen(1) };
		await mapped('create', rows, { url: expression, alias, additionalFields });
		expect(lastForm()).toEqual({
			url: `${url}a`,
			domain_id: '2',
			alias: 'expressed',
			disabled: '1',
			space_id: '1',
		});
		await mapped('create', rows, { url: '={{ $json.missing }}' });
		expect(lastForm()).toMatchObject({ url: `${url}column` });
		await mapped('create', rows, { url: fixed });
		expect(lastForm()).toMatchObject({ url: `${url}column`, alias: 'x' });
		await mapped('create', [{}], { url: fixed });
		expect(lastForm()).toEqual({ url: fixed, domain_id: '1' });
	});

	it('is so in a set of inputs, one by one, and an expression may give nothing', async () => {
		const parameters = {
			...{ utm_source: '={{ "expressed" }}', utm_medium: 'fixed', utm_term: 'fixed' },
			utm_id: '={{ $json.missing }}',
		};
		const columns = ['utm_source', 'utm_medium', 'utm_content', 'utm_id'];
		const row = { url, ...Object.fromEntries(columns.map((name) => [name, 'column'])) };
		await mapped('create', [row], { additionalFields: { utm: { parameters } } });
		expect(Object.fromEntries(new URL(lastForm().url ?? '').searchParams)).toEqual({
			...{ utm_source: 'expressed', utm_medium: 'column', utm_term: 'fixed' },
			...{ utm_content: 'column', utm_id: 'column' },
		});
	});

	it.each(['', '  ', null])('is the fixed value where a cell holds %j', async (empty) => {
		const row = { url: empty, Domain: empty, disabled: empty, space: empty, utm_source: empty };
		const utm = { parameters: { utm_source: 'fixed' } };
		const additionalFields = { disabled: true, spaceId: chosen(2), utm };
		await succeeded(mapped('create', [row], { url: fixed, additionalFields }));
		expect(lastForm()).toEqual({
			url: `${fixed}?utm_source=fixed`,
			domain_id: '1',
			disabled: '1',
			space_id: '2',
		});
	});

	it.each<[Write, unknown]>([
		['upsert', ' '],
		['upsert', '[]'],
		['update', ' '],
		['update', '\u200b'],
		['sync', ' '],
		['sync', [null]],
	])('is the empty cell on %s, where empty ones clear: %j', async (operation, space) => {
		const place = operation === 'update' ? 'updateFields' : 'additionalFields';
		const id = await madeLink('made', { spaceId: chosen(1) });
		const row = { id, alias: 'made', url, space, pixelIds: '[]' };
		const run = async (emptyValues: string) =>
			await mapped(operation, [row], {
				[place]: { spaceId: chosen(2) },
				options: { emptyValues },
			});
		await run('clear');
		expect(await held(id)).toMatchObject({ url, space: null });
		await run('skip');
		expect(await held(id)).toMatchObject({ url, space: { id: 2 } });
	});

	it('is refused as by expression where a column sets what the form clears', async () => {
		const both = await mapped('update', [{ id: 1, space: 2 }], { clearFields: ['spaceId'] });
		expect(messageOf(both)).toBe(
			'Item 1: Space is both set and cleared; do only one of them, or add the column space to Inputs to Ignore',
		);
		expect(current().requests).toEqual([]);
	});
});

/** Headings of campaign plans, exports of shorteners and ad tools, databases and CSV files. */
const ordinary = [
	...['Type', 'Targets', 'Clicks', 'Date', 'Description', 'Short URL', 'hasPassword', 'Notes'],
	...['Owner', 'Status', 'Created', 'Region', 'Channel', 'Budget', 'Enabled', 'Title', 'Location'],
	...['Link', 'Target', 'Keyword', 'Keywords', 'Source', 'Sources', 'Medium', 'Media', 'Campaign'],
	...['Campaign Name', 'Term', 'Content', 'Expired', 'Platforms', 'Languages', 'County', 'City'],
	...['Country', 'Language', 'Platform', 'Rotation', 'Weekend', 'Checkout', 'About Me'],
	'Image URL',
	...['Start Date', 'End Date', 'Valid From', 'Expires At', 'Valid To', 'created_at', 'updatedAt'],
	...['Landing Page URL', 'Final URL', 'Tracking URL', 'Redirect', 'QR Code', 'short_link', 'Code'],
	...['Tags', 'Label', 'Group', 'Team', 'Country Code', 'Locale', 'Device', 'Ad Group', 'Audience'],
	...['Impressions', 'CTR', 'Cost, net', 'Conversions', 'Price', 'Currency', 'Email', 'E-mail'],
	...['Alias 2', 'Destination URL 1', 'Domain2', 'Expiration Notes', 'utm_url', 'Custom slug'],
	...['user_id', 'link_id', 'pixel_id', 'uuid', 'row_number', '__EMPTY', '__EMPTY_1', '', ' ', '#'],
	...['outcome', 'error', 'errorDetails', 'statusCode', 'Place', 'Spend', 'Public', 'Position'],
	...['ID', 'url_1', 'search'],
];

describe('ordinary headings', () => {
	const row = Object.fromEntries(ordinary.map((heading) => [heading, 'x']));

	it.each(writes)('never stop %s of links', async (operation) => {
		const id = await madeLink();
		const alias = operation === 'create' ? 'new' : 'made';
		const filled = { id, alias, url: `${url}new`, expiration: '2090-01-02' };
		const result = await succeeded(mapped(operation, [{ ...row, ...filled }]));
		const { alias: _, domain_id: __, ...form } = lastForm();
		const expiry = { expiration_date: '2090-01-02', expiration_time: '23:59' };
		expect(form).toEqual({ url: `${url}new`, ...expiry });
		expect(arrived()).toEqual([
			expect.stringContaining(operation === 'create' ? 'POST /links ' : `PUT /links/${id} `),
		]);
		expect(hintsOf(result).at(-1)).toMatch(
			/^Mapped columns: alias, url, expiration\. Ignored columns: Type, Targets, /,
		);
	});

	it.each(writes)('never stop %s of pixels', async (operation) => {
		const id = await madePixel();
		const name = operation === 'create' ? 'new' : 'made';
		const pixels = { 'Tracking URL': 'x', Pixel: 'x', Domain: 'x', 'Value 2': 'x' };
		const links = without(row, 'Type');
		const filled = { id, name, type: 'quora', value: 'v' };
		await succeeded(mappedPixels(operation, [{ ...links, ...pixels, ...filled }]));
		expect(lastForm()).toMatchObject({ type: 'quora', value: 'v' });
		expect(arrived()).toEqual([
			expect.stringContaining(operation === 'create' ? 'POST /pixels ' : `PUT /pixels/${id} `),
		]);
	});
});

describe('a left-over column', () => {
	it('stops the run with all others, and with the columns that have passwords', async () => {
		const rows = [
			{ url, 'Custom slug': '' },
			{ url, 'Custom slug': 'a', 'Valid To': '2090-01-01' },
		];
		expect(messageOf(await mapped('create', rows))).toBe(
			'Columns "Custom slug" and "Valid To" are not used. Add them to Inputs to Ignore, or rename them to alias and expiration.',
		);
		const row = { url, 'Custom slug': 'a', 'Short name': 'b' };
		expect(messageOf(await mapped('create', [row]))).toMatch(/, or rename one of them to alias\.$/);
		const short = messageOf(await mapped('create', [{ url, 'Link PW': 's3cret' }]));
		expect(short).toMatch(/^Column "Link PW" is not used.* to password\.$/);
		const secret = await mapped('create', [{ url, slashtag: 'a', Password: 's3cret' }]);
		expect(messageOf(secret)).toBe(
			'Column "slashtag" is not used. Add it to Inputs to Ignore, or rename it to alias. The column Password contains passwords and is not mapped. Add Map Passwords under Options, or add it to Inputs to Ignore.',
		);
		expect(JSON.stringify(secret.task)).not.toMatch(/"message":"[^"]*s3cret/);
		expect(current().requests).toEqual([]);
	});

	it('stops the run if the expression of its field has no value in any row', async () => {
		const rows = [{ url }, { url, 'Custom slug': 'a', Password: 'n0t-mapped' }];
		const empty = {
			alias: "={{ $json['Custom slug 2'] }}",
			additionalFields: { password: '={{ $json.Password2 }}' },
		};
		expect(messageOf(await mapped('create', rows, empty))).toMatch(
			/^Column "Custom slug" is not used\. .+ The column Password contains passwords and is not mapped\./,
		);
		const parted = { ...empty, alias: '={{ $json.new_alias }}' };
		const mixed = await mapped('create', [{ url, new_alias: 'b' }, ...rows], parted);
		expect(messageOf(mixed)).toMatch(/^Column "Custom slug" is not used/);
		expect(current().requests).toEqual([]);
		const ignoring = { ...empty, inputsToIgnore: 'custom slug, password' };
		const result = await succeeded(mapped('create', rows, ignoring));
		expect(hintsOf(result).at(-1)).toContain('nothing fills Alias and Custom slug is ignored');
		const failing = { alias: "={{ $('None').item.json.x }}" };
		const failed = await mapped('create', [{ url, 'Custom slug': 'a' }], failing);
		expect(messageOf(failed)).toMatch(/^Item 1: Alias has an expression that fails/);
	});

	it.each([
		['has no value', [{ url, 'Custom slug': ' ', 'Valid to': null }], {}],
		['has a field that a column fills', [{ url, alias: 'a', 'Custom slug': 'b' }], {}],
		[
			'has a field that the form fills',
			[{ url, 'Valid to': 'b' }],
			{ additionalFields: { expiration: '2090-01-02' } },
		],
		[
			'is named by the expression of its field, also if that has no value',
			['b', 'new-b'].map((slashtag) => ({ url, slashtag })),
			{ alias: '={{ $json.slashtag.slice(4) }}' },
		],
	])('does not stop the run if it %s', async (_, rows, form) => {
		await succeeded(mapped('create', rows, form));
	});

	it('names all such columns at once', async () => {
		const slugs = [0, 1, 2, 3, 4].map((at) => [`slug ${at}`, 'a']);
		const result = await mapped('create', [{ url, ...Object.fromEntries(slugs) }]);
		expect(messageOf(result)).toContain(
			'Columns "slug 0", "slug 1", "slug 2", "slug 3" and "slug 4" are not used.',
		);
	});

	it('stops the run if only empty cells are in the column of its field', async () => {
		const result = await mapped('create', [{ url, expiration: '', 'Valid to': '2090-01-01' }]);
		expect(messageOf(result)).toMatch(/^Column "Valid to" is not used/);
		const date = await mapped('create', [{ url, expiresAt: '', 'Expiration Date': '2090-01-01' }]);
		expect(messageOf(date)).toMatch(/, or rename it to expiration\.$/);
	});

	it.each<[Write, Cells, Cells]>(
		(['create', 'upsert', 'update'] as const).flatMap((operation): [Write, Cells, Cells][] => [
			[operation, { expiration: '' }, { 'Expires at': '2090-01-01' }],
			[operation, { pixelIds: '' }, { Pixel: 'x' }],
			...(operation === 'update' ? [] : [[operation, { domainId: '' }, { domain: 'x' }] as never]),
		]),
	)('stops %s if the cell of a higher rank is empty: %j, %j', async (operation, empty, filled) => {
		const row = { url, alias: 'a', ...empty, ...filled };
		const result = await mapped(operation, [row], { domainId: '' });
		const [name = ''] = Object.keys(filled);
		expect(messageOf(result)).toMatch(new RegExp(`^Column "${name}" is not used`));
		expect(current().requests).toEqual([]);
	});

	it('of an output stops the run if a new link would lack its value', async () => {
		const row = { url, alias: 'a', spaceId: '', Space: 2 };
		expect(messageOf(await mapped('create', [row]))).toMatch(/^Column "Space" is not used/);
		await succeeded(mapped('upsert', [row]));
	});

	it('makes the hint report a generated alias once it is ignored', async () => {
		const inputsToIgnore = 'custom slug';
		const result = await mapped('create', [{ url, 'Custom slug': 'a' }], { inputsToIgnore });
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: url. Ignored columns: Custom slug. New links get a generated alias, because nothing fills Alias and Custom slug is ignored.',
		);
	});
});

describe('without a destination', () => {
	it.each([
		[{ 'Landing page': url, Notes: 'x' }, 'Landing page, Notes'],
		[{ row_number: 2, link: url, title: 'x' }, 'link, title'],
		[{ 'url;alias': `${url};a` }, '"url;alias"'],
	])('the error names the columns that came: %j', async (row, names) => {
		const result = await mapped('create', [{ ...row, alias: 'a' }, row]);
		expect(messageOf(result)).toContain(
			`No column fills Destination URL. Columns that came: ${names}, alias. Rename one to url, or set the field in the form.`,
		);
		expect(current().requests).toEqual([]);
	});

	it.each<[Write, Cells]>([
		['upsert', { alias: 'a', headers: {}, body: { url } }],
		['upsert', { 'url;Expires at': 'a;b' }],
		['update', { id: 1, mimeType: 'text/csv', body: { url } }],
	])('%s says what to do about an item that is no row: %j', async (operation, row) => {
		expect(messageOf(await mapped(operation, [row]))).toMatch(
			/^No column fills [^.]+\. Columns that came: [^.]+\. Each item must be a row [^:]+: check its Delimiter\. Edit Fields [^.]+: replace each dragged name with that of a field, such as url\.$/,
		);
	});

	it('the error names ignored columns, and says how to rename several columns', async () => {
		const ignored = await mapped('create', [{ url, alias: 'a' }], { inputsToIgnore: 'url' });
		expect(messageOf(ignored)).toMatch(/ url, alias\. Remove url from Inputs to Ignore, .+\.$/);
		const result = await mapped('upsert', [{ 'Landing page': url, 'Custom slug': 'a' }]);
		expect(messageOf(result)).toBe(
			'No column fills Destination URL and Alias. Columns that came: Landing page, Custom slug. Rename columns to url and alias, or set the fields in the form.',
		);
	});

	it('the form may have it, or an expression', async () => {
		await succeeded(mapped('create', [{ link: `${url}a` }], { url }));
		await succeeded(mapped('create', [{ link: `${url}a` }], { url: '={{ $json.link }}' }));
		expect(lastForm().url).toBe(`${url}a`);
	});
});

describe('a column of passwords', () => {
	it('with passwords is refused, unless it is ignored or mapped', async () => {
		const rows = [
			{ url, Password: '' },
			{ url, Password: 's3cret', privacy_password: 7 },
		];
		const result = await mapped('create', rows);
		expect(messageOf(result)).toBe(
			'The columns Password, privacy_password contain passwords and are not mapped. Add Map Passwords under Options, or add them to Inputs to Ignore.',
		);
		expect(current().requests).toEqual([]);
		const inputsToIgnore = 'password, Privacy Password';
		expect((await mapped('create', rows, { inputsToIgnore })).error).toBeUndefined();
		await succeeded(mapped('create', rows, { options: { mapPasswords: true } }));
		expect(lastForm().password).toBe('s3cret');
	});

	it('with flags, formula errors or nothing is left out', async () => {
		const cells = [true, false, 'TRUE', ' false ', '#N/A', '#REF!', '', '  ', null, undefined];
		const result = await succeeded(
			mapped(
				'create',
				cells.map((password) => ({ url, password, 'Link password': password })),
			),
		);
		expect(arrived().join()).not.toContain('password');
		expect(hintsOf(result).at(-1)).toContain('Ignored columns: password (only with Map Passwords)');
	});

	it('gives way to an expression in the form', async () => {
		const additionalFields = { password: '={{ "made" }}' };
		await succeeded(mapped('create', [{ url, Password: 'a' }], { additionalFields }));
		expect(lastForm().password).toBe('made');
	});
});

it.each([
	['alias', { alias: 'x' }, { 'Custom slug': 'y' }],
	['expiration', { expiration: '2090-01-01' }, { 'Valid To': '2090-02-01' }],
	['password', { password: 'one' }, { 'Link password': 'two' }],
])('stops two sheets in one whose headings of %s differ', async (name, one, other) => {
	const rows = [one, other].map((cells) => ({ url, ...cells }));
	const result = await mapped('create', rows, { options: { mapPasswords: true } });
	expect(messageOf(result)).toContain(`or rename it to ${name}.`);
	expect(arrived()).toEqual([]);
});
