import { withRandomAlias } from '../../../../nodes/Link/fields/generateAlias';
import type { Parameters } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const completed = (own: Record<string, string>, parameters: Parameters = {}) =>
	withRandomAlias(parameters, { ...encodeOptions, resourceOptions: own });

it.each<[length: string, count: number]>([
	['8', 8],
	['4.9', 4],
	['255', 255],
])('makes a random alias of %s characters', (length, count) => {
	const { alias } = completed({ generateAlias: length }, { alias: '' });
	expect(alias).toMatch(/^[a-z\d]+$/i);
	expect(alias).toHaveLength(count);
	expect(completed({ generateAlias: length }).alias).not.toBe(alias);
});

it.each<[own: Record<string, string>, parameters: Parameters]>([
	[{ generateAlias: '8' }, { alias: 'a' }],
	[{}, {}],
])('with %j leaves a row like %j as it is', (own, parameters) => {
	expect(completed(own, parameters)).toBe(parameters);
});
