import {
	requiredTexts,
	plannedDelete,
	plannedItem,
	plannedReconcile,
	plannedUpdate,
} from '../../../../nodes/shared/operations/dryRunPlan';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = rowOf('upsert', {
	...{ alias: 'a', url: 'https://example.com/' },
	additionalFields: { disabled: true } as never,
});

const disabled = row.fields.filter(({ field }) => field.name === 'disabled');

it('has the same keys for each item, and no empty value', () => {
	const { resources } = plannedItem(row, { outcome: 'created', note: 'New' });
	expect(resources).toEqual([
		{ outcome: 'created', id: null, alias: '–', before: '–', after: '–', note: 'New' },
	]);
});

it.each<[existing: object | undefined, text: string | undefined, alias: string]>([
	[{ id: 5, alias: 'a' }, 'b', 'a'],
	[{ id: 5, alias: '' }, 'b', 'b'],
	[{ id: 5, alias: { text: 'a' } }, undefined, '–'],
	[{ id: 5, alias: 7 }, undefined, '7'],
	[undefined, 'b', 'b'],
])('names the link %j with the text %p', (existing, text, alias) => {
	const planned = plannedItem(row, {
		outcome: 'read',
		note: 'x',
		existing: existing as never,
		text,
	});
	expect(planned.resources[0]).toMatchObject({ alias, id: existing ? 5 : null });
});

it('shows an update', () => {
	const existing = linkLike({ id: 5 });
	expect(plannedUpdate(row, existing, disabled, { outcome: 'updated', note: 'x' })).toEqual({
		outcome: 'updated',
		resources: [
			{
				...{ outcome: 'updated', id: 5, alias: 'a', note: 'x' },
				...{ before: 'Disabled: false', after: 'Disabled: true' },
			},
		],
	});
});

describe('the step of a row', () => {
	const noteOf = (...given: Parameters<typeof plannedReconcile>) =>
		plannedReconcile(...given).resources[0]?.note;

	it('is a create', () => {
		const planned = plannedReconcile(row, { changes: [] });
		expect(planned).toMatchObject({
			outcome: 'created',
			resources: [{ alias: 'a', note: 'New', after: expect.stringContaining('Alias: a') }],
		});
		expect(noteOf(row, { changes: [] }, 'Other')).toBe('Other');
	});

	it('is nothing', () => {
		const planned = plannedReconcile(row, { existing: linkLike({ id: 5 }), changes: [] });
		expect(planned).toMatchObject({
			outcome: 'unchanged',
			resources: [{ id: 5, note: 'Nothing to change' }],
		});
	});

	it('is an update', () => {
		const existing = linkLike({ id: 5 });
		expect(noteOf(row, { existing, changes: disabled })).toBe('Changes 1 field');
		expect(noteOf(row, { existing, changes: row.fields })).toBe('Changes 3 fields');
		expect(noteOf(row, { existing, changes: disabled }, 'Other')).toBe('Other');
	});

	it('fails where the run would', () => {
		const problem = { field: 'Privacy', key: 'privacy', what: 'needs a password' };
		const half = { ...row, incompleteFields: [problem] };
		expect(() => plannedReconcile(half, { changes: [] })).toThrow('Privacy needs a password');
	});
});

it('shows a delete with what identifies the link', () => {
	expect(requiredTexts(row, linkLike())).toBe('Destination URL: https://example.com/');
	expect(plannedDelete(row, linkLike({ id: 5 }), 'Deletes permanently')).toMatchObject({
		resources: [{ before: 'Destination URL: https://example.com/', note: 'Deletes permanently' }],
	});
});
