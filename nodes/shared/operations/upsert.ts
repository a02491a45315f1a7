import type { IDataObject } from 'n8n-workflow';
import { differences, heldOf } from '../contract/compare';
import {
	fieldsNamed,
	paramsOf,
	thingOf,
	type EncodedField,
	type EncodedRow,
} from '../contract/encodeRow';
import { apiRequest, pageSizes } from '../contract/endpoints';
import { Invalid, type Field } from '../contract/types';
import { isUnset } from '../contract/values';
import { fetchPage } from '../transport/pages';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { createOnce } from './create';
import { findByKey } from './find';
import { isAll } from './list';
import type { Execute, Outcome } from './operation';
import { idIn, requestResource } from './resource';

/** The only value that all resources have of a field; undefined where they have several, or do not tell. */
function onlyValue(
	field: Field,
	resources: readonly IDataObject[],
	row: EncodedRow,
): EncodedField | undefined {
	const texts = new Set<string | undefined>();
	for (const resource of resources) {
		const held = heldOf(field, resource, row);
		const encoded = isUnset(held) ? undefined : field.wire.codec(held, field);
		texts.add(encoded === undefined || encoded instanceof Invalid ? undefined : encoded[0]?.[1]);
	}
	const [text, ...others] = texts;
	return text === undefined || others.length > 0 ? undefined : { field, values: [['', text]] };
}

/**
 * The row with all fields that make its resource unique. A field that it leaves out can only be the one that all resources
 * of the account have, which the first page of the list tells where it holds all of them. An account without any has
 * nothing that the row could be mistaken for, so that it stays as it is.
 *
 * @throws ServiceError where it is not clear what the row means
 */
async function completeKey(requests: RowRequests, row: EncodedRow): Promise<EncodedRow> {
	const { contract } = row;
	const given = fieldsNamed(row, contract.key.uniqueBy).map(({ field }) => field);
	const missing = contract.fields.filter(
		(field) => contract.key.uniqueBy.includes(field.wire.key) && !given.includes(field),
	);
	if (missing.length === 0) return row;
	const page = await requests.client.once('all resources', async () => {
		const { path, params } = apiRequest(contract, 'getAll', []);
		return await fetchPage(requests, { path, params }, pageSizes[3], 1);
	});
	const isWhole = page.more === false || isAll(page);
	if (isWhole && page.items.length === 0) return row;
	const completed = missing.map((field) => {
		const only = isWhole ? onlyValue(field, page.items, row) : undefined;
		if (only) return only;
		throw rejection(
			`${field.displayName} is missing, and the ${contract.value}s of the account do not show which one is meant`,
			`Nothing was sent. Set ${field.displayName}: several ${contract.value}s may have the same ${contract.key.searchBy}.`,
			{ fieldErrors: { [field.wire.key]: ['is missing; choose one'] } },
		);
	});
	return { ...row, fields: [...row.fields, ...completed] };
}

/** The row's resource as it is, or undefined where there is none. */
async function findOne(requests: RowRequests, row: EncodedRow) {
	const [existing, ...others] = await findByKey(requests, row);
	if (others.length === 0) return existing;
	throw rejection(
		`${others.length + 1} matches were found by ${row.contract.key.searchBy}, so it is not clear which one to update`,
		'Nothing was sent. Use Update with the ID.',
	);
}

/** Finds the row's resource by what makes it unique, and changes what differs; creates it where there is none. */
export const upsert: Execute = async (requests, given) => {
	await requests.takeTurn(thingOf(given));
	const row = await completeKey(requests, given);
	const existing = await findOne(requests, row);
	const report = (resource: Awaited<ReturnType<typeof createOnce>>, outcome: Outcome) =>
		({ resources: [resource], outcome, reportOutcome: true }) as const;
	if (!existing) return report(await createOnce(requests, row), 'created');

	const different = differences(row, existing);
	if (different.length === 0) return report(existing, 'unchanged');
	const request = apiRequest(row.contract, 'update', paramsOf(different), idIn(existing));
	return report(await requestResource(requests, request), 'updated');
};
