import { SecretMask } from '../../../../nodes/shared/transport/secretMask';

const secret = 'hunter2/Größe +x';

const mask = new SecretMask([secret], '[hidden]');

it.each<[what: string, text: string, masked: string]>([
	['as it is', `a ${secret} b`, 'a [hidden] b'],
	['twice', `${secret}${secret}`, '[hidden][hidden]'],
	['in a URL', `?p=${encodeURIComponent(secret)}&q`, '?p=[hidden]&q'],
	['in a URL in lower case', '?p=hunter2%2fGr%c3%b6%c3%9fe%20%2bx', '?p=[hidden]'],
	['in a form', `p=${new URLSearchParams({ secret }).toString().slice(7)}`, 'p=[hidden]'],
	['in JSON', JSON.stringify({ p: secret }), '{"p":"[hidden]"}'],
	['in JSON of PHP', '{"p":"hunter2\\/Gr\\u00f6\\u00dfe +x"}', '{"p":"[hidden]"}'],
	['in HTML', '<p>hunter2/Gr&#246;&#xdf;e &#43;x</p>', '<p>[hidden]</p>'],
])('hides a secret %s', (_what, text, masked) => {
	expect(mask.text(text)).toBe(masked);
});

it('hides a secret that is escaped by its names in HTML', () => {
	const marks = new SecretMask([`a<b>c&d"e'f`], '*');
	expect(marks.text('x a&lt;b&gt;c&amp;d&quot;e&#039;f')).toBe('x *');
	expect(marks.text('x a&lt;b&gt;c&AMP;d&quot;e&apos;f')).toBe('x *');
});

it.each([
	...['', 'hunter2', 'hunter2/Größe', 'HUNTER2/GRÖSSE +X', 'another text of some length'],
	...['%C3%A4 &lt; \\n', '&#9999999; \\u12 %E4%'],
])('leaves %j as it is', (text) => {
	expect(mask.text(text)).toBe(text);
});

it('hides each of several secrets, also if one contains another', () => {
	expect(new SecretMask(['abcdefgh', 'abcdefghij'], '*').text('abcdefghijk')).toBe('*k');
	expect(new SecretMask(['abcdefgh', 'ijklmnop'], '*').text('abcdefghijklmnop')).toBe('**');
});

it('hides a secret without the blanks around it', () => {
	expect(new SecretMask(['  abcdefgh '], '*').text('xabcdefghx')).toBe('x*x');
});

it('leaves a short secret', () => {
	const text = 'a long text with abcdefg in it';
	expect(new SecretMask(['abcdefg'], '*').text(text)).toBe(text);
	expect(new SecretMask([], '*').text(text)).toBe(text);
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
