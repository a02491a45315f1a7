import { ColumnNameSet } from '../../../../nodes/shared/contract/columnNameSet';

it('has a column by its exact name, or else by a similar one', () => {
	const list = new ColumnNameSet(
		['Notes', 'Internal ID', ' '],
		new Set(['Notes', 'notes', 'internal_id']),
	);
	expect(list.has('Notes')).toBe(true);
	expect(list.has('notes')).toBe(false);
	expect(list.has('internal_id')).toBe(true);
	expect(list.has('other')).toBe(false);
	expect(list.has('')).toBe(false);
});

it('knows the names that mean no column', () => {
	const columns = new Set(['Notes', 'internal_id']);
	expect(
		new ColumnNameSet(['Notes', 'Internal ID', 'Other'], columns).missingFrom(columns),
	).toEqual(['Other']);
});
