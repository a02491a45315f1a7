import { ColumnNameMap } from '../../../../nodes/shared/contract/columnNameMap';

const mapOf = (names: readonly string[], columns: ReadonlySet<string>) =>
	new ColumnNameMap(
		names.map((name) => [name, `value of ${name}`]),
		columns,
	);

it.each<[column: string, value: string | undefined]>([
	['Notes', 'value of Notes'],
	['notes', undefined],
	['internal_id', 'value of Internal ID'],
	['other', undefined],
	['', undefined],
])('finds column %j by its exact name, or else by its normalized name', (column, value) => {
	const columns = new Set(['Notes', 'notes', 'internal_id']);
	expect(mapOf(['Notes', 'Internal ID', ' '], columns).get(column)).toBe(value);
});

it('returns the names that match no column', () => {
	const columns = new Set(['Notes', 'internal_id']);
	const map = mapOf(['Notes', 'Internal ID', 'Other'], columns);
	expect(map.missingFrom(columns)).toEqual(['Other']);
});
