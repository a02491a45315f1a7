import type { IDataObject } from 'n8n-workflow';
import { without } from '../../../nodes/shared/contract/values';
import { jsonOf } from '../../support/service.ts';
import { descriptionOf, hintsOf, messageOf, useColumns, writes } from '../../support/columns.ts';

const { current, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';

/** What a heading does if nothing else fills its field: it fills it, stops the run, or is listed as ignored. */
type Effect = 'ignored' | { readonly fills: string } | { readonly stops: string };

const fills = (field: string): Effect => ({ fills: field });
const stops = (name: string): Effect => ({ stops: name });

/** Headings of real exports, with what each does. */
const exported: Record<string, Record<string, Effect>> = {
	Bitly: {
		long_url: fills('url'),
		custom_bitlinks: stops('alias'),
		'Custom back-half': stops('alias'),
		title: 'ignored',
		created: 'ignored',
	},
	Rebrandly: {
		destination: fills('url'),
		slashtag: stops('alias'),
		'domain.fullName': 'ignored',
		favourite: 'ignored',
	},
	'Short.io': {
		originalURL: fills('url'),
		'Original URL': fills('url'),
		path: stops('alias'),
		expiresAt: fills('expiration'),
		'Short link': 'ignored',
	},
	Dub: {
		url: fills('url'),
		key: stops('alias'),
		expiredUrl: stops('expirationUrl'),
		comments: 'ignored',
	},
	Shlink: {
		longUrl: fills('url'),
		customSlug: stops('alias'),
		validUntil: fills('expiration'),
		'meta.validUntil': stops('expiration'),
		maxVisits: stops('expirationClicks'),
	},
	Kutt: {
		target: stops('url'),
		customurl: stops('alias'),
		expire_in: stops('expiration'),
		password: stops('password'),
		visit_count: 'ignored',
	},
	YOURLS: { keyword: stops('alias'), timestamp: 'ignored', clicks: 'ignored' },
	TinyURL: { 'long url': fills('url'), alias: fills('alias'), expires_at: fills('expiration') },
	HubSpot: {
		'UTM Campaign': fills('utm_campaign'),
		'Landing page': stops('url'),
		'hs_utm_source (contact)': stops('utm_source'),
	},
	Salesforce: {
		'Landing Page URL': stops('url'),
		'End Date': stops('expiration'),
		StartDate: 'ignored',
		Id: 'ignored',
	},
	'Google Ads': {
		'Final URL': stops('url'),
		'Tracking template': 'ignored',
		'Custom parameter': 'ignored',
	},
	'a plain sheet': {
		Slug: fills('alias'),
		'custom slug': stops('alias'),
		'Short name': stops('alias'),
		'Custom short link': stops('alias'),
		'Alias (new)': stops('alias'),
		'Target URL': stops('url'),
		'Valid To': stops('expiration'),
		'expiry date': stops('expiration'),
		ends_at: stops('expiration'),
		'Expires on': stops('expiration'),
		'Link password': stops('password'),
		Passcode: stops('password'),
		'Stats password': stops('privacyPassword'),
		Passphrase: stops('password'),
		'Facebook pixels': stops('pixelIds'),
		'Expired redirect': stops('expirationUrl'),
		'Stop date': stops('expiration'),
		'Target Type (optional)': stops('targetType'),
		'Country Rules (optional)': stops('Country Rules'),
		Link: 'ignored',
		Medium: 'ignored',
	},
};

const cells: Record<string, string> = {
	url: `${url}new`,
	expiration: '2090-01-02',
	expirationUrl: url,
	expirationClicks: '5',
};

const parameterNames: Record<string, string> = { expiration: 'expiration_date' };

describe.each(Object.entries(exported))('a heading of %s', (_, headings) => {
	it.each(Object.entries(headings))('%s has the effect %j', async (heading, effect) => {
		const id = await madeLink();
		const field = effect === 'ignored' ? '' : 'fills' in effect ? effect.fills : effect.stops;
		const row = {
			id,
			[heading]: cells[field] ?? 'given',
			...(field.startsWith('utm') ? { url } : {}),
		};
		const result = await mapped('update', [row], { updateFields: { disabled: true } });
		if (effect === 'ignored') {
			expect(result.error).toBeUndefined();
			expect(hintsOf(result).join()).toMatch(/Ignored columns: /);
			expect(Object.keys(lastForm())).toEqual(['disabled']);
		} else if ('fills' in effect) {
			expect(messageOf(result)).toBe('undefined');
			const name = field.startsWith('utm_') ? 'url' : (parameterNames[field] ?? field);
			expect(lastForm()[name]).toContain(cells[field] ?? 'given');
		} else {
			expect(messageOf(result)).toMatch(
				heading === 'password'
					? /^The column password contains passwords and is not mapped\. Add Map Passwords/
					: `Column ${JSON.stringify(heading)} is not used. Add it to Inputs to Ignore, or rename it to ${field}.`,
			);
			expect(descriptionOf(result)).toBe('Nothing was sent.');
			expect(current().requests).toEqual([]);
		}
	});
});

it('tries at least forty headings of exports', () => {
	const headings = Object.values(exported).flatMap((one) => Object.keys(one));
	expect(headings.length).toBeGreaterThanOrEqual(40);
});

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
];

