import type { IDataObject } from 'n8n-workflow';
import { hasSentValue } from '../contract/compare';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import { apiRequest } from '../contract/endpoints';
import type { EncodedField } from '../contract/fieldTypes';
import { flagOf, isOtherId } from '../contract/readers';
import type { ResourceContract } from '../contract/resourceTypes';
import type { Resource } from '../contract/types';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { answerOfId } from './find';
import { idIn, requestResource } from './resource';

/**
 * Returns the field that disables or enables a resource, with its value (contract 2.1, `disabled`). Empty if a resource
 * cannot be disabled.
 */
export const disabledChange = (
	{ fields, disabledField }: ResourceContract,
	disables: boolean,
): EncodedField[] =>
	fields
		.filter(({ name }) => name === disabledField)
		.map((field) => ({ field, values: [['', disables ? '1' : '0']] }));

/** Returns whether a resource has the value of a change, so that it needs no write. */
export const isChanged = (
	row: EncodedRow,
	changes: readonly EncodedField[],
	resource: Resource,
): boolean => changes.every((change) => hasSentValue(change, resource, row) === true);

/**
 * Writes only the field that disables or enables a resource, and returns the resource. If the response lacks the field, the
 * resource gets the value that was sent. The caller holds the lock of the ID.
 *
 * @throws ServiceError if the request fails, or if the response has another resource or the opposite value
 */
export async function writeDisabled(
	requests: RowRequests,
	{ contract }: EncodedRow,
	id: string,
	changes: readonly EncodedField[],
): Promise<IDataObject> {
	const request = apiRequest(contract, 'update', paramsOf(changes), id);
	const answer = await answerOfId(contract, id, requestResource(requests, request));
	const sent: IDataObject = {};
	for (const { field, values } of changes) {
		const { key } = field.wire;
		const disables = values[0]?.[1] === '1';
		const answered = flagOf(answer[key]);
		// A response without the field is no contradiction (assumption: responses to writes).
		if (answered === null) sent[key] = Number(disables);
		if (!isOtherId(idIn(answer), id) && (answered === null || answered === disables)) continue;
		throw rejection(
			disables
				? `The service reported success, but did not disable the ${contract.value} ${id}`
				: `The service reported success, but did not enable the ${contract.value} ${id}`,
			`Check the ${contract.value} in the service. The next run tries again.`,
			{
				outcome: 'unknown',
				fieldErrors: {
					[key]: [`${field.displayName} differs in the response from the value that was sent`],
				},
			},
		);
	}
	return { ...answer, ...sent };
}
