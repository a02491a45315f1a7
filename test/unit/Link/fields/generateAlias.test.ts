import { withRandomAlias } from '../../../../nodes/Link/fields/generateAlias';
import type { OperationName, Parameters } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const completed = (
	operation: OperationName,
	own: Record<string, string>,
	parameters: Parameters = {},
) => withRandomAlias(operation, parameters, { ...encodeOptions, resourceOptions: own });

it.each<[length: string, count: number]>([
	['8', 8],
	['4.9', 4],
	['255', 255],
])('makes a random alias of %s characters', (length, count) => {
	const { alias } = completed('create', { generateAlias: length }, { alias: '' });
	expect(alias).toMatch(/^[a-z\d]+$/i);
	expect(alias).toHaveLength(count);
	expect(completed('create', { generateAlias: length }).alias).not.toBe(alias);
});

it.each<[operation: OperationName, own: Record<string, string>, parameters: Parameters]>([
	['create', { generateAlias: '8' }, { alias: 'a' }],
	['create', {}, {}],
	['upsert', { generateAlias: '8' }, {}],
])('leaves the row of %s with %j and %j as it is', (operation, own, parameters) => {
	expect(completed(operation, own, parameters)).toBe(parameters);
});
