import { messageOf, useColumns, type Cells } from '../../support/columns.ts';
import { jsonOf } from '../../support/service.ts';

const { mapped, mappedPixels, arrived, lastForm, madeLink } = useColumns();

const url = 'https://example.com/';

const characters = ['\u200b', '\ufeff', '\u00ad', '\u2060', '\u200d', '\u200e'];

const escapeOf = (character: string) =>
	`\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

describe.each(characters.map((one) => [escapeOf(one), one]))(
	'%s in an address',
	(escape, character) => {
		it('is dropped at both ends', async () => {
			const around = (address: string) => `${character}${address}${character}`;
			const row = {
				url: around(`${url}a`),
				expirationUrl: around(`${url}b `),
				'Country Rules': { DE: around(`${url}de`) },
			};
			expect(messageOf(await mapped('create', [row]))).toBe('undefined');
			expect(lastForm()).toMatchObject({
				url: `${url}a`,
				expiration_url: `${url}b`,
				'country[0][value]': `${url}de`,
			});
		});

		it('is dropped at the end of each rule of a cell', async () => {
			const rotation = `${url}a${character}\n${url}b${character}`;
			expect(messageOf(await mapped('create', [{ url, 'Rotation Rules': rotation }]))).toBe(
				'undefined',
			);
			expect(lastForm()).toMatchObject({
				'rotation[0][value]': `${url}a`,
				'rotation[1][value]': `${url}b`,
			});
		});

		it.each<[string, Cells]>([
			['Destination URL', { url: `${url}a${character}b` }],
			['Expiration Redirect URL', { expirationUrl: `${url}a${character}b` }],
			['Country Rules rule 1: Destination URL', { 'Country Rules': `DE=${url}a${character}b` }],
		])('is refused inside %s', async (field, cells) => {
			expect(messageOf(await mapped('create', [{ url, ...cells }]))).toContain(
				`Item 1: ${field} "${url}a${escape}b" contains an invisible character; delete it, or type the address again, or add the column `,
			);
			expect(arrived()).toEqual([]);
		});

		it.each([
			['expires', `2090-01-02${character}10:00`, `Expiration "2090-01-02${escape}10:00"`],
			['disabled', `yes${character}x`, `Disabled "yes${escape}x"`],
		])('is shown in the refusal of %s', async (column, cell, message) => {
			expect(messageOf(await mapped('create', [{ url, [column]: cell }]))).toContain(message);
		});
	},
);

it.each(['👩‍💻', '🏳️‍🌈', '👍🏽‍x', 'ශ්‍රී', 'می‌خواهم'])('the joiners of %s stay', async (text) => {
	const result = await mapped('create', [{ url: `${url}${text}` }]);
	expect(messageOf(result)).toBe('undefined');
	expect(lastForm().url).toBe(`${url}${text}`);
});

describe.each(characters.map((one) => [escapeOf(one), one]))(
	'%s in a name',
	(escape, character) => {
		const isJoiner = character === '\u200d';

		it('is dropped at the ends of an alias, a UTM text, a pixel and a Tracking ID', async () => {
			const around = (text: string) => `${character}${text}${character}`;
			const row = { url, alias: around('spring'), utm_source: around('news') };
			expect(messageOf(await mapped('create', [row]))).toBe('undefined');
			expect(lastForm()).toMatchObject({ alias: 'spring', url: `${url}?utm_source=news` });
			const pixel = { name: around('Shop'), type: 'bing', value: around('1-2') };
			expect(messageOf(await mappedPixels('create', [pixel]))).toBe('undefined');
			expect(lastForm()).toMatchObject({ name: 'Shop', value: '1-2' });
		});

		it(`is ${isJoiner ? 'kept' : 'refused'} inside an alias`, async () => {
			const result = await mapped('create', [{ url, alias: `a${character}b` }]);
			if (isJoiner) expect(lastForm().alias).toBe(`a${character}b`);
			else
				expect(messageOf(result)).toContain(`Alias "a${escape}b" contains an invisible character`);
		});
	},
);

it('a link with an invisible character in its alias is another link', async () => {
	await madeLink('spring');
	const result = await mapped('upsert', [{ url, alias: 'spring\u200b' }]);
	expect(messageOf(result)).toBe('undefined');
	expect(jsonOf(result)).toMatchObject([{ alias: 'spring', outcome: 'updated' }]);
});
