import { randomString } from 'n8n-workflow';
import { bounded } from '../../shared/contract/codecs/scalar';
import type { ResourceContract, ResourceOption } from '../../shared/contract/types';
import { isRecord, isUnset } from '../../shared/contract/values';

export const generateAlias: ResourceOption = {
	displayName: 'Generate Alias',
	name: 'generateAlias',
	type: 'number',
	typeOptions: { minValue: 4, maxValue: 255 },
	default: 8,
	description:
		'Number of characters of a random alias for rows that have none. With an alias, a create whose answer was lost can be looked up and is never done twice.',
	displayOptions: { show: { '/operation': ['create'] } },
	codec: bounded,
};

/** Gives a row without an alias a random one, where the option asks for it: what has an alias can be found again. */
export const withGeneratedAlias: ResourceContract['complete'] = (
	operation,
	parameters,
	{ own },
) => {
	const length = own[generateAlias.name];
	const { additionalFields } = parameters;
	const given = isUnset(additionalFields) ? {} : additionalFields;
	if (operation !== 'create' || length === undefined) return parameters;
	if (!isRecord(given) || !isUnset(given.alias)) return parameters;
	const alias = randomString(Math.floor(Number(length)));
	return { ...parameters, additionalFields: { ...given, alias } };
};
