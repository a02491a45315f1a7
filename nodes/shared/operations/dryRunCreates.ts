import type { IDataObject } from 'n8n-workflow';
import { fieldsNamed, fieldsToCreate, searchTextOf, type EncodedRow } from '../contract/encodedRow';
import { isSame, isSameApartFromCase } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { findCandidates } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import type { Result } from './types';
import { plannedItem, plannedReconcile } from './dryRunPlan';
import { textAfter } from './dryRunText';
import { nameOf } from './resource';

/** Returns the row without an alias that was made up by chance: a run makes up another one. */
export function withoutRandomKey(row: EncodedRow): EncodedRow {
	const { contract, fields, isKeyGenerated, options } = row;
	const isRandom = isKeyGenerated && contract.reuse?.isKeyRandom(options.resourceOptions) === true;
	const { searchBy } = contract.key;
	return isRandom
		? { ...row, fields: fields.filter(({ field }) => field.wire.key !== searchBy) }
		: row;
}

/** What would become of a row whose alias or name belongs to a resource: the service refuses a second one. */
function plannedRefusal(row: EncodedRow, holder: IDataObject): Result {
	const { contract } = row;
	const { value, key, operations } = contract;
	const upsert = operations.find((operation) => operation.value === 'upsert');
	const remedy = upsert ? `; use ${upsert.name} to change that one` : '';
	const fields = fieldsToCreate(row);
	return plannedItem(row, {
		outcome: 'refused',
		text: searchTextOf(row),
		after: textAfter(fields),
		note: `The ${key.searchBy} is taken by the ${value} ${nameOf(row, holder)}${remedy}`,
		write: { contract, endpoint: 'create', fields },
	});
}

/** What would become of a row, given the resources with its alias or name. */
function plannedCreate(row: EncodedRow, candidates: readonly IDataObject[]): Result {
	const { searchBy, uniqueBy } = row.contract.key;
	const isKeyWhole = fieldsNamed(row, uniqueBy).length === uniqueBy.length;
	const holder = candidates.find((one) => isSame(row, one));
	if (holder && isKeyWhole) return plannedRefusal(row, holder);
	const rival = holder ?? candidates.find((one) => isSameApartFromCase(row, one));
	const note = rival
		? `New, unless the service refuses the ${searchBy} because of the ${row.contract.value} ${nameOf(row, rival)}`
		: undefined;
	return plannedReconcile(row, { changes: [] }, note);
}

/** Returns the dry run of creates: each row looks for a resource that has its alias or name, many rows in the list. */
export function planCreates(rows: readonly EncodedRow[]) {
	let known: ListIndex | undefined;
	return {
		prepare: async (requests: RowRequests): Promise<void> => {
			const [first] = rows;
			const keyed = rows.map(withoutRandomKey);
			known = first && (await readListIndex(requests, keyed, first.contract.key));
		},
		plan: async (requests: RowRequests, given: EncodedRow): Promise<Result> => {
			const row = withoutRandomKey(given);
			if (row !== given) {
				const note = `New; a run makes up the ${row.contract.key.searchBy}`;
				return plannedReconcile(row, { changes: [] }, note);
			}
			return plannedCreate(row, known?.candidatesFor(row) ?? (await findCandidates(requests, row)));
		},
	};
}
