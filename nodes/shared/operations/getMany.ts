import type { IDataObject } from 'n8n-workflow';
import { apiRequest, searchKeys, type Param } from '../contract/endpoints';
import { plannedRead } from './dryRunPlan';
import { RowFilters } from './filteredList';
import { list } from './list';
import { mergeLists } from './mergeLists';
import { repeatReads, type Execute, type OperationHandler, type Run } from './types';
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

/** Counts the pages that the rows of a run read, and what their filters excluded. */
class ReadReport {
	private pages = 0;
	private entries = 0;
	private lists = 0;
	private readonly filters: RowFilters[] = [];

	add(filters: RowFilters): void {
		this.filters.push(filters);
	}

	addPage(number: number, length: number): void {
		if (number === 1) this.lists += 1;
		this.pages += 1;
		this.entries += length;
	}

	/** Returns sentences for the summary. One page of each list, without filters, needs none. */
	notes({ contract: { value } }: Run): string[] {
		const filtered = this.filters.filter(({ isActive }) => isActive);
		if (filtered.length === 0 && this.pages <= this.lists) return [];
		const pages = `${this.pages} ${this.pages === 1 ? 'page' : 'pages'}`;
		const entries = `${this.entries} ${value}${this.entries === 1 ? '' : 's'}`;
		return [
			`The node read ${pages} of the list, with ${entries}`,
			...filtered.flatMap((filters) => filters.notes()),
		];
	}
}

/** Reads the lists of a row and merges them. */
const reader =
	(report: ReadReport): Execute =>
	async (requests, row) => {
		await requests.lock(undefined);
		const { contract, limit } = row;
		const filters = new RowFilters(row);
		report.add(filters);
		const lists: IDataObject[][] = [];
		for (const query of queriesOf(row)) {
			const { path, params } = apiRequest(contract, 'list', [...query, ...filters.orderParams]);
			const listing = {
				...{ path, params, limit },
				...(filters.isActive ? { startRead: () => filters.start() } : {}),
				isSequential: filters.canEndEarly,
				onPage: (number: number, length: number) => report.addPage(number, length),
			};
			lists.push(await list(requests, listing));
		}
		filters.check();
		return { resources: mergeLists(row, lists).slice(0, limit), outcome: 'read' };
	};

/**
 * Reads a list up to its limit, with the filters of the row. If the row searches in several fields, it reads one list per
 * field, each up to the limit, because each list can contain all first entries.
 */
export const getMany: OperationHandler = (run) => {
	const report = new ReadReport();
	const readLists = reader(report);
	return {
		recovery: repeatReads,
		execute: readLists,
		requestsFor: (row) => queriesOf(row).length,
		...(run.showsTable
			? {
					plan: async (requests, row) =>
						plannedRead(row, (await readLists(requests, row)).resources),
				}
			: {}),
		notes: () => report.notes(run),
	};
};
