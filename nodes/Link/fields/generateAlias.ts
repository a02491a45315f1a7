import { randomString } from 'n8n-workflow';
import { bounded } from '../../shared/contract/codecs/scalar';
import type { ResourceOption } from '../../shared/contract/resourceTypes';
import type { EncodeOptions, Parameters } from '../../shared/contract/types';
import { isUnset } from '../../shared/contract/values';
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

/** Returns the parameters of a create without an alias with a random one, by which the node can find the link again. */
export const withRandomAlias = (
	parameters: Parameters,
	{ resourceOptions }: EncodeOptions,
): Parameters => {
	const length = resourceOptions[generateAlias.name];
	const isRandom = length !== undefined && isUnset(parameters.alias);
	return isRandom ? { ...parameters, alias: randomString(Math.floor(Number(length))) } : parameters;
};
