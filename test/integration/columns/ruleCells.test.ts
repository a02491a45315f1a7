import { targeting } from '../../../nodes/Link/fields/targeting';
import { messageOf, useColumns } from '../../support/columns.ts';

const { mapped, arrived, lastForm, madeLink, madePixel } = useColumns();

const url = 'https://example.com/';

/** Cells that look filled and hold no rule. */
const emptyRuleCells = [
	...[', ', ';', ' , ', ',;\r\n;', '\n'],
	...['[{}]', '[{"key":"","value":""}]', '{"":""}', '[""]', '[null]', '{"rules": [{"value": ""}]}'],
];

const kinds = ['country', 'language', 'platform', 'rotation'];

describe('a cell without a rule', () => {
	it.each(emptyRuleCells)('%j is skipped like an empty one', async (cell) => {
		for (const kind of kinds) {
			const result = await mapped('create', [{ url, [`${kind}_rules`]: cell, alias: `a-${kind}` }]);
			expect(messageOf(result)).toBe('undefined');
			expect(lastForm()).toEqual({ url, domain_id: '1', alias: `a-${kind}` });
		}
	});

	it.each(emptyRuleCells)('%j clears like an empty one', async (cell) => {
		const id = await madeLink('made', { country: { rules: [{ key: 'DE', value: `${url}de` }] } });
		const row = { id, alias: 'made', 'Country Rules': cell };
		const clear = { emptyValues: 'clear' } as never;
		expect(messageOf(await mapped('update', [row], { options: clear }))).toBe('undefined');
		expect(lastForm()).toEqual({
			alias: 'made',
			'country[0][key]': '',
			'country[0][value]': '',
		});
	});

	it.each(['{"US":""}', '[{"US":""}]', '["key"]', '[', '{"key":"US","value":""}'])(
		'%j is none: it is half filled, and refused',
		async (country) => {
			const result = await mapped('create', [{ url, 'Country Rules': country }]);
			expect(messageOf(result)).toContain('Item 1: Country Rules');
			expect(arrived()).toEqual([]);
		},
	);

	it('is refused by the codec of a field, and accepted in a response', () => {
		for (const field of targeting.filter(({ type }) => type === 'fixedCollection')) {
			expect(field.wire.codec([{}], field)).toHaveProperty('reasons');
			expect(field.wire.codec([], field, { isAnswer: true })).toEqual([]);
		}
	});
});

it.each([', ', ';', '\n,', '[""]', '[null]'])('pixels %j are empty', async (pixels) => {
	const id = await madeLink('made', { pixelIds: [await madePixel('one')] });
	const row = { id, alias: 'made', pixels };
	const skipped = await mapped('update', [row]);
	expect(messageOf(skipped)).toBe('undefined');
	expect(lastForm()).toEqual({ alias: 'made' });
	const clear = { emptyValues: 'clear' } as never;
	await mapped('update', [row], { options: clear });
	expect(lastForm()).toEqual({ alias: 'made', 'pixel_ids[]': '' });
});

describe('a quoted cell', () => {
	const two = `US=${url}us\nDE=${url}de`;
	it.each([`"${two}"`, `“${two}”`, `'${two}'`, `(${two})`, `${two}"`, `US="${url}us"`])(
		'%j is refused',
		async (country) => {
			const result = await mapped('create', [{ url, 'Country Rules': country }]);
			expect(messageOf(result)).toMatch(/^Item 1: Country Rules /);
			expect(arrived()).toEqual([]);
		},
	);

	it('is not an address with brackets of its own', async () => {
		await mapped('create', [{ url, 'Country Rules': `US=${url}a_(b)` }]);
		expect(lastForm()['country[0][value]']).toBe(`${url}a_(b)`);
	});
});

it('a target type that is not allowed is reported, and contradicts nothing', async () => {
	const row = { url, 'Country Rules': `US=${url}us`, targetType: 'Country' };
	const message = messageOf(await mapped('create', [row]));
	expect(message).toContain('Target Type "Country" is not one of the allowed values');
	expect(message).not.toContain('contradicts');
});
