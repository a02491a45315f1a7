import { namesOfColumns } from '../../../../nodes/shared/contract/ignoredColumns';

it.each<[value: unknown, headings: string[], names: string[] | undefined]>([
	['', [], []],
	[null, [], []],
	['notes', [], ['notes']],
	[' notes , owner;a\nb\r\nc,', [], ['notes', 'owner', 'a', 'b', 'c']],
	[['notes', ' owner ', 7, ''], [], ['notes', 'owner', '7']],
	['["notes", "a, b"]', [], ['notes', 'a, b']],
	['[notes', [], ['[notes']],
	// A heading that has blanks around it is found as it is.
	[[' owner '], [' owner '], [' owner ']],
	// A heading that has a separator in it stays whole.
	['notes, a, b, c', ['a, b'], ['notes', 'a, b', 'c']],
	['a,b', ['a', 'b', 'a,b'], ['a,b']],
	['a,b,c', ['a,b', 'a,b,c'], ['a,b,c']],
	['a, b', [' a, b ', 'a, b'], [' a, b ', 'a, b']],
	['a;b', ['a,b'], ['a', 'b']],
	[{ a: 1 }, [], undefined],
	[5, [], undefined],
	[[['a']], [], undefined],
])('reads the names in %j', (value, headings, names) => {
	expect(namesOfColumns(value, new Set(headings))).toEqual(names);
});

it.each<[separators: number, isWhole: boolean]>([
	[10, true],
	[11, false],
])('finds a heading with %i separators: %j', (separators, isWhole) => {
	const heading = Array.from({ length: separators + 1 }, (_, index) => `x${index}`).join(',');
	const names = namesOfColumns(heading, new Set([heading]));
	expect(names).toHaveLength(isWhole ? 1 : separators + 1);
});
