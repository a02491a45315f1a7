import fc from 'fast-check';
import '../../../support/randomTests.ts';
import { withQuery } from '../../../../nodes/Link/fields/utm';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { isEncoded, paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { encodeRow } from '../../../../nodes/shared/contract/encodeRow';
import { reasonText } from '../../../../nodes/shared/contract/values';
import { encodeOptions } from '../../../support/encodeOptions.ts';

/** Encodes an update with parameters. Returns what is sent, or the problems. */
function sent(parameters: unknown, fields: object) {
	const updateFields = { ...fields, utm: { parameters } };
	const run = { contract: linkContract, operation: 'update', options: encodeOptions } as const;
	const row = encodeRow(run, { linkId: '1', updateFields });
	return isEncoded(row)
		? Object.fromEntries(paramsOf(row.fields))
		: row.map((problem) => `${problem.field} ${reasonText(problem)}`);
}

/** Returns a URL with parameters, or what is wrong with them. */
function tagged(url: string, parameters: object): unknown {
	const result = sent(parameters, { url });
	return Array.isArray(result) ? result.join() : result.url;
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
	expect(tagged(url, { utm_source: 'mail' })).toBe(expected);
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
	expect(tagged('https://e.com/', parameters)).toBe(
		'https://e.com/?utm_source=gr%C3%B6%C3%9Fe&utm_campaign=spring%20%26%20sale&utm_term=a%20b&utm_id=abc.123',
	);
});

it('are added to web addresses only', () => {
	for (const other of ['mailto:a@e.com?subject=x', 'myapp://e.com/', 'ftp://e.com/']) {
		expect(tagged(other, { utm_source: 'x' })).toBe(other);
	}
	expect(tagged('HTTP://E.com', { utm_source: 'x' })).toBe('HTTP://E.com?utm_source=x');
});

it('are added to the rules, and not to Expiration Redirect URL', () => {
	const url = 'https://e.com/';
	const rules = { country: `DE=${url}`, rotation: '' };
	expect(sent({ utm_source: 'x' }, { ...rules, expirationUrl: url })).toEqual({
		target_type: '1',
		'country[0][key]': 'DE',
		'country[0][value]': `${url}?utm_source=x`,
		expiration_url: url,
	});
});

it('need a URL of the row, unless all are empty', () => {
	expect(sent({ utm_source: 'x' }, { disabled: true })).toEqual([
		'UTM Parameters need Destination URL; set it as well',
	]);
	expect(sent({ utm_source: ' ', utm_medium: null }, { disabled: true })).toEqual({
		disabled: '1',
	});
});

it('make a URL too long by its characters, not by its code units', () => {
	const reasons = (path: string) => tagged(`https://e.com/${path}`, { utm_source: 'x' });
	// 14 characters before the path, and 13 of the parameter.
	expect(reasons('😀'.repeat(2021))).toMatch(/^https:/);
	expect(reasons('😀'.repeat(2022))).toMatch(
		/^Destination URL "https:.*…" has 2,049 characters with UTM Parameters, /,
	);
	expect(reasons('x'.repeat(2034))).toMatch(/ has 2,061 characters /);
	expect(reasons('x'.repeat(2021))).toMatch(/^https:/);
});

it('refuses values other than texts', () => {
	expect(tagged('https://e.com', { utm_medium: 'x', utm_source: { a: 1 } })).toBe(
		'UTM Parameters contain {"a":1} as utm_source; enter one text',
	);
	// Half a character, as in a text that was cut off in the middle of an emoji.
	expect(tagged('https://e.com', { utm_source: 'x\ud83d' })).toMatch(
		/ as utm_source, which contains an incomplete character/,
	);
	expect(sent('mail', { url: 'https://e.com' })).toEqual([
		'UTM Parameters "mail" is not a set of parameters; enter a text for each parameter',
	]);
});

it('refuses a parameter that is none, and never drops it', () => {
	expect(tagged('https://e.com', { utm_source: 'x', medium: 'y' })).toBe(
		'UTM Parameters contain "medium", which is not a UTM parameter; use utm_source, utm_medium, utm_campaign, utm_term, utm_content, utm_id',
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
