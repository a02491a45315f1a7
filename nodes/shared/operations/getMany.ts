import type { IDataObject } from 'n8n-workflow';
import { apiRequest, searchKeys, sortKeys, type Param } from '../contract/endpoints';
import { keyOf, list } from './list';
import { repeatReads, type OperationHandler } from './types';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import type { OutputValue } from '../contract/resourceTypes';

/** Returns the queries of a row: one for each field that it searches in, or one without a search. */
function queriesOf({ fields }: EncodedRow): Param[][] {
	const params = paramsOf(fields);
	const searchedFields = params.filter(([name]) => name === searchKeys.by);
	if (searchedFields.length < 2) return [params];
	const filters = params.filter(([name]) => name !== searchKeys.by);
	const isSearch = filters.some(([name]) => name === searchKeys.text);
	return isSearch ? searchedFields.map((field) => [...filters, field]) : [filters];
}

/** Compares texts as databases commonly do, without case and accents (assumption: sort order). */
const texts = new Intl.Collator('en', { sensitivity: 'base' });

/** Compares values in ascending order; null comes first (assumption: sort order). */
function compare(a: OutputValue, b: OutputValue): number {
	if (a === null || b === null) return Number(a !== null) - Number(b !== null);
	return typeof a === 'number' && typeof b === 'number'
		? a - b
		: texts.compare(String(a), String(b));
}

/** Returns the order of a row's list, by default that of contract 4.1 and 4.4. */
function orderOf({ contract, fields }: EncodedRow) {
	const params = new Map(paramsOf(fields));
	const sortBy = params.get(sortKeys.by) ?? 'id';
	const sign = params.get(sortKeys.direction) === 'asc' ? 1 : -1;
	const reader = contract.output.find(({ name }) => name === sortBy)?.from;
	return (a: IDataObject, b: IDataObject) =>
		reader ? sign * compare(reader.read(a), reader.read(b)) : 0;
}

/** Merges two lists. Each list keeps its own order, and the first list comes first among equals. */
function mergeTwo(
	first: readonly IDataObject[],
	second: readonly IDataObject[],
	order: (a: IDataObject, b: IDataObject) => number,
): IDataObject[] {
	const merged: IDataObject[] = [];
	let next = 0;
	for (const resource of first) {
		for (;;) {
			const other = second[next];
			if (!other || order(resource, other) <= 0) break;
			merged.push(other);
			next += 1;
		}
		merged.push(resource);
	}
	return [...merged, ...second.slice(next)];
}

/** Merges the lists of a row in its order, each resource once. */
function mergeLists(row: EncodedRow, lists: ReadonlyArray<readonly IDataObject[]>): IDataObject[] {
	const order = orderOf(row);
	const merged = lists.reduce<readonly IDataObject[]>(
		(all, next) => mergeTwo(all, next, order),
		[],
	);
	const seen = new Set<string>();
	return merged.filter((resource) => {
		const isNew = !seen.has(keyOf(resource));
		seen.add(keyOf(resource));
		return isNew;
	});
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
});
