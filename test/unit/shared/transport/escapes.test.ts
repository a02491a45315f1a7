import { decodings, maxDepth, someDecoding } from '../../../../nodes/shared/transport/escapes';

const textsOf = (text: string) => decodings({ text }).map((decoded) => decoded.text);

it.each<[text: string, decoded: string]>([
	['\\u0041b', 'Ab'],
	['\\u00E4', 'ä'],
	['\\/\\"\\\\', '/"\\'],
	['\\b\\f\\n\\r\\t', '\b\f\n\r\t'],
	['%41b', 'Ab'],
	['%C3%A4', 'ä'],
	['%e2%82%ac', '€'],
	['%F0%9F%98%80', '😀'],
	['%E4', 'ä'],
	['&#43;', '+'],
	['&#x2B;', '+'],
	['&amp;&lt;&gt;&quot;&apos;', `&<>"'`],
	['&AMP;', '&'],
	['&#9999999;x', 'x'],
	['&#x10FFFF;', '\u{10ffff}'],
])('undoes the escapes of %j', (text, decoded) => {
	expect(textsOf(text)).toContain(decoded);
	expect(someDecoding(text, 1, (one) => one === decoded)).toBe(true);
	expect(someDecoding(text, 0, (one) => one === decoded)).toBe(false);
});

it.each(['plain', '%4', '%zz', '&unknown;', '100 %', 'a & b', ''])('leaves %j as it is', (text) => {
	expect(textsOf(text)).toEqual([text]);
});

it('undoes escapes twice, in each order', () => {
	expect(maxDepth).toBe(2);
	expect(textsOf('%2541')).toContain('A');
	expect(textsOf('\\u002541')).toContain('A');
	expect(textsOf('&#37;41')).toContain('A');
	expect(textsOf('%252541')).not.toContain('A');
	expect(someDecoding('%252541', 3, (one) => one === 'A')).toBe(true);
	expect(someDecoding('%252541', 2, (one) => one === 'A')).toBe(false);
});

it('knows the place of each character in the original', () => {
	const [, decoded] = decodings({ text: 'a%41b%C3%A4' });
	expect(decoded).toEqual({ text: 'aAbä', starts: [0, 1, 4, 5, 11] });
	const inner = decodings({ text: 'x%2541y' }).find(({ text }) => text === 'xAy');
	expect(inner?.starts).toEqual([0, 1, 6, 7]);
	const pair = decodings({ text: '%F0%9F%98%80z' })[1];
	expect(pair?.starts).toEqual([0, 0, 12, 13]);
});
