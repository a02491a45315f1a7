import { plannedRequest, withRequest } from '../../../../nodes/shared/operations/dryRunRequest';
import { rowOf } from '../../../support/operationRun.ts';

const root = 'https://links.example/api/v1';

const headers = { Accept: 'application/json', Authorization: 'Bearer ••••••' };

const form = { ...headers, 'Content-Type': 'application/x-www-form-urlencoded' };

it('shows the request of a create, without passwords', () => {
	const row = rowOf('create', {
		url: 'https://example.com/',
		alias: 'a',
		additionalFields: { password: 'secret', pixelIds: '1, 2' } as never,
	});
	expect(plannedRequest(root, row)).toEqual({
		method: 'POST',
		url: `${root}/links`,
		headers: form,
		form: {
			...{ url: 'https://example.com/', password: '••••••', alias: 'a' },
			'pixel_ids[]': ['1', '2'],
		},
	});
});

it('shows a password that is cleared', () => {
	const row = rowOf('update', { linkId: '7', clearFields: ['password'] } as never);
	expect(plannedRequest(root, row)).toMatchObject({
		url: `${root}/links/7`,
		form: { password: '' },
	});
});

it('shows the query of a list', () => {
	const row = rowOf('getAll', {
		returnAll: true,
		filters: { search: 'a', searchBy: 'alias' } as never,
	});
	expect(plannedRequest(root, row)).toEqual({
		...{ method: 'GET', url: `${root}/links`, headers },
		query: { search: 'a', search_by: 'alias' },
	});
});

it('shows the names of a search in several fields as a list', () => {
	const row = rowOf('getAll', {
		returnAll: true,
		filters: { search: 'a', searchBy: 'anywhere' } as never,
	});
	expect(plannedRequest(root, row).query).toEqual({
		search: 'a',
		search_by: ['alias', 'url', 'title'],
	});
});

it('escapes an ID in the path', () => {
	expect(plannedRequest(root, rowOf('get', { linkId: 'a b$&' }))).toMatchObject({
		url: `${root}/links/a%20b%24%26`,
	});
});

it('shows what depends on an answer next to the request', () => {
	const add = rowOf('update', {
		linkId: '7',
		updateFields: {
			pixelIds: '1',
			pixelMode: 'add',
		} as never,
	});
	expect(plannedRequest(root, add)).toMatchObject({
		add: expect.objectContaining({}),
		form: {},
	});
	const byUrl = rowOf('get', {
		linkId: { mode: 'url', value: 'https://short.example/b' },
	} as never);
	expect(plannedRequest(root, byUrl)).toMatchObject({
		url: `${root}/links/{id}`,
		shortUrl: 'https://short.example/b',
	});
	expect(Object.keys(plannedRequest(root, rowOf('get', { linkId: '7' })))).toEqual([
		...['method', 'url', 'headers', 'query'],
	]);
});

it('adds the write of a plan to its items', () => {
	const { contract, fields } = rowOf('update', { linkId: '7', updateFields: { alias: 'b' } });
	const resources = [{ note: 'x' }];
	expect(
		withRequest(root, {
			...{ resources, outcome: 'updated' },
			write: { contract, endpoint: 'update', id: '7', fields },
		}),
	).toEqual({
		outcome: 'updated',
		resources: [
			{
				note: 'x',
				request: { method: 'PUT', url: `${root}/links/7`, headers: form, form: { alias: 'b' } },
			},
		],
	});
	expect(withRequest(root, { resources, outcome: 'unchanged' }).resources).toEqual([
		{ note: 'x', request: null },
	]);
});

it('shows separately the values that the node adds to a list or removes from it', () => {
	const row = rowOf('update', {
		linkId: '7',
		updateFields: {
			country: { rules: [{ key: 'DE', value: 'https://example.com/' }] },
			ruleMode: 'remove',
			pixelIds: '1, 2',
			pixelMode: 'add',
			disabled: true,
		},
	});
	const { form: sent, add, remove } = plannedRequest(root, row);
	expect({ sent, add, remove }).toEqual({
		sent: { disabled: '1' },
		add: { 'pixel_ids[]': ['1', '2'] },
		remove: { 'country[0][key]': 'DE' },
	});
	const both = rowOf('update', {
		linkId: '7',
		updateFields: { pixelIds: '1', pixelMode: 'add' },
	});
	expect(plannedRequest(root, both)).toMatchObject({ form: {}, add: { 'pixel_ids[]': '1' } });
	expect(plannedRequest(root, both)).not.toHaveProperty('remove');
});

it('shows the filters that the node applies itself', () => {
	const created = new Date('2026-01-01T00:00:00Z');
	const row = rowOf('getAll', {
		returnAll: true,
		filters: { status: 1, createdAfter: created, clicksAtLeast: 5, hasPassword: false },
	});
	expect(plannedRequest(root, row)).toMatchObject({
		query: { status: '1' },
		filters: { createdAfter: String(created), clicksAtLeast: 5, hasPassword: false },
	});
	expect(plannedRequest(root, rowOf('getAll', { returnAll: true }))).not.toHaveProperty('filters');
});
