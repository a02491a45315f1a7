import { hasInvisible, showInvisible, trimInvisible } from '../../../../nodes/shared/contract/text';

it.each([
	['a\u200bb', true, 'a\\u200bb'],
	['a\u00adb', true, 'a\\u00adb'],
	['a\u200db', true, 'a\\u200db'],
	['👩\u200d💻', false, '👩\u200d💻'],
	['plain text', false, 'plain text'],
])('shows the invisible characters of %j', (text, isThere, shown) => {
	expect(hasInvisible(text)).toBe(isThere);
	expect(showInvisible(text)).toBe(shown);
});

it.each([
	[' \u200ba b\ufeff\n', 'a b'],
	['\u200c\u200d', ''],
	['a\u200bb', 'a\u200bb'],
	['', ''],
])('trims %j', (text, trimmed) => {
	expect(trimInvisible(text)).toBe(trimmed);
});
