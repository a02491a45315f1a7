import { linkContract } from '../../../../nodes/Link/link.contract';
import { fillableFields } from '../../../../nodes/shared/contract/columns';
import {
	expressionsIn,
	hasExpression,
	valuesIn,
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
	const field = fillableFields(linkContract, 'upsert').find(({ name }) => name === heading);
	if (!field) throw new Error(heading);
	return field.target;
};

it.each<[heading: string, form: object, isIt: boolean]>([
	['url', { url: '={{ $json.a }}' }, true],
	['url', { url: 'a', additionalFields: { url: '=a' } }, false],
	['disabled', { additionalFields: { disabled: '=a' } }, true],
	['disabled', { additionalFields: { password: '=a' } }, false],
	['disabled', { additionalFields: '={{ $json }}' }, true],
	['disabled', {}, false],
	['utm_source', { additionalFields: { utm: { parameters: { utm_source: '=a' } } } }, true],
	['utm_source', { additionalFields: { utm: { parameters: { utm_term: '=a' } } } }, false],
	['utm_source', { additionalFields: { utm: '={{ $json.utm }}' } }, true],
	['utm', { additionalFields: { utm: { parameters: { utm_term: '=a' } } } }, true],
])('knows whether an expression fills %s in %j', (heading, form, isIt) => {
	expect(expressionsIn(form as never)(targetOf(heading))).toBe(isIt);
});

it.each<[heading: string, form: object, isIt: boolean]>([
	['url', { url: 'a' }, true],
	['url', { url: ' ' }, false],
	['domainId', { domainId: { __rl: true, mode: 'list', value: '' } }, false],
	['domainId', { domainId: { __rl: true, mode: 'list', value: 1 } }, true],
	['disabled', { additionalFields: { disabled: false } }, true],
	['disabled', { additionalFields: {} }, false],
	['disabled', { additionalFields: '={{ $json }}' }, true],
	['utm_source', { additionalFields: { utm: { parameters: { utm_source: 'a' } } } }, true],
	['utm_source', { additionalFields: { utm: { parameters: { utm_term: 'a' } } } }, false],
])('knows whether the form has a value for %s in %j', (heading, form, isIt) => {
	expect(valuesIn(form as never)(targetOf(heading))).toBe(isIt);
});
