import { isSame } from '../contract/compare';
import { type EncodedRow, searchTextOf } from '../contract/encodedRow';
import { ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { mayBeTaken } from './createOnce';
import { byKey, findCandidates } from './find';
import { caseVariantAdvice, takenText, textLocksOf } from './resource';
import type { OperationCode } from './types';

/**
 * Returns what to do about a create whose alias or name may be taken: names the resource that has it. Undefined if the service
 * finds none.
 */
async function adviceAboutOwner(
	requests: RowRequests,
	row: EncodedRow,
): Promise<string | undefined> {
	const candidates = await settled(findCandidates(requests, byKey(row)));
	if (candidates instanceof ServiceError) return undefined;
	const owner = candidates.find((resource) => isSame(byKey(row), resource));
	return owner ? `${takenText(row, owner)}.` : caseVariantAdvice(row, candidates);
}

/**
 * Creates a resource for each row. Rows with the same alias or name run one after the other, so that the first row gets it. If an
 * alias or name is taken, the error names the resource that has it.
 */
export const create: OperationCode = (_run, writer) => ({
	prepare: writer.prepareCreates,
	execute: async (requests, row) => {
		await requests.locks.acquireTexts(textLocksOf(row));
		await requests.locks.acquireLast();
		const created = await settled(writer.write(requests, row, { outcome: 'created' }));
		if (!(created instanceof ServiceError)) return created;
		const { failure } = created;
		const isAboutKey =
			failure.statusCode === 409 || Boolean(failure.fieldErrors?.[row.contract.key.searchBy]);
		if (!mayBeTaken(failure) || !isAboutKey || !searchTextOf(row)) throw created;
		const advice = await adviceAboutOwner(requests, row);
		throw advice === undefined
			? created
			: new ServiceError({ ...failure, advice: `${failure.advice} ${advice}` });
	},
});
