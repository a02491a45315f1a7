import type { IDataObject } from 'n8n-workflow';
import { isSame, isSameApartFromCase } from '../contract/compare';
import { type EncodedRow, fieldsNamed, keyLockOf, searchTextOf } from '../contract/encodedRow';
import { defaultMatch } from '../contract/layout';
import { ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { mayBeTaken } from './createOnce';
import { findCandidates } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import { caseVariantAdvice, keyLabelOf, nameOf, nameOfOperationForExisting } from './resource';
import type { CreatePlan, OperationHandler, OperationRun, Run, Writer } from './types';
import { writerOf } from './writer';

/** Returns what to do after a run that failed for some of its rows. A second create of a row would create a second resource. */
function recoveryFor(first: EncodedRow | undefined): string {
	const operation = first && nameOfOperationForExisting(first);
	const alternative =
		first === undefined || operation === undefined
			? ''
			: ` If ${keyLabelOf(first)} is set in each item, you can switch Operation to ${operation} and keep all items instead.`;
	return `Fix the failures, remove the items that are done or unknown, and run the node again.${alternative}`;
}

/** Returns which resource has the alias or name of a row, and which operation changes it. */
function takenText(row: EncodedRow, owner: IDataObject): string {
	const { value, key } = row.contract;
	const operation = nameOfOperationForExisting(row);
	const reason = `The ${key.searchBy} is taken by the ${value} ${nameOf(row, owner)}`;
	return operation === undefined ? reason : `${reason}; use ${operation} to change it`;
}

/**
 * Returns what to do about a create whose alias or name may be taken: names the resource that has it. Undefined if the service
 * finds none.
 */
async function adviceAboutOwner(
	requests: RowRequests,
	ownRow: EncodedRow,
): Promise<string | undefined> {
	const row = { ...ownRow, match: defaultMatch(ownRow.contract) };
	const candidates = await settled(findCandidates(requests, row));
	if (candidates instanceof ServiceError) return undefined;
	const owner = candidates.find((resource) => isSame(row, resource));
	return owner ? `${takenText(row, owner)}.` : caseVariantAdvice(row, candidates);
}

/** Creates the resources of rows. If an alias or name is taken, the error names the resource that has it. */
const sendCreates = (writer: Writer): Pick<OperationRun, 'execute'> => ({
	execute: async (requests, row) => {
		await requests.lock(keyLockOf(row));
		const created = await settled(writer.createOne(requests, row));
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

/** Returns the row without a random alias, because each run generates another alias. */
function withoutRandomKey(row: EncodedRow): EncodedRow {
	return { ...row, fields: row.fields.filter(({ isRandom }) => !isRandom) };
}

/** Returns what a dry run shows of a create, given the resources with the alias or name of the row. */
function planOf(row: EncodedRow, candidates: readonly IDataObject[]): CreatePlan {
	const { key, value } = row.contract;
	const isKeyComplete = fieldsNamed(row, key.uniqueBy).length === key.uniqueBy.length;
	const owner = candidates.find((resource) => isSame(row, resource));
	if (owner && isKeyComplete) return { outcome: 'refused', note: takenText(row, owner) };
	const similar = owner ?? candidates.find((resource) => isSameApartFromCase(row, resource));
	if (!similar) return {};
	const reason = `the ${value} ${nameOf(row, similar)}`;
	return { note: `New, unless the service refuses the ${key.searchBy} because of ${reason}` };
}

/** Returns the dry run of creates. Each row looks up its alias or name; many rows look it up in the list. */
function planCreates(
	{ rows, contract }: Run,
	writer: Writer,
): Pick<OperationRun, 'execute' | 'prepare'> {
	let index: ListIndex | undefined;
	return {
		prepare: async (requests) => {
			index = await readListIndex(requests, rows.map(withoutRandomKey), contract.key);
		},
		execute: async (requests, ownRow) => {
			await requests.lock(keyLockOf(ownRow));
			const row = withoutRandomKey(ownRow);
			const matches = index?.candidatesFor(row) ?? (await findCandidates(requests, row));
			const isRandom = row.fields.length < ownRow.fields.length;
			const plan = isRandom
				? { note: `New; a run generates the ${row.contract.key.searchBy}` }
				: planOf(row, writer.current(row, matches));
			return await writer.createOne(requests, row, plan);
		},
	};
}

/** Creates a resource for each row. Rows with the same alias or name run one after the other, so that the first row gets it. */
export const create: OperationHandler = (run) => {
	const writer = writerOf(run);
	return {
		recovery: recoveryFor(run.rows[0]),
		// Plans keep the rows, and a run must not.
		...(run.isDryRun ? planCreates(run, writer) : sendCreates(writer)),
		notes: () => writer.checks.notes(),
	};
};
