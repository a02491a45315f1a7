import { HeadingList } from '../../../../nodes/shared/contract/headingList';

it('has a column by its exact name, or else by a similar one', () => {
	const list = new HeadingList(
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
	expect(new HeadingList(['Notes', 'Internal ID', 'Other'], columns).without(columns)).toEqual([
		'Other',
	]);
});
