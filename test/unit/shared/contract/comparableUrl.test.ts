import { comparableUrl } from '../../../../nodes/shared/contract/codecs/url';

it.each([
	['HTTPS://Example.COM/Path', 'https://example.com/Path'],
	['http://example.com:80/a', 'http://example.com/a'],
	['https://bücher.example/ä', 'https://xn--bcher-kva.example/%C3%A4'],
	['https://example.com/%7euser', 'https://example.com/~user'],
	['https://example.com/a b', 'https://example.com/a%20b'],
	['https://example.com/a%b', 'https://example.com/a%25b'],
	['https://example.com/?q=a+b', 'https://example.com/?q=a%20b'],
	['https://example.com/?u=https://x', 'https://example.com/?u=https%3a%2F%2Fx'],
	['https://example.com/#ü', 'https://example.com/#%C3%BC'],
])('the addresses %s and %s are equal after normalization', (first, second) => {
	expect(comparableUrl(first)).toBe(comparableUrl(second));
});

it.each([
	['https://example.com/a', 'https://example.com/a/'],
	['https://example.com/a+b', 'https://example.com/a%20b'],
	['https://example.com/a/b', 'https://example.com/a%2Fb'],
	['https://example.com/?a=1&b=2', 'https://example.com/?a=1%26b=2'],
	['https://example.com/?a=1+1', 'https://example.com/?a=1%2B1'],
	['https://example.com/#/s?q=a&b', 'https://example.com/#/s?q=a%26b'],
	['mailto:a@example.com?subject=a+b', 'mailto:a@example.com?subject=a%20b'],
	['https://example.com/%2541', 'https://example.com/%41'],
	['https://example.com:8443/', 'https://example.com/'],
	['https://ann@example.com/', 'https://example.com/'],
	['https://ann@example.com/', 'https://bob@example.com/'],
	['https://example.com/%E4', 'https://example.com/%C3%A4'],
])('the addresses %s and %s differ after normalization', (first, second) => {
	expect(comparableUrl(first)).not.toBe(comparableUrl(second));
});

it.each(['example.com/a', '', 'nothing', '%'])('returns %j unchanged', (text) => {
	expect(comparableUrl(text)).toBe(text);
});

it('takes time in proportion to the length', () => {
	for (const part of ['/', '%41', '%', '&a=', '+', 'a', '%E4']) {
		const long = `https://example.com/?${part.repeat(100_000)}`;
		expect(comparableUrl(long).length).toBeLessThanOrEqual(long.length * 3);
	}
});
