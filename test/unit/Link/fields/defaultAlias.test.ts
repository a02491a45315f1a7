import { defaultAlias } from '../../../../nodes/Link/fields/defaultAlias';
import type { OperationName, Parameters } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const completed = (
	operation: OperationName,
	parameters: Parameters,
	own: Record<string, string> = { aliasTemplate: 'made' },
) =>
	defaultAlias({
		...{ operation, parameters, columns: {}, report: () => undefined },
		options: { ...encodeOptions, resourceOptions: own },
	});

it.each<[operation: OperationName, parameters: Parameters, result: Parameters]>([
	['create', {}, { additionalFields: { alias: 'made' } }],
	[
		'create',
		{ additionalFields: { a: 1, alias: '' } },
		{ additionalFields: { a: 1, alias: 'made' } },
	],
	['upsert', {}, { alias: 'made' }],
	['sync', { alias: ' ' }, { alias: 'made' }],
])('%s gives %j an alias', (operation, parameters, result) => {
	expect(completed(operation, parameters)).toEqual(result);
});

const made = { aliasTemplate: 'made' };

it.each<[operation: OperationName, parameters: Parameters, own: Record<string, string>]>([
	['create', { additionalFields: { alias: 'a' } }, made],
	['create', { additionalFields: ['a'] }, made],
	['upsert', { alias: 'a' }, made],
	['update', {}, made],
	['get', {}, made],
	['create', {}, {}],
	['upsert', {}, { generateAlias: '8' }],
])('%s leaves %j as it is', (operation, parameters, own) => {
	expect(completed(operation, parameters, own)).toBe(parameters);
});

it('prefers the template to a random alias', () => {
	const both = completed('create', {}, { aliasTemplate: 'made', generateAlias: '8' });
	expect(both).toEqual({ additionalFields: { alias: 'made' } });
	expect(completed('create', {}, { generateAlias: '8' })).toEqual({
		additionalFields: { alias: expect.stringMatching(/^[a-z\d]{8}$/i) },
	});
});
