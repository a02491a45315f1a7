import type { IDataObject } from 'n8n-workflow';
import { creations, reconciliations } from '../../support/operationNames.ts';
import { jsonOf, succeeded } from '../../support/service.ts';
import {
	chosen,
	descriptionOf,
	errorsOf,
	messageOf,
	useColumns,
	writes,
	type Write,
} from '../../support/columns.ts';

const { current, link, mapped, arrived, lastForm, madeLink } = useColumns();

const url = 'https://example.com/';
const tags = 'utm_source=mail&utm_campaign=spring%20sale';
const parameters = { utm_source: 'mail', utm_campaign: 'spring sale' };
const utm = { parameters };

/** The rules of each kind: how the form and a cell have them, and what is sent for their addresses. */
const kinds: [name: string, targetType: number, ...keys: string[]][] = [
	['country', 1, 'DE', 'FR'],
	['platform', 2, 'iOS', 'Android'],
	['language', 3, 'de', 'fr'],
	['rotation', 4],
];

const [first, second] = [`${url}a?utm_source=old&b=1#top`, `${url}b`];
const [firstTagged, secondTagged] = [
	`${url}a?utm_source=mail&b=1&utm_campaign=spring%20sale#top`,
	`${url}b?${tags}`,
];

/** The rules of a kind for two addresses, and as one text. */
function rulesOf(one?: string, other?: string) {
	const rule = (key: string | undefined, value: string) => (key ? { key, value } : { value });
	const text = (key: string | undefined, value: string) => (key ? `${key}=${value}` : value);
	return {
		rules: [rule(one, first), rule(other, second)],
		cell: `${text(one, first)}\n${text(other, second)}`,
	};
}

/** A row that names what is there already, except to Create. */
const keyOf = async (operation: Write): Promise<IDataObject> => ({
	id: await madeLink(),
	alias: operation === 'create' ? 'new' : 'made',
});

describe.each(writes)('%s', (operation) => {
	describe.each(kinds)('merges UTM parameters into %s rules', (name, targetType, ...keys) => {
		const { rules, cell } = rulesOf(...keys);
		const tagged = {
			url: `${url}?${tags}`,
			target_type: String(targetType),
			[`${name}[0][value]`]: firstTagged,
			[`${name}[1][value]`]: secondTagged,
		};

		it('as a cell', async () => {
			const expirationUrl = `${url}over`;
			const row = {
				...(await keyOf(operation)),
				url,
				expirationUrl,
				[`${name}_rules`]: cell,
				...parameters,
			};
			await succeeded(mapped(operation, [row]));
			expect(lastForm()).toMatchObject({ ...tagged, expiration_url: expirationUrl });
		});

		it('in the form', async () => {
			const row = await keyOf(operation);
			const collection = operation === 'update' ? 'updateFields' : 'additionalFields';
			await mapped(operation, [row], {
				mappingColumnMode: 'defineBelow',
				linkId: chosen(Number(row.id)),
				domainId: chosen(1),
				alias: 'made',
				url,
				[collection]: {
					...(operation === 'update' ? { url } : {}),
					[name]: { rules: rules as IDataObject[] },
					utm,
				},
			} as never);
			expect(lastForm()).toMatchObject(tagged);
		});
	});

	it('leaves mail addresses and those of apps as they are', async () => {
		const mail = 'mailto:me@example.com?subject=x';
		const app = 'myapp://open?x=1';
		const rules = { 'Country Rules': `DE=${app}\nFR=HTTPS://Example.com` };
		// The reference service takes no mail address, but it gets it as it is.
		await mapped(operation, [{ ...(await keyOf(operation)), url: mail, ...rules, ...parameters }]);
		expect(lastForm()).toMatchObject({
			url: mail,
			'country[0][value]': app,
			'country[1][value]': `HTTPS://Example.com?${tags}`,
		});
	});
});

it.each(reconciliations)('a second %s finds nothing to change', async (operation) => {
	const row = { alias: 'new', url, 'Country Rules': `DE=${first}\nFR=${second}` };
	const result = await mapped(operation, [{ ...row, ...parameters }]);
	expect(jsonOf(result)).toMatchObject([{ outcome: 'created' }]);
	const tidied = {
		alias: 'new',
		'Destination URL': 'HTTPS://EXAMPLE.com',
		'Country Rules': JSON.stringify({ FR: second, germany: first }),
		'UTM Campaign': 'spring sale',
		utmSource: 'mail',
	};
	const again = await succeeded(mapped(operation, [tidied]));
	expect(jsonOf(again)).toMatchObject([{ outcome: 'unchanged' }]);
	const changed = await mapped(operation, [{ ...tidied, utmSource: 'post' }]);
	expect(jsonOf(changed)).toMatchObject([{ outcome: 'updated' }]);
	expect(arrived()).toHaveLength(2);
	expect(arrived().at(-1)).toContain(`country[0][value]=${url}b?utm_source=post`);
});

