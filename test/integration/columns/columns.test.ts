import { creations, reconciliations } from '../../support/operationNames.ts';
import { jsonOf } from '../../support/service.ts';
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

const { current, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';
const continues = { onError: 'continueRegularOutput' } as const;

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

/** What these cells are sent as. */
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

describe.each(writes)('%s takes columns named like a field', (operation) => {
	it.each([0, 1, 2, 3])('in spelling %i', async (spelling) => {
		const pixel = await madePixel();
		const row = await keyOf(operation);
		for (const [cell, ...names] of headersOf(pixel)) row[names[spelling] ?? ''] = cell;
		const result = await mapped(operation, [row]);
		expect(result.error).toBeUndefined();
		const form = lastForm();
		expect(form).toMatchObject(sentFor(pixel));
		expect(arrived()).toHaveLength(1);
		// What finds a link is not written to it again.
		expect(form.alias).toBe(
			{ create: 'new', update: 'made', upsert: undefined, sync: undefined }[operation],
		);
	});

	it('and no other: neither the ID nor what looks like a field', async () => {
		const { id, alias } = await keyOf(operation);
		const other = {
			url_1: `${url}no`,
			status: 3,
			search: 'x',
			link: 4,
			country: 'DE',
			source: 'no',
		};
		const row = { id, alias, ID: 99, Id: '98', link_id: 97, pixel_id: 1, clearFields: 'url' };
		await mapped(operation, [{ ...row, ...other, url: `${url}new` }]);
		const sent = Object.keys(lastForm()).filter((name) => !['alias', 'domain_id'].includes(name));
		expect(sent).toEqual(['url']);
		expect(lastForm().url).toBe(`${url}new`);
		expect(arrived()[0]).toMatch(operation === 'create' ? 'POST /links ' : `PUT /links/${id} `);
		expect(arrived()).toHaveLength(1);
	});

	it('of pixels too', async () => {
		const id = await madePixel();
		const name = operation === 'create' ? 'new' : 'made';
		await mappedPixels(operation, [
			{ id, ID: 99, Id: 7, NAME: name, ' Type': 'quora', Value: 'v' },
		]);
		expect(lastForm()).toMatchObject({ type: 'quora', value: 'v' });
		expect(arrived()).toHaveLength(1);
		expect(arrived()[0]).toMatch(operation === 'create' ? 'POST /pixels' : `PUT /pixels/${id}`);
	});

	it('from all rows, and a row that lacks one clears nothing', async () => {
		const keep = { spaceId: chosen(1), disabled: true };
		const ids = [await madeLink('a', keep), await madeLink('b', keep), await madeLink('c', keep)];
		const key = (index: number) => {
			const alias = ['a', 'b', 'c'][index];
			return { id: ids[index], alias: operation === 'create' ? `new-${alias}` : alias, url };
		};
		const rows: Cells[] = [key(0), { ...key(1), space: ' ' }, { space: 2, ...key(2) }];
		const options = { emptyValues: 'clear', concurrency: 1 };
		const result = await mapped(operation, rows, { output: 'raw', options });
		expect(result.error).toBeUndefined();
		const spaces = jsonOf(result).map(({ space }) => (space as { id: number } | null)?.id);
		const first = operation === 'create' ? undefined : 1;
		expect(spaces).toEqual([first, undefined, 2]);
	});

	it('but not a set of inputs beside one of them', async () => {
		const set = { 'UTM Parameters': { utm_medium: 'a' } };
		const row = { ...(await keyOf(operation)), url, ...set, utm_source: 'b' };
		const result = await mapped(operation, [row]);
		expect(messageOf(result)).toMatch(/^The columns "UTM Parameters" and "utm_source" both/);
		expect(current().requests).toEqual([]);
		Reflect.deleteProperty(row, 'utm_source');
		await mapped(operation, [row]);
		expect(lastForm().url).toBe(`${url}?utm_medium=a`);
	});
});

describe('names that every object has', () => {
	const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'];
	const row = JSON.parse(
		`{"url": "${url}", ${names.map((name) => `"${name}": {"alias": "x"}`).join()}}`,
	) as Cells;

	it('are columns that fill nothing', async () => {
		const result = await mapped('create', [row], { options: { includeInput: true } });
		expect(result.error).toBeUndefined();
		expect(lastForm()).toEqual({ url, domain_id: '1' });
		expect(hintsOf(result)).toContain(`Mapped columns: url. Ignored columns: ${names.join(', ')}.`);
		expect(Object.keys(jsonOf(result)[0] ?? {})).toEqual(['url', ...names, 'link']);
	});
});

describe('Inputs to Ignore', () => {
	it.each([
		['a text', 'Disabled, SPACE ID'],
		['a text in other spellings', ' space_id ,disabled,'],
		['a list', '={{ ["disabled", "Space"] }}'],
	])('leaves columns out, as %s', async (_, inputsToIgnore) => {
		const space = inputsToIgnore.includes('"Space"') ? 'space' : 'Space_Id';
		const rows = [{ url, disabled: 1, [space]: 2 }];
		const result = await mapped('create', rows, { inputsToIgnore });
		expect(result.error).toBeUndefined();
		expect(lastForm()).toEqual({ url, domain_id: '1' });
	});

	it('leaves out a column that differs only in case from another one', async () => {
		for (const other of ['Destination URL', 'destination_url', 'URL', 'Url']) {
			const row = { [other]: 'https://elsewhere.example/', url };
			const result = await mapped('create', [row], { inputsToIgnore: other });
			expect(result.error).toBeUndefined();
			expect(lastForm()).toEqual({ url, domain_id: '1' });
		}
	});

	it('may be an expression that names none, and must be a list', async () => {
		for (const inputsToIgnore of ['', ' ', '={{ [] }}', '={{ null }}']) {
			const result = await mapped('create', [{ url }], { inputsToIgnore });
			expect(result.error).toBeUndefined();
		}
		const result = await mapped('create', [{ url }], { inputsToIgnore: '={{ { url: 1 } }}' });
		expect(messageOf(result)).toMatch(/^Inputs to Ignore \{"url":1\} is not a list of columns; /);
		expect(arrived()).toHaveLength(4);
	});
});

describe('a run', () => {
	it('names row, field and remedy of what is missing, and sends nothing', async () => {
		for (const operation of creations) {
			const result = await mapped(operation, [
				{ url, alias: 'a' },
				{ alias: 'b', url: ' ' },
			]);
			expect(messageOf(result)).toBe(
				'Item 2 (b): Destination URL is missing; fill in its cell, or the field in the form',
			);
			const pixels = await mappedPixels(operation, [{ name: 'a', type: 'bing', value: null }]);
			expect(messageOf(pixels)).toMatch(/^Item 1 \(a\): Tracking ID is missing; fill in its cell/);
		}
		for (const operation of reconciliations) {
			const result = await mapped(operation, [{ url, alias: '' }]);
			expect(messageOf(result)).toMatch(/^Item 1: Alias is missing; fill in its cell/);
		}
		const result = await mapped('update', [{ id: 1, urll: url }]);
		expect(messageOf(result)).toMatch(/^Item 1: .* no value; fill in at least one .*column/);
		expect(current().requests).toEqual([]);
	});

	it('goes on after rows that fail, with their columns beside the error', async () => {
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
		expect(errorsOf(conflict)).toEqual(
			[1, 2].map((row) => expect.stringMatching(`^Item ${row}: The columns "url" and "URL" both`)),
		);
		expect(arrived()).toHaveLength(1);
	});
});
