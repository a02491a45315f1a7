import type { IDataObject } from 'n8n-workflow';
import { apiRequest, searchKeys, type Param } from '../contract/endpoints';
import { plannedRead } from './dryRunPlan';
import { list } from './list';
import { mergeLists } from './mergeLists';
import { repeatReads, type Execute, type OperationHandler } from './types';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';

/** Returns the queries of a row: one for each field that it searches in, or one without a search. */
function queriesOf({ fields }: EncodedRow): Param[][] {
	const params = paramsOf(fields);
	const searchedFields = params.filter(([name]) => name === searchKeys.by);
	if (searchedFields.length < 2) return [params];
	const filters = params.filter(([name]) => name !== searchKeys.by);
	const isSearch = filters.some(([name]) => name === searchKeys.text);
	return isSearch ? searchedFields.map((field) => [...filters, field]) : [filters];
}

/** Reads the lists of a row and merges them. */
const readLists: Execute = async (requests, row) => {
	await requests.lock(undefined);
	const { contract, limit } = row;
	const lists: IDataObject[][] = [];
	for (const query of queriesOf(row)) {
		const { path, params } = apiRequest(contract, 'list', query);
		lists.push(await list(requests, { path, params, limit }));
	}
	return { resources: mergeLists(row, lists).slice(0, limit), outcome: 'read' };
};

/**
 * Reads a list up to its limit, with the filters of the row. If the row searches in several fields, it reads one list per
 * field, each up to the limit, because each list can contain all first entries.
 */
export const getMany: OperationHandler = ({ showsTable }) => ({
	recovery: repeatReads,
	execute: readLists,
	requestsFor: (row) => queriesOf(row).length,
	...(showsTable
		? {
				plan: async (requests, row) => plannedRead(row, (await readLists(requests, row)).resources),
			}
		: {}),
});
