import { chosen, messageOf, useColumns, writes, type Cells } from '../../support/columns.ts';

const { link, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';

const errors = [
	'#N/A',
	'#REF!',
	'#VALUE!',
	'#NAME?',
	'#DIV/0!',
	'#NUM!',
	'#NULL!',
	'#ERROR!',
	' #n/a\n',
	'\u00a0#Ref! ',
	...['#NV', '#N/D', '#¡REF!', '#NOME?', '#WERT!', '#VALEUR!', '#SPILL!', 'Loading...'],
];

const remedy = 'is a formula error; correct it in the sheet';

describe('the error of a formula', () => {
	it.each(errors)('%j is refused as an alias before anything is sent', async (alias) => {
		const rows = [
			{ url, alias: 'fine' },
			{ url, alias },
		];
		const quoted = JSON.stringify(alias);
		expect(messageOf(await mapped('create', rows))).toContain(`Alias ${quoted} ${remedy}`);
		expect(arrived()).toEqual([]);
	});

	it.each(writes)('is refused by %s', async (operation) => {
		const row = { id: await madeLink(), url, alias: '#N/A' };
		expect(messageOf(await mapped(operation, [row]))).toContain(`Alias "#N/A" ${remedy}`);
		expect(arrived()).toEqual([]);
	});

	it.each<[Cells, string]>([
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
		[{ url: '#N/A' }, 'Destination URL "#N/A" must start with https'],
	])('in %j is refused', async (cells, message) => {
		await madePixel();
		expect(messageOf(await mapped('create', [{ url, ...cells }]))).toContain(message);
		expect(arrived()).toEqual([]);
	});

	it.each(['name', 'value', 'type'])('in %s of a pixel is refused', async (field) => {
		const row = { name: 'one', type: 'bing', value: '1', [field]: '#REF!' };
		const result = await mappedPixels('create', [row]);
		expect(messageOf(result)).toContain(`"#REF!" ${remedy}`);
		expect(arrived()).toEqual([]);
	});

	it('as the ID of an update is refused', async () => {
		const result = await mapped('update', [{ id: '#N/A', url }], { matchBy: 'id' });
		expect(messageOf(result)).toContain(`"#N/A" ${remedy}`);
		expect(arrived()).toEqual([]);
	});

	it('is no password', async () => {
		const additionalFields = { password: '#N/A' };
		const parameters = { url, domainId: chosen(1), additionalFields };
		expect(messageOf(await link('create', { parameters }))).toBe(
			'Password (hidden) is a formula error; correct it in the sheet',
		);
		expect(arrived()).toEqual([]);
	});

	it.each(['#N/A or later', 'N/A', '#1', '#REF'])('is not %j', async (utm_source) => {
		await mapped('create', [{ url, utm_source }]);
		expect(lastForm().url).toBe(`${url}?utm_source=${encodeURIComponent(utm_source)}`);
	});
});
