import fc from 'fast-check';
import { decodeForm } from '../../testkit/service/form.ts';

describe('forms as PHP reads them', () => {
	test.each<[string, unknown]>([
		['a=1&a=2', { a: '2' }],
		['a%62=1&ab=2', { ab: '2' }],
		['a[5]=1&a[0]=2&a[]=3', { a: ['2', '1', '3'] }],
		['a[]=1&a[]=2', { a: ['1', '2'] }],
		['a%5B%5D=1&a%5b%5d=2', { a: ['1', '2'] }],
		['a[]=', { a: [''] }],
		['a[b][c]=1&a[b][d]=2', { a: { b: { c: '1', d: '2' } } }],
		['a[0][k]=1&a[0][v]=2&a[1][k]=3', { a: [{ k: '1', v: '2' }, { k: '3' }] }],
		['a[][k]=1&a[][v]=2', { a: [{ k: '1' }, { v: '2' }] }],
		['a[0]=1&a[]=2&a[0]=3', { a: ['3', '2'] }],
		['a[]=1&a=2', { a: '2' }],
		['a=1&a[]=2', { a: ['2'] }],
		['a.b=1', { 'a.b': '1' }],
		['a', { a: '' }],
		['a=x+y%2Bz%C3%A4', { a: 'x y+zä' }],
		['a=x?b[]=1=2', { a: 'x?b[]=1=2' }],
		['toString=1', { toString: '1' }],
		['', {}],
	])('%s', (encoded, decoded) => {
		// Through JSON, because the decoder's objects have no prototype.
		expect(JSON.parse(JSON.stringify(decodeForm(encoded)))).toEqual(decoded);
	});

	test('an array of 1000 stays an array', () => {
		const ids = Array.from({ length: 1000 }, (_, id) => String(id));
		expect(decodeForm(`${ids.map((id) => `a[]=${id}`).join('&')}&b=1`)).toEqual({ a: ids, b: '1' });
	});

	test('any text arrives as it was', () => {
		const names = fc.stringMatching(/^[a-z][a-z_]{0,8}$/);
		const texts = fc.dictionary(names, fc.string({ unit: 'binary' }));
		fc.assert(
			fc.property(texts, (form) => {
				const encoded = new URLSearchParams(form).toString();
				expect({ ...decodeForm(encoded) }).toEqual(form);
			}),
		);
	});
});
