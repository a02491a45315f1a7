import { linkContract } from '../../../../nodes/Link/link.contract';
import { columnTargets } from '../../../../nodes/shared/contract/columnTargets';
import {
	expressionsIn,
	expressionUse,
	hasExpression,
} from '../../../../nodes/shared/execute/formExpressions';

it.each<[value: unknown, holds: boolean]>([
	['={{ 1 }}', true],
	['{{ 1 }}', false],
	[[{ a: ['=a'] }], true],
	[{ a: { b: 'c' } }, false],
	[5, false],
	[null, false],
])('knows whether %j has an expression', (value, holds) => {
	expect(hasExpression(value)).toBe(holds);
});

const targetOf = (heading: string) => {
	const target = columnTargets(linkContract, 'upsert').exact.get(heading);
	if (!target) throw new Error(heading);
	return target;
};

it.each<[heading: string, form: object, isIt: boolean]>([
	['url', { url: '={{ $json.a }}' }, true],
	['url', { url: 'a', additionalFields: { url: '=a' } }, false],
	['disabled', { additionalFields: { disabled: '=a' } }, true],
	['disabled', { additionalFields: { password: '=a' } }, false],
	['disabled', { additionalFields: '={{ $json }}' }, true],
	['disabled', {}, false],
	['utmsource', { additionalFields: { utm: { parameters: { utm_source: '=a' } } } }, true],
	['utmsource', { additionalFields: { utm: { parameters: { utm_term: '=a' } } } }, false],
	['utmsource', { additionalFields: { utm: '={{ $json.utm }}' } }, true],
	['utmparameters', { additionalFields: { utm: { parameters: { utm_term: '=a' } } } }, true],
])('knows whether an expression fills %s in %j', (heading, form, isIt) => {
	expect(expressionsIn(form as never)(targetOf(heading))).toBe(isIt);
});

it.each<[form: object, column: string, uses: boolean]>([
	[{ url: '={{ $json.slug }}' }, 'slug', true],
	[{ url: '={{ $json["long name"] }}' }, 'long name', true],
	[{ url: '={{ $json.slugs }}' }, 'slug', false],
	[{ url: '={{ $json.a }} slug' }, 'slug', false],
	[{ url: '{{ $json.slug }}' }, 'slug', false],
	[{ a: { b: ['={{ 1 }} {{ $json.slug }}'] } }, 'slug', true],
	[{ url: '={{ 1 }}' }, 'one two three four five six', true],
	[{ url: `={{ ${'a'.repeat(50_000)} }}` }, 'slug', true],
	[{}, 'slug', false],
])('knows whether %# uses the column %j: %j', (form, column, uses) => {
	expect(expressionUse(form as never)(column)).toBe(uses);
});
