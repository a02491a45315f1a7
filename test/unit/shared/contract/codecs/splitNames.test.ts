import { splitNames } from '../../../../../nodes/shared/contract/codecs/splitNames';
import { Invalid } from '../../../../../nodes/shared/contract/types';
import { namesLike } from '../../../../support/codecs.ts';

function split(text: string, listed: readonly string[], mostParts = 3) {
	const ids = Object.fromEntries(listed.map((name) => [name, '1']));
	const names = splitNames(text, namesLike(ids, mostParts));
	return names instanceof Invalid ? names.reasons : names;
}

it.each<[text: string, names: string[]]>([
	['a', ['a']],
	['a, b;c\nd\r\ne\u2028f', ['a', 'b', 'c', 'd', 'e', 'f']],
	[' a ,, b, ', ['a', 'b']],
	['', []],
	[' ;\n', []],
])('splits %j at each separator', (text, names) => {
	expect(split(text, [])).toEqual(names);
});

it.each<[text: string, listed: string[], names: string[]]>([
	['a, b', ['a, b'], ['a, b']],
	['a; b', ['a; b'], ['a; b']],
	['a, b; c', ['a, b'], ['a, b', 'c']],
	['a, b\nc; d', ['a, b', 'c; d'], ['a, b', 'c; d']],
])('keeps a name between stronger separators whole: %j', (text, listed, names) => {
	expect(split(text, listed)).toEqual(names);
});

it.each<[text: string, listed: string[], name: string]>([
	['a, b, c', ['a, b'], 'a, b'],
	['x, a, b', ['a, b'], 'a, b'],
	['a; b, c', ['a; b'], 'a; b'],
	['a, b, c, d', ['b, c, d'], 'b, c, d'],
])('refuses entries that are also a name together: %j', (text, listed, name) => {
	expect(split(text, listed)).toEqual([
		`"${name}" may be one name or several names; enter the list as JSON, such as ${JSON.stringify([name])}`,
	]);
});

it('looks only for names with as many parts as the list has', () => {
	expect(split('a, b, c', ['a, b'], 1)).toEqual(['a', 'b', 'c']);
	expect(split('a, b, c, d', ['b, c, d'], 2)).toEqual(['a', 'b', 'c', 'd']);
});
