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

const { current, mapped, arrived, lastForm, madeLink, madePixel } = useColumns();

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

it.each(writes.map((operation, spelling) => [operation, spelling] as const))(
	'%s takes columns named like a field, in spelling %i',
	async (operation, spelling) => {
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
		const result = await mapped(operation, rows, { output: 'raw', options });
		expect(result.error).toBeUndefined();
		const spaces = jsonOf(result).map(({ space }) => (space as { id: number } | null)?.id);
		expect(spaces).toEqual([operation === 'create' ? undefined : 1, undefined, 2]);
	},
);

it('a column fills a set of inputs, but not beside one of them', async () => {
	const set = { url, 'UTM Parameters': { utm_medium: 'a' } };
	const result = await mapped('create', [{ ...set, utm_source: 'b' }]);
	expect(messageOf(result)).toMatch(/^The columns "UTM Parameters" and "utm_source" both/);
	expect(current().requests).toEqual([]);
	await mapped('create', [set]);
	expect(lastForm().url).toBe(`${url}?utm_medium=a`);
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
	expect(errorsOf(conflict)).toEqual(
		[1, 2].map((row) => expect.stringMatching(`^Item ${row}: The columns "url" and "URL" both`)),
	);
	expect(arrived()).toHaveLength(1);
});
