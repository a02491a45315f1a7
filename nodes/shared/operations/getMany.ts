import type { IDataObject } from 'n8n-workflow';
import { apiRequest, searchKeys, type Param } from '../contract/endpoints';
import { list } from './list';
import { mergeLists } from './mergeLists';
import { repeatReads, type OperationHandler } from './types';
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

/**
 * Reads a list up to its limit. If the row searches in several fields, it reads one list per field, each up to the limit,
 * because each list can contain all first entries.
 */
export const getMany: OperationHandler = () => ({
	recovery: repeatReads,
	execute: async (requests, row) => {
		await requests.lock(undefined);
		const { contract, limit } = row;
		const lists: IDataObject[][] = [];
		for (const query of queriesOf(row)) {
			const { path, params } = apiRequest(contract, 'list', query);
			lists.push(await list(requests, { path, params, limit }));
		}
		return { resources: mergeLists(row, lists).slice(0, limit), outcome: 'read' };
	},
	requestsFor: (row) => queriesOf(row).length,
});
