import { linkContract } from '../../../../nodes/Link/link.contract';
import { fillableFields, mapColumns } from '../../../../nodes/shared/contract/columns';
import { withColumnNames } from '../../../../nodes/shared/execute/cellProblems';

const fields = fillableFields(linkContract, 'upsert', 'alias');

/** The reasons of problems with the column that each names. */
function reasonsOf(
	cells: Readonly<Record<string, unknown>>,
	problems: readonly (readonly [key: string, reason: string, isRunLevel?: true])[],
) {
	const named = withColumnNames(
		problems.map(([key, reason, isRunLevel]) => ({ field: key, key, reason, isRunLevel })),
		mapColumns(fields, Object.keys(cells)),
		cells,
		({ property }) => property.name === 'password',
	);
	return named.map(({ reason }) => reason);
}

it('names the column of a cell, once for each column', () => {
	const cells = { Slug: 'a', Pixels: 'b', 'Short, URL': 'c' };
	expect(
		reasonsOf(cells, [
			['alias', 'is wrong; correct it'],
			['pixel_ids', 'y'],
			['pixel_ids', 'z'],
		]),
	).toEqual([
		'is wrong; correct it, or add the column Slug to Inputs to Ignore',
		'y; or add the column Pixels to Inputs to Ignore',
		'z',
	]);
});

it('names both columns of an expiration, and the column of a UTM parameter', () => {
	const cells = { 'Expiration Date': 'a', expiration_time: 'b', utm_source: 'c', 'UTM Term': 'd' };
	expect(
		reasonsOf(cells, [
			['expiration', 'x'],
			['utm', 'contain "d" as utm_term'],
		]),
	).toEqual([
		'x; or add the columns Expiration Date and expiration_time to Inputs to Ignore',
		'contain "d" as utm_term; or add the column UTM Term to Inputs to Ignore',
	]);
});

it('names no column for a value that does not come from a cell', () => {
	const cells = { alias: ' ', password: 'a', space: 'b' };
	const problems = [
		['alias', 'x'],
		['password', 'y'],
		['url', 'z'],
		['space_id', 's', true],
	] as const;
	expect(reasonsOf(cells, problems)).toEqual(['x', 'y', 'z', 's']);
});
