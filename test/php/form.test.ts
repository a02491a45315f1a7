import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import fc from 'fast-check';
import { decodeForm } from '../../testkit/service/form.ts';
import { byId, useService } from '../support/service.ts';

const { current, link } = useService();

/** Decodes a body with PHP's `parse_str`. Throws if PHP warns, because a warning means that it dropped a part. */
function decodeWithPhp(body: string): unknown {
	const script = join(__dirname, 'decode.php');
	const { status, stdout, stderr } = spawnSync('php', ['-d', 'display_errors=stderr', script], {
		input: body,
		encoding: 'utf8',
	});
	if (status !== 0 || stderr !== '') throw new Error(`PHP failed (exit ${status}): ${stderr}`);
	return JSON.parse(stdout);
}

/** Expects that PHP decodes a body as the reference service does, and returns the form. */
function decode(body: string): unknown {
	const form: unknown = JSON.parse(JSON.stringify(decodeForm(body)));
	expect(decodeWithPhp(body)).toEqual(form);
	return form;
}

const bodySent = () => current().requests.at(-1)?.body ?? '';

const url = 'https://example.com/?a=1&b[]=ü +%#;';

it('reads all fields of a link as the node means them', async () => {
	const rules = [
		{ key: 'DE', value: url },
		{ key: 'FR', value: 'https://example.com/fr' },
	];
	await link('create', {
		parameters: {
			url,
			domainId: byId(1),
			alias: 'spring',
			additionalFields: {
				country: { rules },
				disabled: true,
				expiration: '2031-05-01T12:30:00Z',
				expirationClicks: 5,
				password: 'a=b&c[0]=d "+" 100%',
				pixelIds: [1, 2],
			},
		},
	});
	expect(decode(bodySent())).toMatchObject({
		url,
		alias: 'spring',
		country: rules,
		disabled: '1',
		password: 'a=b&c[0]=d "+" 100%',
		pixel_ids: ['1', '2'],
	});
});

it('keeps the order and number of 200 rules', async () => {
	const rules = Array.from({ length: 200 }, (_, index) => ({
		value: `https://example.com/${index}`,
	}));
	const updateFields = { targetType: 4, rotation: { rules } };
	await link('update', { parameters: { linkId: byId(7), updateFields } });
	expect(decode(bodySent())).toMatchObject({ rotation: rules });
});

it.each([
	...['a=1&a=2', 'a%62=1&ab=2', 'a%5B%5D=1&a%5b%5d=2', 'a[]=', 'a[b][c]=1&a[b][d]=2'],
	...['a[0][k]=1&a[0][v]=2&a[1][k]=3', 'a[][k]=1&a[][v]=2', 'a[0]=1&a[]=2&a[0]=3', 'a[]=1&a=2'],
	...['a=1&a[]=2', 'a', 'a=x+y%2Bz%C3%A4', 'a=x?b[]=1=2', 'toString=1'],
])('reads %s', (body) => {
	expect(decode(body)).not.toEqual({});
});

it('reads any text', () => {
	const texts = fc.array(fc.string({ unit: 'binary' }), { minLength: 20, maxLength: 20 });
	fc.assert(
		fc.property(texts, (values) => {
			const form = Object.fromEntries(values.map((value, index) => [`field_${index}`, value]));
			expect(decode(new URLSearchParams(form).toString())).toEqual(form);
		}),
		{ numRuns: 30 },
	);
});
