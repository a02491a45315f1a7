import type { IDataObject } from 'n8n-workflow';
import { fieldsNamed, fieldsToCreate, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import { isSame, isSameApartFromCase } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { plannedItem, plannedReconcile } from './dryRunPlan';
import { textAfter } from './dryRunText';
import { findCandidates } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import { nameOf, nameOfOperationForExisting } from './resource';
import type { OperationRun, Result } from './types';

/** Returns the row without a random alias, because each run generates another alias. */
function withoutRandomKey(row: EncodedRow): EncodedRow {
	const { contract, fields, isKeyRandom } = row;
	const { searchBy } = contract.key;
	return isKeyRandom
		? { ...row, fields: fields.filter(({ field }) => field.wire.key !== searchBy) }
		: row;
}

/** Returns the plan of a row whose alias or name belongs to a resource, so that the service refuses the create. */
function plannedRefusal(row: EncodedRow, owner: IDataObject): Result {
	const { contract } = row;
	const operation = nameOfOperationForExisting(row);
	const remedy = operation === undefined ? '' : `; use ${operation} to change it`;
	return plannedItem(row, {
		outcome: 'refused',
		text: searchTextOf(row),
		after: textAfter(fieldsToCreate(row)),
		note: `The ${contract.key.searchBy} is taken by the ${contract.value} ${nameOf(row, owner)}${remedy}`,
	});
}

/** Returns the plan of a row, given the resources with its alias or name. */
function plannedCreate(row: EncodedRow, candidates: readonly IDataObject[]): Result {
	const { key, value } = row.contract;
	const isKeyComplete = fieldsNamed(row, key.uniqueBy).length === key.uniqueBy.length;
	const owner = candidates.find((resource) => isSame(row, resource));
	if (owner && isKeyComplete) return plannedRefusal(row, owner);
	const similar = owner ?? candidates.find((resource) => isSameApartFromCase(row, resource));
	const note = similar
		? `New, unless the service refuses the ${key.searchBy} because of the ${value} ${nameOf(row, similar)}`
		: undefined;
	return plannedReconcile(row, { changes: [] }, note);
}

/** Returns the dry run of creates. Each row looks up its alias or name; many rows look it up in the list. */
export function planCreates(
	rows: readonly EncodedRow[],
): Pick<OperationRun, 'plan' | 'preparePlan'> {
	let index: ListIndex | undefined;
	return {
		preparePlan: async (requests: RowRequests): Promise<void> => {
			const [first] = rows;
			const keyed = rows.map(withoutRandomKey);
			index = first && (await readListIndex(requests, keyed, first.contract.key));
		},
		plan: async (requests: RowRequests, ownRow: EncodedRow): Promise<Result> => {
			const row = withoutRandomKey(ownRow);
			if (ownRow.isKeyRandom) {
				const note = `New; a run generates the ${row.contract.key.searchBy}`;
				return plannedReconcile(row, { changes: [] }, note);
			}
			return plannedCreate(row, index?.candidatesFor(row) ?? (await findCandidates(requests, row)));
		},
	};
}
