import fc from 'fast-check';
import '../../../support/randomTests.ts';
import { utm, withQuery } from '../../../../nodes/Link/fields/utm';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { rewriteOf, tooLongIn } from '../../../../nodes/shared/contract/rewrite';
import { Invalid } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const own = { utmInUrlOnly: '1' };

const rewriteFor = (parameters: object, options = encodeOptions) =>
	rewriteOf(linkContract, utm, { parameters }, options);

/** An address with parameters merged into it, or what is wrong with them. */
function merged(url: string, parameters: object): string | undefined {
	const read = utm.derive.read({ parameters }, utm, {}, encodeOptions);
	return read instanceof Invalid ? read.reasons.join() : rewriteFor(parameters)?.text(url);
}

it.each([
	['https://e.com', 'https://e.com?utm_source=mail'],
	['https://e.com/', 'https://e.com/?utm_source=mail'],
	['https://e.com/?', 'https://e.com/?utm_source=mail'],
	['https://e.com/a?b=1', 'https://e.com/a?b=1&utm_source=mail'],
	['https://e.com/a?b=1#part?x', 'https://e.com/a?b=1&utm_source=mail#part?x'],
	['https://e.com/#/route?x=1', 'https://e.com/?utm_source=mail#/route?x=1'],
	['https://e.com/?utm_source=old&b=1', 'https://e.com/?utm_source=mail&b=1'],
	['https://e.com/?utm%5Fsource=old&b=1', 'https://e.com/?utm_source=mail&b=1'],
	['https://e.com/?utm_source=a&utm_source=b&c', 'https://e.com/?utm_source=mail&c'],
	[
		'https://e.com/?q=a+b%20c&q=%E4&x[]=1&empty=&flag',
		'https://e.com/?q=a+b%20c&q=%E4&x[]=1&empty=&flag&utm_source=mail',
	],
])('%s becomes %s', (url, expected) => {
	expect(merged(url, { utm_source: 'mail' })).toBe(expected);
});

it('adds the parameters in their usual order, whatever the order of the form, and leaves out empty ones', () => {
	const parameters = {
		utm_term: 'a b',
		utm_campaign: 'spring & sale',
		utm_content: '',
		utm_medium: null,
		utm_source: 'größe',
		utm_id: 'abc.123',
	};
	expect(merged('https://e.com/', parameters)).toBe(
		'https://e.com/?utm_source=gr%C3%B6%C3%9Fe&utm_campaign=spring%20%26%20sale&utm_term=a%20b&utm_id=abc.123',
	);
});

it('are merged into web addresses only', () => {
	const others = ['mailto:a@e.com?subject=x', 'myapp://e.com/', 'ftp://e.com/', 'DE', 'e.com', ''];
	for (const other of others) expect(merged(other, { utm_source: 'x' })).toBe(other);
	expect(merged('HTTP://E.com', { utm_source: 'x' })).toBe('HTTP://E.com?utm_source=x');
});

it('concern Destination URL and the rules, or Destination URL alone', () => {
	const names = (options = encodeOptions) =>
		rewriteFor({ utm_source: 'x' }, options)?.fields.map(({ name }) => name);
	expect(names()?.[0]).toBe('url');
	expect(names()?.sort()).toEqual(['country', 'language', 'platform', 'rotation', 'url']);
	expect(names({ ...encodeOptions, resourceOptions: own })).toEqual(['url']);
	expect(names({ ...encodeOptions, resourceOptions: { utmInUrlOnly: '0' } })).toHaveLength(5);
});

it('are none if all are empty', () => {
	expect(rewriteFor({ utm_source: ' ', utm_medium: null })).toBeUndefined();
	expect(rewriteFor({})).toBeUndefined();
});

it('make an address too long by its characters, not by its code units', () => {
	const [field] = linkContract.fields;
	const rewrite = rewriteFor({ utm_source: 'x' });
	if (!field || !rewrite) throw new Error('there are no UTM parameters');
	const reasons = (path: string) => {
		const before = { field, values: [['', `https://e.com/${path}`] as const] };
		const after = { field, values: [['', rewrite.text(`https://e.com/${path}`)] as const] };
		return tooLongIn(rewrite, before, after);
	};
	// 14 characters before the path, and 13 of the parameter.
	expect(reasons('😀'.repeat(2021))).toEqual([]);
	expect(reasons('😀'.repeat(2022))).toEqual([
		expect.stringMatching(/^"https:.*…" has 2,049 characters with UTM Parameters, /),
	]);
	expect(reasons('x'.repeat(2034))).toHaveLength(1);
	expect(reasons('x'.repeat(2035))).toEqual([]);
});

it('refuses values other than texts', () => {
	expect(merged('https://e.com', { utm_medium: 'x', utm_source: { a: 1 } })).toBe(
		'contain {"a":1} as utm_source; enter one text',
	);
	// Half a character, as in a text that was cut off in the middle of an emoji.
	expect(merged('https://e.com', { utm_source: 'x\ud83d' })).toMatch(
		/ as utm_source, which contains an incomplete character/,
	);
	expect(utm.derive.read('mail', utm, {}, encodeOptions)).toEqual(
		new Invalid(['"mail" is not a set of parameters; enter a text for each parameter']),
	);
});

it('refuses a parameter that is none, and never drops it', () => {
	expect(merged('https://e.com', { utm_source: 'x', medium: 'y' })).toBe(
		'contain "medium", which is not a UTM parameter; use utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id',
	);
});

it('changes no other pair, and the fragment not at all', () => {
	const pair = fc.stringMatching(/^[a-z%+=[\]-]{0,8}$/);
	fc.assert(
		fc.property(fc.array(pair), fc.option(fc.stringMatching(/^[a-z?&=]*$/)), (pairs, fragment) => {
			const query = pairs.length > 0 ? `?${pairs.join('&')}` : '';
			const end = fragment === null ? '' : `#${fragment}`;
			const address = `https://e.com/p${query}${end}`;
			const result = withQuery(address, new Map([['utm_source', 'new']]));
			const before = query.length > 1 ? `${query}&` : '?';
			expect(result).toBe(`https://e.com/p${before}utm_source=new${end}`);
			// A second time changes nothing.
			expect(withQuery(result, new Map([['utm_source', 'new']]))).toBe(result);
			expect(withQuery(address, new Map())).toBe(address);
		}),
	);
});
