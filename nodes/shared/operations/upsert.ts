import { differences } from '../contract/compare';
import { apiRequest } from '../contract/endpoints';
import { paramsOf, searchTextOf, type EncodedRow } from '../contract/encodeRow';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { completeKey } from './completeKey';
import { createOnce } from './create';
import { findByKey } from './find';
import type { Execute, Outcome } from './operation';
import { idIn, requestResource } from './resource';

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
	await requests.takeTurn(searchTextOf(given)?.toLowerCase());
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
