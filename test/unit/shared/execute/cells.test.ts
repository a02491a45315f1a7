import { linkContract } from '../../../../nodes/Link/link.contract';
import { fillableFields, mapColumns } from '../../../../nodes/shared/contract/columns';
import { withColumnNames } from '../../../../nodes/shared/execute/cells';

const fields = fillableFields(linkContract, 'create');
const { targets } = mapColumns(fields, ['Long URL', 'alias', 'utm_source', 'utm_medium']);
const cells = { 'Long URL': 'x', alias: ' ', utm_source: 'a', utm_medium: 'b' };

const columnsOf = (problem: object, isReplaced = false) =>
	withColumnNames(
		[{ field: 'Field', key: 'url', what: 'is wrong', ...problem }],
		{ targets },
		cells,
		() => isReplaced,
	).map(({ columns }) => columns);

it.each<[what: string, problem: object, columns: string[] | undefined]>([
	['a value of a cell', {}, ['Long URL']],
	['a field whose cell is empty', { key: 'alias' }, undefined],
	['a field without a column', { key: 'space_id' }, undefined],
	['an input', { key: 'utm', input: 'utm_medium' }, ['utm_medium']],
	['all inputs', { key: 'utm' }, undefined],
	['the whole run', { isRunLevel: true }, undefined],
])('a problem with %s has its columns', (_what, problem, columns) => {
	expect(columnsOf(problem)).toEqual([columns]);
});

it('a problem with the value of an expression has no columns', () => {
	expect(columnsOf({}, true)).toEqual([undefined]);
});
