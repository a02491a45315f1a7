import type { INodePropertyOptions } from 'n8n-workflow';
import type { WireValue } from './types';
import type { ResourceContract } from './resourceTypes';
import { operationsWith } from './operations';
import { sortBy } from './values';

/** The wire values that clear a field, by the type of the field (assumption: clearing). */
export const emptyText: readonly WireValue[] = [['', '']];
export const emptyList: readonly WireValue[] = [['[]', '']];
export const emptyKeyedRules: readonly WireValue[] = [
	['[0][key]', ''],
	['[0][value]', ''],
];
export const emptyRules: readonly WireValue[] = [['[0][value]', '']];

/** Returns the choices of Clear Fields, sorted by label; none if the resource has no field to clear. */
export function clearChoices({ fields }: ResourceContract): INodePropertyOptions[] {
	const [partial] = operationsWith((operation) => operation.isPartial);
	const choices = fields
		.filter(({ wire }) => partial && wire.empty && wire.on[partial])
		.map(({ name, displayName }) => ({ name: displayName, value: name }));
	return sortBy(choices, ({ name }) => name);
}
