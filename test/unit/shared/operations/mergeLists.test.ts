import type { IDataObject } from 'n8n-workflow';
import { mergeLists } from '../../../../nodes/shared/operations/mergeLists';
import { rowOf } from '../../../support/operationRun.ts';

const sorted = (sorting: IDataObject = {}) =>
	rowOf('getAll', { returnAll: true, sorting: sorting as never });

const ids = (list: readonly IDataObject[]) => list.map(({ id }) => id);

const links = (...given: number[]): IDataObject[] => given.map((id) => ({ id }));

/** Links with IDs from 1 that have these values of a field. */
const having = (name: string, from: number, ...values: unknown[]): IDataObject[] =>
	values.map((value, index) => ({ id: from + index, [name]: value }) as IDataObject);

it('merges lists by ID, highest first, without repeats', () => {
	const lists = [links(9, 5, 1), links(8, 5, 2), links(7)];
	expect(ids(mergeLists(sorted(), lists))).toEqual([9, 8, 7, 5, 2, 1]);
});

it('merges no list, and one list', () => {
	expect(mergeLists(sorted(), [])).toEqual([]);
	expect(ids(mergeLists(sorted(), [links(3, 1, 2)]))).toEqual([3, 1, 2]);
});

it('keeps the order that the service gave within a list', () => {
	expect(ids(mergeLists(sorted(), [links(1, 9), links(5, 4)]))).toEqual([5, 4, 1, 9]);
});

it('drops a repeat within one list', () => {
	expect(ids(mergeLists(sorted(), [links(3, 3), links(3)]))).toEqual([3]);
});

it.each<[sorting: IDataObject, field: string, one: unknown[], other: unknown[], order: number[]]>([
	[{ sortBy: 'clicks', sort: 'asc' }, 'clicks', [1, 10], [2, 9], [1, 11, 12, 2]],
	[{ sortBy: 'clicks', sort: 'desc' }, 'clicks', [10, 1], [9, 2], [1, 11, 12, 2]],
	[{ sortBy: 'clicks' }, 'clicks', [10, 1], [9, 2], [1, 11, 12, 2]],
	[{ sortBy: 'alias', sort: 'asc' }, 'alias', ['a', 'c'], ['B', 'Ç'], [1, 11, 2, 12]],
	[{ sortBy: 'alias', sort: 'desc' }, 'alias', ['c', 'a'], ['B'], [1, 11, 2]],
	// A link without a title comes first.
	[{ sortBy: 'title', sort: 'asc' }, 'title', ['a'], [null, 'b'], [11, 1, 12]],
	[{ sortBy: 'title', sort: 'asc' }, 'title', [null, 'a'], ['b'], [1, 2, 11]],
	[{ sortBy: 'title', sort: 'asc' }, 'title', [null], [null], [1, 11]],
	[{ sortBy: 'title', sort: 'desc' }, 'title', ['a', null], ['b'], [11, 1, 2]],
])('merges lists with %j of %s', (sorting, field, one, other, order) => {
	const lists = [having(field, 1, ...one), having(field, 11, ...other)];
	expect(ids(mergeLists(sorted(sorting), lists))).toEqual(order);
});
