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
])('knows whether %j opens with a quotation mark or a bracket', (text, opens) => {
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
])('knows whether %j ends in a mark that nothing opens', (address, torn) => {
	expect(isUnclosed(address)).toBe(torn);
});
