import { runInNewContext } from 'node:vm';
import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../nodes/Link/link.contract';
import { pixelContract } from '../../../nodes/Pixel/pixel.contract';
import { isEncoded, paramsOf } from '../../../nodes/shared/contract/encodedRow';
import type { ResourceContract } from '../../../nodes/shared/contract/resourceTypes';
import { scopeParams } from '../../../nodes/shared/contract/scope';
import type { OperationName } from '../../../nodes/shared/contract/types';
import { chosen, hintsOf, messageOf, useColumns, type Cells } from '../../support/columns.ts';
import { encodeOptions, encodeRow } from '../../support/encodeRow.ts';
import { byId, jsonOf, succeeded } from '../../support/service.ts';

const { current, link, pixel, mapped, mappedPixels, arrived, lastForm, madePixel, madeLink, held } =
	useColumns();

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

	it.each<[Cells[], Cells]>([
		[[{ 'Expiration Time': '' }], { updateFields: { expiration: '2090-02-05' } }],
		[[{ 'Expiration Date': '2090-02-05', 'Expiration Time': '' }, { 'Expiration Time': '' }], {}],
		[[{ Until: '2090-02-05', 'Expiration Time': '' }], { inputsToIgnore: 'until' }],
	])('a time without a date clears nothing: %j, %j', async (rows, form) => {
		const expiring = { expiration: '2090-01-01' };
		const ids = [await madeLink('a', expiring), await madeLink('b', expiring)];
		const items = rows.map((row, at) => ({ id: ids[at], ...row }));
		const parameters = { linkId: '', matchBy: 'id', ...form, options: { emptyValues: 'clear' } };
		await succeeded(mapped('update', items, parameters as never));
		expect(arrived().join()).not.toContain('expiration_date=&');
	});

	it.each<[Cells, RegExp]>([
		[{ expirationTime: '10:00' }, /^Item 1: Expiration has the time "10:00" without a date; /],
		[
			{ expirationDate: '2090-01-02 08:00', expirationTime: '10:00' },
			/^Item 1: Expiration has the date "2090-01-02 08:00" with a time, and the time "10:00"; keep one time, or add the columns expirationDate and expirationTime to Inputs to Ignore$/,
		],
		[{ expirationDate: '2090-02-30' }, /^Item 1: Expiration "2090-02-30" is not a valid date; /],
		[{ expirationDate: new Date(NaN), expirationTime: '10:00' }, /is not a valid date; /],
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
		await succeeded(mappedPixels('create', rows, { options: { concurrency: 1 } }));
		const stored = arrived().map((line) => new URLSearchParams(line.split(' ')[2]).get('type'));
		expect(stored).toEqual(
			Object.entries(types).flatMap(([value, names]) => names.map(() => value)),
		);
	});

	it('may be a name in the scope of a sync, and in a filter', async () => {
		await madePixel('mine');
		const scope = { type: '={{ "Bing Ads" }}' };
		const row = { name: 'mine', type: 'Microsoft UET Tag (Bing)', value: 'old' };
		await succeeded(mappedPixels('sync', [row], { syncScope: scope }));
		expect(arrived()).toEqual([]);
		await pixel('getAll', { parameters: { filters: { type: '={{ "Bing" }}' } } });
		expect(current().requests.at(-1)?.query).toContain('type=bing');
	});
});

it.each(['<br>', '\\n', '，'])(
	'two addresses with %j between them are refused',
	async (separator) => {
		const two = `${url}1${separator}${url}2`;
		for (const cells of [
			{ url: two },
			{ url, expirationUrl: two },
			{ url, 'Rotation Rules': two },
			{ url, 'Country Rules': `US=${url}us${separator}DE=${url}de` },
		]) {
			await mapped('create', [cells]);
		}
		expect(arrived()).toEqual([]);
	},
);

const remedy = 'is a formula error; correct it in the sheet';

