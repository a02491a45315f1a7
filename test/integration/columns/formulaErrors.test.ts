import { chosen, messageOf, useColumns, type Cells } from '../../support/columns.ts';

const { link, mapped, mappedPixels, arrived, madePixel } = useColumns();

const url = 'https://example.com/';
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
		[{ url: '#N/A' }, 'Destination URL "#N/A" must start with https'],
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
