import fc from 'fast-check';
import '../../../support/randomTests.ts';
import { destinationSearchTexts, withQuery } from '../../../../nodes/Link/fields/destination';

it.each([
	['https://e.com', 'https://e.com?utm_source=mail'],
	['https://e.com/?', 'https://e.com/?utm_source=mail'],
	['https://e.com/a?b=1#part?x', 'https://e.com/a?b=1&utm_source=mail#part?x'],
	['https://e.com/#/route?x=1', 'https://e.com/?utm_source=mail#/route?x=1'],
	['https://e.com/?utm_source=a&b=1&utm%5Fsource=c', 'https://e.com/?utm_source=mail&b=1'],
	['https://e.com/?UTM_SOURCE=a&%E4=1', 'https://e.com/?UTM_SOURCE=a&%E4=1&utm_source=mail'],
])('adds a parameter to %s, or replaces it in its place', (address, expected) => {
	expect(withQuery(address, new Map([['utm_source', 'mail']]))).toBe(expected);
});

it('changes no other pair, and the fragment not at all', () => {
	const pair = fc.stringMatching(/^[a-z%+=[\]-]{0,8}$/);
	fc.assert(
		fc.property(fc.array(pair), fc.option(fc.stringMatching(/^[a-z?&=]*$/)), (pairs, fragment) => {
			const query = pairs.length > 0 ? `?${pairs.join('&')}` : '';
			const end = fragment === null ? '' : `#${fragment}`;
			const result = withQuery(`https://e.com/p${query}${end}`, new Map([['utm_source', 'new']]));
			const before = query.length > 1 ? `${query}&` : '?';
			expect(result).toBe(`https://e.com/p${before}utm_source=new${end}`);
			expect(withQuery(result, new Map([['utm_source', 'new']]))).toBe(result);
		}),
	);
});

it.each([
	['https://example.com/a/', ['example.com/a']],
	['https://bücher.example/x', ['cher.example/x', '.example/x']],
	['https://e.com/a?b=c%20d', ['e.com/a']],
	['?', ['?']],
])('searches the list for a plain part of %s', (address, texts) => {
	expect(destinationSearchTexts(address)).toEqual(texts);
});
