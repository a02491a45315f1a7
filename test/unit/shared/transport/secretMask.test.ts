import { SecretMask, SecretSet } from '../../../../nodes/shared/transport/secretMask';

const secret = 'hunter2/Größe+x';

const mask = new SecretMask([secret], '[hidden]');

const base64 = (text: string) => Buffer.from(text).toString('base64');

it.each<[what: string, text: string, masked: string]>([
	['as it is', `a ${secret} b`, 'a [hidden] b'],
	['twice', `${secret}${secret}`, '[hidden][hidden]'],
	['with a space for the plus', 'a hunter2/Größe x b', 'a [hidden] b'],
	['in a URL', `?p=${encodeURIComponent(secret)}&q`, '?p=[hidden]&q'],
	['in a URL in lower case', '?p=hunter2%2fGr%c3%b6%c3%9fe%2bx', '?p=[hidden]'],
	['in JSON', JSON.stringify({ p: secret }), '{"p":"[hidden]"}'],
	['in JSON with escaped slashes', '{"p":"hunter2\\/Gr\\u00f6\\u00dfe+x"}', '{"p":"[hidden]"}'],
	['in HTML', '<p>hunter2/Gr&#246;&#xdf;e&#43;x</p>', '<p>[hidden]</p>'],
	['in hexadecimal', `x${Buffer.from(secret).toString('hex')}y`, 'x[hidden]y'],
	['in upper hexadecimal', Buffer.from(secret).toString('hex').toUpperCase(), '[hidden]'],
	['in a URL in JSON', JSON.stringify(encodeURIComponent(secret)), '"[hidden]"'],
])('hides a secret %s', (_what, text, masked) => {
	expect(mask.text(text)).toBe(masked);
	expect(mask.isIn(text)).toBe(true);
});

it.each([0, 1, 2, 3])('hides a secret in Base64 after %d characters', (before) => {
	const text = base64(`${'k'.repeat(before)}${secret}:more`);
	expect(mask.text(text)).toContain('[hidden]');
	expect(mask.text(text.replaceAll('+', '-').replaceAll('/', '_'))).toContain('[hidden]');
});

it.each(['', 'hunter2', 'hunter2/Größe', 'HUNTER2/GRÖSSE+X', 'another text of some length'])(
	'leaves %j as it is',
	(text) => {
		expect(mask.text(text)).toBe(text);
		expect(mask.isIn(text)).toBe(false);
	},
);

it('hides secrets that overlap as one', () => {
	const both = new SecretMask(['abcdefgh', 'efghijkl'], '*');
	expect(both.text('xabcdefghijkly')).toBe('x*y');
	expect(new SecretMask(['abcdefgh', 'abcdefghij'], '*').text('abcdefghijk')).toBe('*k');
	expect(new SecretMask(['abcdefgh', 'ijklmnop'], '*').text('abcdefghijklmnop')).toBe('**');
});

it('hides a secret with spaces around it', () => {
	expect(new SecretMask(['  abcdefgh '], '*').text('xabcdefghx')).toBe('x*x');
});

describe('a short secret', () => {
	const short = new SecretMask(['abc'], '*');

	it.each([
		['xabcx', true],
		['x%61bcx', true],
		['"\\u0061bc"', true],
		[JSON.stringify(JSON.stringify('%61bc')), true],
		['ABC', false],
		['ab', false],
	])('is noticed in %j: %p', (text, isThere) => {
		expect(short.hasShort(text)).toBe(isThere);
		expect(short.isIn(text)).toBe(isThere);
	});

	it('is left in a text', () => {
		expect(short.text('a long text with abc in it')).toBe('a long text with abc in it');
	});

	it('is none of 8 characters, and none that is empty', () => {
		expect(new SecretMask(['abcdefgh'], '*').hasShort('abcdefgh')).toBe(false);
		expect(new SecretMask(['abcdefg'], '*').hasShort('abcdefg')).toBe(true);
		expect(new SecretMask([' '], '*').hasShort('a b')).toBe(false);
		expect(new SecretMask([], '*').hasShort('abc')).toBe(false);
	});
});

describe('the secrets of other rows', () => {
	it('are hidden as well', () => {
		const others = new SecretSet();
		const both = new SecretMask(['abcdefgh'], '*', others);
		expect(both.text('other-secret')).toBe('other-secret');
		others.add('other-secret');
		others.add('other-secret-2');
		expect(both.text('an other-secret and abcdefgh')).toBe('an * and *');
		expect(both.text('an other-secret-2')).toBe('an *');
		expect(both.text('an other%2dsecret')).toBe('an *');
	});

	it('are found in their places', () => {
		const set = new SecretSet();
		expect(set.rangesIn('abcdefgh')).toEqual([]);
		set.add('abcdefgh');
		set.add('abcdefghij');
		set.add('short');
		set.add('with+a+plus');
		expect(set.rangesIn('abcdefgh')).toEqual([[0, 8]]);
		expect(set.rangesIn('xabcdefgh')).toEqual([[1, 9]]);
		expect(set.rangesIn('abcdefghij')).toEqual([
			[0, 8],
			[0, 10],
		]);
		expect(set.rangesIn('abcdefg')).toEqual([]);
		expect(set.rangesIn('short short')).toEqual([]);
		expect(set.rangesIn('with a plus')).toEqual([[0, 11]]);
	});
});

describe('a body', () => {
	it('of JSON remains JSON', () => {
		const body = JSON.stringify({ [secret]: secret, n: 5, b: true, list: [`a ${secret}`] });
		expect(JSON.parse(mask.body(body))).toEqual({
			'[hidden]': '[hidden]',
			...{ n: 5, b: true, list: ['a [hidden]'] },
		});
	});

	it('of JSON that has no secret stays the same, however long', () => {
		const body = `{ "a" : "${'x'.repeat(200_000)}" }`;
		expect(mask.body(body)).toBe(body);
	});

	it('hides a secret as a number', () => {
		const digits = new SecretMask(['1234567890'], '*');
		expect(digits.body('{"n":1234567890,"m":12345678901}')).toBe('{"n":"*","m":12345678901}');
		expect(digits.body('{"n":"x 1234567890"}')).toBe('{"n":"x *"}');
	});

	it('that is no JSON is cut', () => {
		const long = 'x'.repeat(20_000);
		expect(mask.body(long)).toHaveLength(10_000);
		expect(mask.body(`{${secret}${long}`)).toHaveLength(10_000 - secret.length + '[hidden]'.length);
		expect(mask.body(`<p>${secret}</p>`)).toBe('<p>[hidden]</p>');
	});

	it('may begin with a byte order mark', () => {
		expect(mask.body(`\uFEFF ["${secret}"]`)).toBe('\uFEFF ["[hidden]"]');
	});
});