describe('the error of a formula', () => {
	it.each<[Cells, string]>([
		[{ alias: '\u00a0#Ref! ' }, `Alias "\u00a0#Ref! " ${remedy}`],
		[{ utm_source: ' #N/A' }, `UTM Parameters contain " #N/A" as utm_source, which ${remedy}`],
		[{ space: '#REF!' }, `Space "#REF!" ${remedy}`],
		[{ pixels: 'made, #N/A' }, `Pixels "#N/A" ${remedy}`],
		[{ disabled: '#VALUE!' }, `Disabled "#VALUE!" ${remedy}`],
		[{ 'Country Rules': '#N/A' }, `Country Rules "#N/A" ${remedy}`],
		[
			{ 'Country Rules': `#N/A=${url}` },
			`Country Rules rule 1: Country Name or Code "#N/A" ${remedy}`,
		],
		[{ 'Platform Rules': { '#REF!': url } }, `Platform Rules rule 1: Platform "#REF!" ${remedy}`],
		[{ url: '#N/A' }, 'Destination URL "#N/A" is a formula error'],
		[{ url: true }, 'Destination URL true is not text; it must start'],
	])('in %j is refused', async (cells, message) => {
		await madePixel();
		expect(messageOf(await mapped('create', [{ url, ...cells }]))).toContain(message);
		expect(arrived()).toEqual([]);
	});

	it('in a pixel, in the ID of an update and in a password of the form is refused', async () => {
		for (const field of ['name', 'value', 'type']) {
			const row = { name: 'one', type: 'bing', value: '1', [field]: '#REF!' };
			expect(messageOf(await mappedPixels('create', [row]))).toContain(`"#REF!" ${remedy}`);
		}
		const update = await mapped('update', [{ id: '#N/A', url }], { matchBy: 'id' });
		expect(messageOf(update)).toContain(`"#N/A" ${remedy}`);
		const parameters = { url, domainId: chosen(1), additionalFields: { password: '#N/A' } };
		expect(messageOf(await link('create', { parameters }))).toBe(`Password (hidden) ${remedy}`);
		expect(arrived()).toEqual([]);
	});
});

const unset = { linkId: { __rl: true, mode: 'list', value: '' } };

describe('IDs in cells that a sheet filled up with zeros', () => {
	it('are the same domain: Match By creates no second link', async () => {
		const rows = [
			{ url: `${url}new`, domain: '1' },
			{ url: `${url}new`, domain: '001' },
		];
		await mapped('upsert', rows, { matchBy: 'url' });
		expect(arrived()).toEqual([`POST /links url=${url}new&domain_id=1`]);
		expect(current().counts().links).toBe(1);
	});

	it('are found by alias and domain, and rows that contradict each other are refused', async () => {
		const id = await madeLink('a');
		await mapped('update', [{ alias: 'a', domain: '01', disabled: true }], unset);
		expect(await held(id)).toMatchObject({ disabled: 1 });
		current().requests.length = 0;
		const rows = [
			{ alias: 'a', domain: '1', url: `${url}new1` },
			{ alias: 'a', domain: '01', url: `${url}new2` },
		];
		const result = await mapped('upsert', rows);
		expect(messageOf(result)).toMatch(/^Item 2 \(a\): Alias has the same value as item 1/);
		expect(current().requests).toEqual([]);
	});

	it('of pixels and spaces are compared with those of the link', async () => {
		const pixel = await madePixel('one');
		await madeLink('a', { pixelIds: [pixel], spaceId: { __rl: true, mode: 'list', value: 2 } });
		const row = { alias: 'a', pixels: `0${pixel}; ${pixel}`, space: '02' };
		const result = await succeeded(mapped('upsert', [{ ...row, url: 'https://example.com/old' }]));
		expect(jsonOf(result)).toMatchObject([{ outcome: 'unchanged' }]);
		expect(arrived()).toEqual([]);
		expect(hintsOf(result).join()).not.toContain('did not store these values as sent');
	});
});

/** More characters than a quadratic pattern gets through in the time of a test. */
const many = 300_000;

const create = async (row: IDataObject) => {
	const options = { mapPasswords: true };
	const parameters = { mappingColumnMode: 'autoMapInputData', domainId: byId(1), options };
	const items = [{ url: 'https://example.com/', ...row }];
	return await link('create', { items, parameters });
};

const megabytes = 'x'.repeat(1_000_000);