describe('ordinary headings', () => {
	const row = Object.fromEntries(ordinary.map((heading) => [heading, 'x']));

	it('are at least sixty', () => {
		expect(new Set(ordinary).size).toBeGreaterThanOrEqual(60);
	});

	it.each(writes)('never stop %s of links', async (operation) => {
		const id = await madeLink();
		const alias = operation === 'create' ? 'new' : 'made';
		const filled = { id, alias, url: `${url}new`, expiration: '2090-01-02' };
		const result = await mapped(operation, [{ ...row, ...filled }]);
		expect(messageOf(result)).toBe('undefined');
		expect(lastForm()).toMatchObject({ url: `${url}new`, expiration_date: '2090-01-02' });
		expect(arrived()).toHaveLength(1);
		expect(hintsOf(result).at(-1)).toMatch(
			/^Mapped columns: alias, url, expiration\. Ignored columns: Type, Targets, /,
		);
	});

	it.each(writes)('never stop %s of pixels', async (operation) => {
		const id = await madePixel();
		const name = operation === 'create' ? 'new' : 'made';
		const pixels = { 'Tracking URL': 'x', Pixel: 'x', Domain: 'x', 'Value 2': 'x' };
		const links = without(row, 'Type');
		const filled = { id, name, type: 'bing', value: 'v' };
		const result = await mappedPixels(operation, [{ ...links, ...pixels, ...filled }]);
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toHaveLength(1);
	});
});

describe('the output of the node', () => {
	it.each(['simplified', 'raw'])('maps without an error as it is (%s)', async (output) => {
		await madeLink();
		const created = await mapped('create', [{ url, alias: 'a' }], { output });
		const [item] = jsonOf(created);
		current().requests.length = 0;
		const result = await mapped('upsert', [item ?? {}]);
		expect(messageOf(result)).toBe('undefined');
		expect(arrived()).toEqual([]);
	});

	it('raw, with an expiry stops', async () => {
		const result = await mapped('create', [{ url, ends_at: '2090-01-02 10:00:00' }]);
		expect(messageOf(result)).toMatch(
			/^Column "ends_at" is not used\. .* rename it to expiration\.$/,
		);
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
		for (const operation of writes.filter((one) => one !== 'update')) {
			const result = await mapped(operation, [{ ...row, alias: 'a' }, row]);
			expect(messageOf(result)).toContain(
				`No column fills Destination URL. Columns that came: ${names}, alias. Rename one to url, or set the field in the form.`,
			);
		}
		expect(current().requests).toEqual([]);
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

	it('stop the run if only the label has a value in a row of Update', async () => {
		await madeLink('a');
		await madeLink('b');
		const rows = [
			{ alias: 'a', url },
			{ alias: 'b', 'Destination URL': `${url}b` },
		];
		const parameters = { linkId: { __rl: true, mode: 'list', value: '' } };
		expect(messageOf(await mapped('update', rows, parameters))).toBe(
			'Column "Destination URL" is not used. Add it to Inputs to Ignore, or rename it to url.',
		);
		expect(arrived()).toEqual([]);
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

	it('the ID is read only with Match By ID, and no column fills Link', async () => {
		const id = await madeLink();
		const unset = { linkId: { __rl: true, mode: 'list', value: '' } };
		const rows = [{ linkId: id, url }];
		const result = await mapped('update', rows, { ...unset, matchBy: 'id' });
		expect(messageOf(result)).toBe(
			'No column fills ID. Columns that came: linkId, url. Rename one to id, or choose another Match By.',
		);
		const byAlias = await mapped('update', [{ id, url }], { ...unset, matchBy: 'alias' });
		expect(messageOf(byAlias)).toMatch(/^No column fills Alias\. Columns that came: id, url\. /);
		expect(current().requests).toEqual([]);
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

	it.each([true, 'TRUE', ' False', '#N/A'])(
		'fails a row with %j once it is mapped',
		async (cell) => {
			const options = { mapPasswords: true };
			const result = await mapped('create', [{ url, password: cell }], { options });
			expect(messageOf(result)).toMatch(
				/^Item 1: Password \(hidden\) (shows only whether a password is set|is a formula error); .* or add the column password to Inputs to Ignore$/,
			);
			expect(current().requests).toEqual([]);
		},
	);

	it('gives way to an expression in the form', async () => {
		const additionalFields = { password: '={{ "made" }}' };
		const own = await mapped('create', [{ url, Password: 'a' }], { additionalFields });
		expect(own.error).toBeUndefined();
		expect(lastForm().password).toBe('made');
	});
});

it.each<[string, string, IDataObject[]]>([
	[
		'Slug',
		'alias',
		[
			{ url, alias: 'x' },
			{ url, 'Custom slug': 'y' },
		],
	],
	[
		'Expires',
		'expiration',
		[
			{ url, expiration: '2090-01-01' },
			{ url, 'Valid To': '2090-02-01' },
		],
	],
	[
		'Link password',
		'password',
		[
			{ url, password: 'one' },
			{ url, 'Link password': 'two' },
		],
	],
])('stops two sheets in one whose headings differ: %s', async (_, name, rows) => {
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
