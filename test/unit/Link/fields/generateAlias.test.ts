import { generatedAlias } from '../../../../nodes/Link/fields/generateAlias';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const generated = (operation: OperationName, own: Record<string, string>) =>
	generatedAlias({
		...{ operation, parameters: {}, columns: {}, report: () => undefined },
		options: { ...encodeOptions, resourceOptions: own },
	});

it.each<[length: string, count: number]>([
	['8', 8],
	['4.9', 4],
	['255', 255],
])('makes a random alias of %s characters', (length, count) => {
	const alias = generated('create', { generateAlias: length });
	expect(alias).toMatch(/^[a-z\d]+$/i);
	expect(alias).toHaveLength(count);
	expect(generated('create', { generateAlias: length })).not.toBe(alias);
});

it('makes none for another operation, or without the option', () => {
	expect(generated('upsert', { generateAlias: '8' })).toBeUndefined();
	expect(generated('create', {})).toBeUndefined();
});