it.each<[string, IDataObject, RegExp]>([
	[
		'a date of 1 MB',
		{ 'Expiration Date': `2030-12-31 10:00${megabytes}` },
		/^Item 1: Expiration "2030-12-31 10:00x+…" is not a valid date;/,
	],
	[
		'an address of 1 MB',
		{ url: megabytes },
		/^Item 1: Destination URL "x{79}…" must start with https/,
	],
	[
		'an address with a host of 1 MB',
		{ url: `https://${'ü'.repeat(many)}.example/` },
		/^Item 1: Destination URL "https:\/\/ü+…" is not a URL; correct its domain/,
	],
	[
		'many rules',
		{ 'Country Rules': 'a=a:\n'.repeat(many / 2) },
		/^Item 1: Country Rules contains more than 10,000 rules; enter fewer, or add the column Country Rules to Inputs to Ignore$/,
	],
	[
		'many pixels',
		{ pixels: '1,'.repeat(many) },
		/^Item 1: Pixels contains more than 10,000 IDs; enter fewer, or add the column pixels to Inputs to Ignore$/,
	],
	[
		'a pixel of 1 MB',
		{ pixels: [megabytes, 1] },
		/^Item 1: Pixels "x+…" was not found among the pixels of the account; use the ID, or add the column pixels to Inputs to Ignore$/,
	],
	[
		'a country with many accents',
		{ 'Country Rules': `${'\u0323\u0301'.repeat(many)}=https://example.com` },
		/^Item 1: Country Rules rule 1: Country Name or Code "[\u0323\u0301]+…" is not a known choice/,
	],
	[
		'many parameters',
		{ utm: Object.fromEntries(Array.from({ length: 130_000 }, (_, at) => [`utm_${at}`, 'x'])) },
		/^Item 1: UTM Parameters contain "utm_0", which is not a UTM parameter;.* … and 129,9\d\d more$/,
	],
])('a huge cell makes the ordinary error with a short quote: %s', async (_, row, message) => {
	const { error } = await create(row);
	expect(error?.message).toMatch(message);
	expect(error?.message.length).toBeLessThan(800);
	expect(current().requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

it('headings of which many fill the same field make an error that shows the first ones', async () => {
	const headings = Array.from({ length: 50_000 }, (_, at) => [
		`url${' '.repeat(at % 250)}${'_'.repeat(at / 250)}`,
		'x',
	]);
	const { error } = await create(Object.fromEntries(headings) as IDataObject);
	expect(error?.message).toMatch(
		/^The columns "url", "url ", "url {2}", "url {3}", .* and 49,973 more both fill Destination URL; keep one of them, or add the other to Inputs to Ignore$/,
	);
	expect(error?.message.length).toBeLessThan(800);
});

/** The first half of an emoji, which a form would turn into a question mark in a box. */
const half = '\ud83d';
const text = `spring-${half}`;
const address = `https://example.com/${half}`;

/** All texts that a row with this value in one parameter would send; none if the row is refused. */
function sentBy(
	contract: ResourceContract,
	operation: OperationName,
	name: string,
	value: unknown,
) {
	const places = ['additionalFields', 'updateFields', 'filters', 'sorting', 'syncScope'];
	const parameters = {
		...{ url, alias: 'one', name: 'one', type: 'bing', value: 'v', linkId: 1, pixelId: 1 },
		[name]: value,
		...Object.fromEntries(places.map((place) => [place, { [name]: value }])),
	};
	const row = encodeRow({ contract, operation, options: encodeOptions }, parameters);
	if (!isEncoded(row)) return [];
	const params = [...paramsOf(row.fields), ...scopeParams(row.scope)];
	return [...params.flat(), row.id ?? '', row.reference?.search ?? ''];
}

const values = [
	text,
	address,
	[text],
	[address],
	`US=${address}`,
	{ [text]: text },
	{ US: address },
];

it.each([linkContract, pixelContract].map((contract) => [contract.value, contract] as const))(
	'no field of any operation of a %s sends half a character',
	(_, contract) => {
		const names = [contract.id, ...contract.fields, ...contract.sync.scope];
		const sent = contract.operations.flatMap(({ value: operation }) =>
			names.flatMap(({ name }) =>
				values.flatMap((value) => sentBy(contract, operation, name, value)),
			),
		);
		expect(sent.length).toBeGreaterThan(0);
		expect(sent.filter((one) => !one.isWellFormed())).toEqual([]);
	},
);
