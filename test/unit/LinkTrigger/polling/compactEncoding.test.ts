import {
	decodeNumbers,
	encodeNumbers,
} from '../../../../nodes/LinkTrigger/polling/compactEncoding';

it.each<[numbers: number[], text: string]>([
	[[], ''],
	[[0], 'A'],
	[[31], 'f'],
	[[32], 'gB'],
	[[1023], '_f'],
	[[1024], 'ggB'],
	[[0, 1, 31, 32, 33], 'ABfgBhB'],
	[[Number.MAX_SAFE_INTEGER], '__________H'],
])('encodes %j as %j and decodes it again', (numbers, text) => {
	expect(encodeNumbers(numbers)).toBe(text);
	expect(decodeNumbers(text)).toEqual(numbers);
});

it.each<[text: unknown, message: string]>([
	[undefined, 'Not an encoded text'],
	[5, 'Not an encoded text'],
	['A!', 'Not an encoded text'],
	['AÄ', 'Not an encoded text'],
	['__________g', 'An encoded text ends too early'],
	['__________I', 'Not an encoded text'],
	['g', 'An encoded text ends too early'],
	['Ag', 'An encoded text ends too early'],
])('does not decode %j', (text, message) => {
	expect(() => decodeNumbers(text)).toThrow(new SyntaxError(message));
});
