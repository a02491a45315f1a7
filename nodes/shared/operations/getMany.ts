import type { IDataObject } from 'n8n-workflow';
import { apiRequest, type Param } from '../contract/endpoints';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import { searchKeys } from '../contract/listFields';
import { list } from './list';
import { mergeLists } from './mergeLists';
import type { Execute, OperationHandler } from './types';
import { plannedRead } from './dryRunPlan';

/** The query of each list that a row asks for: one for each field that it searches in, and one without a search. */
function queriesOf({ fields }: EncodedRow): Param[][] {
	const params = paramsOf(fields);
	const places = params.filter(([name]) => name === searchKeys.by);
	if (places.length < 2) return [params];
	const others = params.filter(([name]) => name !== searchKeys.by);
	const isSearch = others.some(([name]) => name === searchKeys.text);
	return isSearch ? places.map((place) => [...others, place]) : [others];
}

/** Reads the lists of a row as one. */
const readRow: Execute = async (requests, row) => {
	await requests.lock(undefined);
	const { contract, limit } = row;
	const lists: IDataObject[][] = [];
	for (const query of queriesOf(row)) {
		const { path, params } = apiRequest(contract, 'getAll', query);
		lists.push(await list(requests, { path, params, limit }));
	}
	return { resources: mergeLists(row, lists).slice(0, limit), outcome: 'read' };
};

/**
 * Reads a list up to its limit, with the row's filters. Where the row searches in several fields, each is a list of its
 * own, of which the first ones together hold the first ones of all.
 */
export const getMany: OperationHandler = ({ showsTable }) => ({
	execute: readRow,
	requestsFor: (row) => queriesOf(row).length,
	...(showsTable
		? {
				plan: async (requests, row) => plannedRead(row, (await readRow(requests, row)).resources),
			}
		: {}),
});
