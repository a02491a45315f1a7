import type { INodeProperties } from 'n8n-workflow';
import {
	choicesOf,
	isBlank,
	isBrokenDate,
	isEmpty,
	isEmptyDeep,
	isFormulaError,
	isTextual,
	isUnset,
	listOf,
	orDefault,
	quote,
	separators,
	shorten,
	tooMany,
	unwrapLocator,
	without,
} from '../../../../nodes/shared/contract/values';

const property = (more: object = {}) =>
	({ displayName: 'X', name: 'x', type: 'string', default: 'd', ...more }) as INodeProperties;

it.each<[value: unknown, inner: unknown]>([
	[{ __rl: true, mode: 'id', value: 5 }, 5],
	[{ mode: 'id', value: 5 }, 5],
	[{ value: 5 }, { value: 5 }],
	[5, 5],
	[[1], [1]],
])('unwraps %j', (value, inner) => {
	expect(unwrapLocator(value)).toEqual(inner);
});

it.each<[value: unknown, isIt: boolean]>([
	[undefined, true],
	[null, true],
	['', true],
	[' \n', true],
	[{ __rl: true, value: '' }, true],
	[0, false],
	[false, false],
	[[], false],
	['a', false],
])('%j is unset: %j', (value, isIt) => {
	expect(isUnset(value)).toBe(isIt);
	expect(orDefault(value, property())).toEqual(isIt ? 'd' : value);
});

it.each<[value: unknown, isIt: boolean]>([
	[[], true],
	[{}, true],
	[[[], { a: '' }], true],
	['[]', true],
	['{ }', true],
	['[1]', false],
	['[}', false],
	[{ a: 0 }, false],
	[new Date(), false],
])('%j is empty at any depth: %j', (value, isIt) => {
	expect(isEmptyDeep(value)).toBe(isIt);
	expect(isBlank(value)).toBe(isIt);
});

it('treats a cell of invisible characters as blank', () => {
	expect([isBlank('\u200b '), isEmptyDeep('\u200b '), isBlank('a')]).toEqual([true, false, false]);
});

it.each<[value: unknown, more: object, isIt: boolean]>([
	[[], { type: 'multiOptions' }, true],
	[[['', null]], { type: 'multiOptions' }, true],
	[' , ;', { type: 'multiOptions' }, true],
	['[ ]', { type: 'multiOptions' }, true],
	['a,', { type: 'multiOptions' }, false],
	[[], {}, false],
	[{ rules: [{ key: '' }] }, { type: 'fixedCollection' }, true],
	[{ rules: [{ key: 'a' }] }, { type: 'fixedCollection' }, false],
	['[{"key":"","value":null}]', { typeOptions: { multipleValues: true } }, true],
	['[{"key":"DE"}]', { typeOptions: { multipleValues: true } }, false],
	['[{"key":""', { typeOptions: { multipleValues: true } }, false],
])('%j is empty for %j: %j', (value, more, isIt) => {
	expect(isEmpty(value, property(more) as never)).toBe(isIt);
});

it.each<[value: unknown, list: unknown]>([
	[
		[1, 2],
		[1, 2],
	],
	['a, b', ['a', ' b']],
	['["a","b"]', ['a', 'b']],
	[' [1]', [1]],
	['[1', undefined],
	['', ['']],
	[5, undefined],
])('reads the list %j', (value, list) => {
	expect(listOf(value)).toEqual(list);
});

it('splits a cell at all separators', () => {
	expect(listOf('a,b;c\r\nd\ne', separators)).toEqual(['a', 'b', 'c', 'd', 'e']);
});

it.each<[value: unknown, isIt: boolean]>([
	['', true],
	[0, true],
	[false, true],
	[NaN, false],
	[Infinity, false],
	[null, false],
	[{}, false],
])('%p has a text: %j', (value, isIt) => {
	expect(isTextual(value)).toBe(isIt);
});

it.each([
	['#N/A', true],
	[' #ref! ', true],
	['#NAME?', true],
	['#other', false],
	['N/A', false],
	[5, false],
])('%p is a formula error: %j', (value, isIt) => {
	expect(isFormulaError(value)).toBe(isIt);
});

it('recognizes the text of an invalid date', () => {
	expect([' Invalid DateTime', 'Invalid Date', 'Invalid'].map(isBrokenDate)).toEqual([
		true,
		true,
		false,
	]);
});

it.each([
	['abcdef', 6, 'abcdef'],
	['abcdefg', 6, 'abcde…'],
	['😀😀😀😀', 3, '😀😀…'],
])('shortens %s to %d characters', (text, most, short) => {
	expect(shorten(text, most)).toBe(short);
});

it.each<[value: unknown, more: object, text: string]>([
	['a', {}, '"a"'],
	['a\n\u200b', {}, '"a\\n\\u200b"'],
	['x'.repeat(90), {}, `"${'x'.repeat(79)}…"`],
	[5, {}, '5'],
	[NaN, {}, 'NaN'],
	[null, {}, 'null'],
	[undefined, {}, 'undefined'],
	[{ a: [1] }, {}, '{"a":[1]}'],
	['secret', { typeOptions: { password: true } }, '(hidden)'],
])('quotes %j', (value, more, text) => {
	expect(quote(value, property(more))).toBe(text);
});

it('quotes a circular object', () => {
	const loop: Record<string, unknown> = {};
	loop.self = loop;
	expect(quote(loop, property())).toBe('[object Object]');
});

it('returns the choices of a property, and objects without a key', () => {
	const options = [{ name: 'A', value: 'a' }, property()];
	expect(choicesOf(property({ options }))).toEqual([{ name: 'A', value: 'a' }]);
	expect(choicesOf(property())).toEqual([]);
	expect(without({ a: 1, b: 2 }, 'a')).toEqual({ b: 2 });
	expect(tooMany('pixels')).toBe('contains more than 10,000 pixels; enter fewer');
});
