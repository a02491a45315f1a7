import { randomString } from 'n8n-workflow';
import { bounded } from '../../shared/contract/codecs/scalar';
import type { RawRow, ResourceOption } from '../../shared/contract/resourceTypes';
import { operationTable } from '../../shared/contract/operations';
import { shownFor } from '../../shared/description/parameters';

export const generateAlias: ResourceOption = {
	displayName: 'Generate Alias',
	name: 'generateAlias',
	type: 'number',
	typeOptions: { minValue: 4, maxValue: 255 },
	default: 8,
	description: 'The length of a random alias for items without one',
	displayOptions: shownFor(({ creates }) => creates === 'always'),
	codec: bounded,
};

/** Returns a random alias if Generate Alias is set. */
export function generatedAlias({ operation, options }: RawRow): string | undefined {
	const length = options.resourceOptions[generateAlias.name];
	return operationTable[operation].creates === 'always' && length !== undefined
		? randomString(Math.floor(Number(length)))
		: undefined;
}