it.each(writes)('%s refuses UTM parameters without a URL', async (operation) => {
	const { id, ...key } = await keyOf(operation);
	current().clear();
	const row = operation === 'update' ? { id } : { ...key, url: '' };
	const result = await mapped(operation, [{ ...row, disabled: true, ...parameters }]);
	expect(messageOf(result)).toContain('UTM Parameters need Destination URL; set it as well');
	expect(descriptionOf(result)).toMatch(/^Nothing was sent/);
	expect(current().requests).toEqual([]);
});

it('Update adds them to the rules of a row without Destination URL', async () => {
	const id = await madeLink();
	await succeeded(mapped('update', [{ id, 'Country Rules': `AT=${second}`, ...parameters }]));
	expect(lastForm()).toEqual({
		target_type: '1',
		'country[0][key]': 'AT',
		'country[0][value]': secondTagged,
	});
});

it('a row of an update that cannot be read fails alone', async () => {
	const [one, other] = [await madeLink('one'), await madeLink('other')];
	const rows = [
		{ id: one, url, utm_source: { a: 1 } },
		{ id: one, url, utm_source: 'undefined' },
		{ id: other, url, utm_source: 'mail' },
	];
	const result = await mapped('update', rows as never, {}, { onError: 'continueRegularOutput' });
	expect(errorsOf(result)).toEqual([
		'Item 1: UTM Parameters contain {"a":1} as utm_source, which is not text; enter a single value, or add the column utm_source to Inputs to Ignore',
		'Item 2: UTM Parameters contain "undefined" as utm_source, which is not text; enter a single value, or add the column utm_source to Inputs to Ignore',
		null,
	]);
	expect(arrived()).toEqual([`PUT /links/${other} url=${url}?utm_source=mail`]);
});

describe('a cell of a UTM parameter', () => {
	it.each([
		['\u00a0news\u00a0', 'news'],
		['news\n', 'news'],
		['  pad ', 'pad'],
		['two words\r\n', 'two words'],
	])('%j is trimmed', async (cell, value) => {
		await succeeded(mapped('create', [{ url, utm_source: cell }]));
		expect(lastForm().url).toBe(`${url}?utm_source=${encodeURIComponent(value)}`);
	});

	it('is trimmed in the form as well', async () => {
		const parameters = { utm_source: '\u00a0news\n', utm_medium: '\ufeff' };
		const additionalFields = { utm: { parameters } };
		await link('create', { parameters: { url, domainId: chosen(1), additionalFields } });
		expect(lastForm().url).toBe(`${url}?utm_source=news`);
	});

	it.each(['\u200b', '\u00a0\ufeff '])(
		'%j is empty, and keeps the value of the form',
		async (cell) => {
			const additionalFields = { utm: { parameters: { utm_source: 'form' } } };
			await mapped('create', [{ url, utm_source: cell }], { additionalFields });
			expect(lastForm().url).toBe(`${url}?utm_source=form`);
		},
	);

	it.each<[source: unknown, what: string]>([
		['one\ntwo', 'contains a line break; enter it on one line'],
		['a\u200bb', 'contains an invisible character; delete it, or type the text again'],
		['#REF!', 'is a formula error; correct it in the sheet'],
		['\ud83d', 'contains an incomplete character, such as a cut emoji; enter the whole text'],
		[
			2 ** 60,
			'is a number above 9007199254740991, which n8n has rounded; enter it as text instead',
		],
	])('is refused: %j', async (source, what) => {
		const result = await mapped('create', [{ url, utm_source: source }]);
		expect(messageOf(result)).toContain(`as utm_source, which ${what}`);
		expect(arrived()).toEqual([]);
	});
});

it.each(creations)('%s reports an invalid Destination URL alone', async (operation) => {
	const row = { alias: 'new', url: 'example.com', utm_source: 'mail' };
	expect(messageOf(await mapped(operation, [row]))).toMatch(
		/: Destination URL "example\.com" must start with https:\/\/ \(column url\)$/,
	);
});
