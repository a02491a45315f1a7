import type { INodeParameters } from 'n8n-workflow';
import {
	descriptionOf,
	hintsOf,
	messageOf,
	useColumns,
	writes,
	type Cells,
} from '../../support/columns.ts';
import { jsonOf } from '../../support/service.ts';

const { current, mapped, mappedPixels, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';

/** Column Names as the form stores it. */
const pairs = (...columns: [field: string, column: string][]): INodeParameters => ({
	columnNames: { columns: columns.map(([field, column]) => ({ field, column })) },
});

const create = async (row: Cells | Cells[], options: INodeParameters) =>
	await mapped('create', [row].flat(), { options });

describe('Column Names', () => {
	it.each(writes)('maps any heading in %s', async (operation) => {
		const id = await madeLink();
		const alias = operation === 'create' ? 'new' : 'made';
		const options = {
			...pairs(['alias', 'Kurzname'], ['url', '#'], ['utm_source', 'Quelle (bezahlt)']),
			unknownColumns: 'fail',
		};
		const row = { id, Kurzname: alias, '#': `${url}new`, 'Quelle (bezahlt)': 'letter' };
		const result = await mapped(operation, [row], { options });
		expect(result.error).toBeUndefined();
		expect(lastForm().url).toBe(`${url}new?utm_source=letter`);
		expect(arrived()[0]).toMatch(operation === 'create' ? 'POST /links ' : `PUT /links/${id} `);
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: Kurzname (Alias), "#" (Destination URL), Quelle (bezahlt) (UTM Source). Ignored columns: id.',
		);
	});

	it('maps columns of pixels', async () => {
		const id = await madePixel();
		const options = pairs(['value', 'Kennung'], ['type', 'Dienst']);
		await mappedPixels('update', [{ id, Kennung: 'v', Dienst: 'quora' }], { options });
		expect(lastForm()).toEqual({ value: 'v', type: 'quora' });
	});

	it('means a heading to the letter, or else as headings are compared', async () => {
		const exact = await create({ url, Code: 'a', code: 'b' }, pairs(['alias', 'code']));
		expect(exact.error).toBeUndefined();
		expect(lastForm().alias).toBe('b');
		await create({ url, '\uFEFFKurz-Name\u00A0': 'c' }, pairs(['alias', 'kurz name']));
		expect(lastForm().alias).toBe('c');
		const both = await create(
			{ url, 'Kurz name': 'c', kurzname: 'd' },
			pairs(['alias', 'KURZNAME']),
		);
		expect(messageOf(both)).toMatch(/^The columns "Kurz name" and "kurzname" both fill Alias; /);
	});

	it('finds a heading of signs alone, whatever invisible characters a file puts around it', async () => {
		const options = pairs(['alias', '#'], ['expirationClicks', '%']);
		const result = await create({ '\uFEFF#': 'first', url, ' %\u00A0': 5 }, options);
		expect(result.error).toBeUndefined();
		expect(lastForm()).toMatchObject({ alias: 'first', expiration_clicks: '5' });
	});

	it('comes before names, synonyms, and the field that the heading names', async () => {
		const options = pairs(['alias', 'Name'], ['expirationUrl', 'url'], ['utm_term', 'slug']);
		const row = {
			...{ Name: 'mine', alias: 'no', 'back-half': 'no', slug: 'word' },
			...{ url: `${url}over`, destination: url },
		};
		const result = await create(row, options);
		expect(result.error).toBeUndefined();
		expect(lastForm()).toEqual({
			...{ url: `${url}?utm_term=word`, alias: 'mine', domain_id: '1' },
			expiration_url: `${url}over`,
		});
		expect(hintsOf(result).at(-1)).toContain(
			'Ignored columns: alias (Column Names fills Alias), back-half (another column fills Alias)',
		);
	});

	it('excludes parts of what it fills, and fields that set the same', async () => {
		const row = {
			url,
			utm_medium: 'no',
			Tags: { utm_source: 'a' },
			Until: '2090-01-02',
			expiration_date: 'no',
		};
		const result = await create(row, pairs(['utm', 'Tags'], ['expiration', 'Until']));
		expect(result.error).toBeUndefined();
		expect(lastForm()).toMatchObject({
			url: `${url}?utm_source=a`,
			expiration_date: '2090-01-02',
			expiration_time: '23:59',
		});
	});

	it('takes a column for a password without Map Passwords, and the others not', async () => {
		const options = pairs(['password', 'Secret']);
		const result = await create({ url, Secret: 'first', 'statistics password': true }, options);
		expect(result.error).toBeUndefined();
		expect(lastForm()).toMatchObject({ password: 'first' });
		expect(lastForm().privacy_password).toBeUndefined();
	});

	it('takes a column that an expression uses as well', async () => {
		const options = pairs(['utm_campaign', 'slug']);
		const fields = { additionalFields: { utm: { parameters: { utm_term: '={{ $json.slug }}' } } } };
		const result = await mapped('create', [{ url, slug: 'Spring' }], { options, ...fields });
		expect(result.error).toBeUndefined();
		expect(lastForm()).toMatchObject({
			url: `${url}?utm_campaign=Spring&utm_term=Spring`,
		});
	});

	it('may have expressions in its pairs, and is refused if they give no texts', async () => {
		const options = pairs(['={{ "Al" + "ias" }}', '={{ "Ku" + "rz" }}']);
		const result = await create({ url, Kurz: 'mine' }, options);
		expect(result.error).toBeUndefined();
		expect(lastForm().alias).toBe('mine');
		for (const [pair, message] of [
			[
				['alias', '={{ ["Kurz"] }}'],
				/^Column Names contains a pair that does not consist of two texts; /,
			],
			[
				['={{ { a: 1 } }}', 'Kurz'],
				/^Column Names contains a pair that does not consist of two texts; /,
			],
			[
				['={{ "title" }}', 'Kurz'],
				/^Column Names contains the field "title", which a link does not/,
			],
			[['alias', '={{ undefined }}'], /^Column Names has the field Alias without a column; /],
			[['', 'Kurz'], /^Column Names has the column "Kurz" without a field; choose its field$/],
		] as const) {
			const refused = await create({ url, Kurz: 'a' }, pairs([pair[0], pair[1]]));
			expect(messageOf(refused)).toMatch(message);
			expect(descriptionOf(refused)).toBe('Nothing was sent.');
		}
		expect(arrived()).toHaveLength(1);
	});

	it('is refused for a field or a column that it has twice', async () => {
		const fields = await create({ url, a: 1 }, pairs(['alias', 'a'], ['Alias', 'b']));
		expect(messageOf(fields)).toBe(
			'Column Names has the field Alias twice; remove one of the pairs',
		);
		const columns = await create({ url, a: 1 }, pairs(['alias', 'a'], ['utm_id', 'a']));
		expect(messageOf(columns)).toMatch(
			/^Column Names has the column "a" for more than one field; /,
		);
		expect(current().requests).toEqual([]);
	});

	it('may be empty, or have pairs that are', async () => {
		for (const options of [{ columnNames: {} }, pairs(), pairs(['', ''], ['', ' '])]) {
			await create({ url, alias: 'mine' }, options);
			expect(lastForm().alias).toBe('mine');
			current().clear();
		}
	});

	it('is refused for a field that the operation does not have', async () => {
		const id = await madeLink();
		const options = pairs(['domainId', 'Dom']);
		const result = await mapped('update', [{ id, url, Dom: 1 }], { options });
		expect(messageOf(result)).toBe(
			'Column Names maps a column to Domain, which Update does not have; remove the pair',
		);
		expect(arrived()).toEqual([]);
	});

	it.each(['Kurz', 'KURZ', 'Lang'])('is refused for a column that is ignored: %s', async (name) => {
		const result = await mapped('create', [{ url, Kurz: 'a' }], {
			inputsToIgnore: `notes, ${name}`,
			options: pairs(['alias', name === 'Lang' ? 'Lang' : 'Kurz']),
		});
		const column = name === 'Lang' ? 'Lang' : 'Kurz';
		expect(messageOf(result)).toBe(
			`The column ${column} is in Column Names and in Inputs to Ignore; remove it from one of them`,
		);
		const other = await mapped('create', [{ url, kurz: 'a', Kurz: 'b' }], {
			inputsToIgnore: 'kurz',
			options: pairs(['alias', 'Kurz']),
		});
		expect(other.error).toBeUndefined();
		expect(lastForm().alias).toBe('b');
	});

	it('goes on without a column that no item has, fills its field from no other, and says so', async () => {
		const result = await create(
			{ url, alias: 'no', Mode: 1 },
			pairs(['alias', 'Kurzname'], ['utm_id', 'Code']),
		);
		expect(result.error).toBeUndefined();
		expect(jsonOf(result)[0]?.alias).not.toBe('no');
		expect(lastForm().alias).toBeUndefined();
		expect(hintsOf(result).at(-1)).toBe(
			'Mapped columns: url. Ignored columns: alias (Column Names fills Alias), Mode. In Column Names, but in no item: Kurzname (Alias), Code (UTM ID).',
		);
	});

	it.each([
		['Kurzname', 'Kurznamen'],
		['Short name', 'Shrot Name'],
		['Aliass', 'alias'],
	])('is refused if no item has %s, and %s has no use', async (wanted, heading) => {
		const options = { ...pairs(['alias', wanted]), unknownColumns: 'ignore' };
		const result = await create({ url, [heading]: 'a' }, options);
		expect(messageOf(result)).toBe(
			`Column Names has the column "${wanted}", which no item has. Did you mean "${heading}"? Correct the pair, or rename the column.`,
		);
		expect(current().requests).toEqual([]);
	});

	it('goes on if the heading like it has a use, or is another one of a series', async () => {
		for (const [wanted, row] of [
			['Urls', { url }],
			['Ziel 1', { url, 'Ziel 2': 'a' }],
			['Ziel', { url, 'Ziel 2': 'a' }],
			['Texts', { url, Text: 'a' }],
		] as const) {
			const options = pairs(['alias', wanted]);
			const inputsToIgnore = 'Text';
			const result = await mapped('create', [row], { options, inputsToIgnore });
			expect(result.error).toBeUndefined();
			expect(hintsOf(result).at(-1)).toContain(
				`In Column Names, but in no item: ${wanted} (Alias)`,
			);
		}
	});
});
