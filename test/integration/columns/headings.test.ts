import { without } from '../../../nodes/shared/contract/values';
import { hintsOf, messageOf, useColumns, writes } from '../../support/columns.ts';

const { current, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';

/** Headings of campaign plans, exports of shorteners and ad tools, databases and CSV files. */
const ordinary = [
	...['Type', 'Targets', 'Clicks', 'Date', 'Description', 'Short URL', 'hasPassword', 'Notes'],
	...['Owner', 'Status', 'Created', 'Region', 'Channel', 'Budget', 'Enabled', 'Title', 'Location'],
	...['Link', 'Target', 'Keyword', 'Keywords', 'Source', 'Sources', 'Medium', 'Media', 'Campaign'],
	...['Campaign Name', 'Term', 'Content', 'Expired', 'Platforms', 'Languages', 'County', 'City'],
	...[
		'Country',
		'Language',
		'Platform',
		'Rotation',
		'Weekend',
		'Checkout',
		'About Me',
		'Image URL',
	],
	...['Start Date', 'End Date', 'Valid From', 'Expires At', 'Valid To', 'created_at', 'updatedAt'],
	...['Landing Page URL', 'Final URL', 'Tracking URL', 'Redirect', 'QR Code', 'short_link', 'Code'],
	...['Tags', 'Label', 'Group', 'Team', 'Country Code', 'Locale', 'Device', 'Ad Group', 'Audience'],
	...['Impressions', 'CTR', 'Cost, net', 'Conversions', 'Price', 'Currency', 'Email', 'E-mail'],
	...['Alias 2', 'Destination URL 1', 'Domain2', 'Expiration Notes', 'utm_url', 'Custom slug'],
	...['user_id', 'link_id', 'pixel_id', 'uuid', 'row_number', '__EMPTY', '__EMPTY_1', '', ' ', '#'],
	...['outcome', 'error', 'errorDetails', 'statusCode', 'Place', 'Spend', 'Public', 'Position'],
	...['ID', 'url_1', 'search', 'clearFields'],
];

describe('ordinary headings', () => {
	const row = Object.fromEntries(ordinary.map((heading) => [heading, 'x']));

	it.each(writes)('never stop %s of links', async (operation) => {
		const id = await madeLink();
		const alias = operation === 'create' ? 'new' : 'made';
		const filled = { id, alias, url: `${url}new`, expiration: '2090-01-02' };
		const result = await mapped(operation, [{ ...row, ...filled }]);
		expect(messageOf(result)).toBe('undefined');
		const { alias: _, domain_id: __, ...form } = lastForm();
		expect(form).toEqual({
			...{ url: `${url}new`, expiration_date: '2090-01-02', expiration_time: '23:59' },
		});
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
		const result = await mappedPixels(operation, [{ ...links, ...pixels, ...filled }]);
		expect(messageOf(result)).toBe('undefined');
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

	it.each([
		['has no value', [{ url, 'Custom slug': ' ', 'Valid to': null }], {}],
		['has a field that a column fills', [{ url, alias: 'a', 'Custom slug': 'b' }], {}],
		[
			'has a field that the form fills',
			[{ url, 'Valid to': 'b' }],
			{ additionalFields: { expiration: '2090-01-02' } },
		],
		[
			'has a field that an expression fills',
			[{ url, slashtag: 'b' }],
			{ alias: '={{ $json.slashtag }}' },
		],
	])('does not stop the run if it %s', async (_, rows, form) => {
		const result = await mapped('create', rows, form);
		expect(messageOf(result)).toBe('undefined');
	});

	it('stops the run if only empty cells are in the column of its field', async () => {
		const result = await mapped('create', [{ url, expiration: '', 'Valid to': '2090-01-01' }]);
		expect(messageOf(result)).toMatch(/^Column "Valid to" is not used/);
		const date = await mapped('create', [{ url, expiresAt: '', 'Expiration Date': '2090-01-01' }]);
		expect(messageOf(date)).toMatch(/, or rename it to expiration\.$/);
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
		[{ headers: {}, params: {}, query: {}, body: { url } }, 'headers, params, query, body'],
		[{ 'url;alias': `${url};a` }, '"url;alias"'],
	])('the error names the columns that came: %j', async (row, names) => {
		const result = await mapped('create', [{ ...row, alias: 'a' }, row]);
		expect(messageOf(result)).toContain(
			`No column fills Destination URL. Columns that came: ${names}, alias. Rename one to url, or set the field in the form.`,
		);
		expect(current().requests).toEqual([]);
	});

	it('the error says how to rename several columns', async () => {
		const result = await mapped('upsert', [{ 'Landing page': url, 'Custom slug': 'a' }]);
		expect(messageOf(result)).toBe(
			'No column fills Destination URL and Alias. Columns that came: Landing page, Custom slug. Rename columns to url and alias, or set the fields in the form.',
		);
	});

	it('the form may have it, or an expression', async () => {
		const fixed = await mapped('create', [{ link: `${url}a` }], { url });
		expect(fixed.error).toBeUndefined();
		const computed = await mapped('create', [{ link: `${url}a` }], { url: '={{ $json.link }}' });
		expect(computed.error).toBeUndefined();
		expect(lastForm().url).toBe(`${url}a`);
	});
});

describe('several headings of one field', () => {
	it('the name, the key, the label and the synonyms fill it in this order', async () => {
		const row = { slug: 'no', Alias: 'yes', 'Destination URL': 'no', URL: `${url}yes` };
		const result = await mapped('create', [row]);
		expect(lastForm()).toMatchObject({ alias: 'yes', url: `${url}yes` });
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: Alias, URL. Ignored columns: slug, Destination URL.',
		);
	});

	it('stop the run if they are of one rank', async () => {
		const row = { url, slug: 'a', 'Short code': 'b' };
		const result = await mapped('create', [row]);
		expect(messageOf(result)).toBe(
			'The columns "slug" and "Short code" both fill Alias; keep one of them, or add the other to Inputs to Ignore',
		);
		expect(current().requests).toEqual([]);
		await mapped('create', [row], { inputsToIgnore: 'short_code' });
		expect(lastForm().alias).toBe('a');
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
		const taken = await mapped('create', rows, { options: { mapPasswords: true } });
		expect(taken.error).toBeUndefined();
		expect(lastForm().password).toBe('s3cret');
	});

	it('with flags, formula errors or nothing is left out', async () => {
		const cells = [true, false, 'TRUE', ' false ', '#N/A', '#REF!', '', '  ', null, undefined];
		const result = await mapped(
			'create',
			cells.map((password) => ({ url, password, 'Link password': password })),
		);
		expect(messageOf(result)).toBe('undefined');
		expect(arrived().join()).not.toContain('password');
		expect(hintsOf(result).at(-1)).toContain('Ignored columns: password (only with Map Passwords)');
	});

	it('gives way to an expression in the form', async () => {
		const additionalFields = { password: '={{ "made" }}' };
		const own = await mapped('create', [{ url, Password: 'a' }], { additionalFields });
		expect(own.error).toBeUndefined();
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

describe('Inputs to Ignore', () => {
	it('has names with commas', async () => {
		const result = await mapped('create', [{ url, Notes: 1, ' owner': 2 }], {
			inputsToIgnore: ' notes ,Owner,, URLs;x',
		});
		expect(hintsOf(result).at(-1)).toBe('Mapped columns: url. Ignored columns: Notes, " owner".');
	});
});
