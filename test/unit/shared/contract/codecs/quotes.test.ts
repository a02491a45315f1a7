import { isUnclosed, opening } from '../../../../../nodes/shared/contract/codecs/quotes';

it.each<[text: string, opens: boolean]>([
	['"a', true],
	[" 'a", true],
	['„a', true],
	['(a)', true],
	['<a>', true],
	['a"', false],
	['a(b)', false],
	['', false],
])('%j starts with a quotation mark or a bracket: %j', (text, opens) => {
	expect(opening.test(text)).toBe(opens);
});

it.each<[address: string, torn: boolean]>([
	['https://example.com/a"', true],
	['https://example.com/"a"', false],
	["https://example.com/a'", true],
	['https://example.com/a”', true],
	['https://example.com/a)', true],
	['https://example.com/(a)', false],
	['https://example.com/((a)', false],
	['https://example.com/(a))', true],
	['https://example.com/[a]', false],
	['https://example.com/a]', true],
	['https://example.com/a}', true],
	['https://example.com/a>', true],
	['https://example.com/a(', false],
	['https://example.com/a"b', false],
	['', false],
])('%j ends with an unmatched mark: %j', (address, torn) => {
	expect(isUnclosed(address)).toBe(torn);
});
