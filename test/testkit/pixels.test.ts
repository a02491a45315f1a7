import { moment, useReferenceService } from '../support/referenceService.ts';

const { ask, badFields, column, createLink, readLink } = useReferenceService();

describe('pixel endpoints', () => {
	const pixel = { name: 'Ads', type: 'google-ads', value: 'AW-123_4' };

	test('create, read, update and delete', async () => {
		const created = await ask('POST', '/api/v1/pixels', pixel);
		const data = { id: 4, ...pixel, created_at: moment, updated_at: moment };
		expect(created).toEqual({ status: 201, body: { data, status: 200 } });
		expect(await ask('GET', '/api/v1/pixels/4')).toEqual({
			status: 200,
			body: { data, status: 200 },
		});
		expect(await ask('PUT', '/api/v1/pixels/4', { value: 'AW-9' })).toEqual({
			status: 200,
			body: { data: { ...data, value: 'AW-9' }, status: 200 },
		});
		expect(await ask('DELETE', '/api/v1/pixels/4')).toEqual({
			status: 200,
			body: { id: 4, object: 'pixel', deleted: true, status: 200 },
		});
		expect(await column('pixels', 'id')).toEqual([3, 2, 1]);
	});

	test('a deleted pixel leaves the links', async () => {
		const { id } = await createLink({ 'pixel_ids[]': '1' });
		await ask('DELETE', '/api/v1/pixels/1');
		expect((await readLink(id)).pixels).toEqual([]);
	});

	test.each([
		['name missing', { ...pixel, name: '' }, ['name']],
		['name too long', { ...pixel, name: 'é'.repeat(33) }, ['name']],
		['name taken', { ...pixel, name: 'Analytics' }, ['name']],
		['type missing', { name: 'n', value: 'v' }, ['type']],
		['type unknown', { ...pixel, type: 'x' }, ['type']],
		['value missing', { name: 'n', type: 'bing' }, ['value']],
		['value with a space', { ...pixel, value: 'a b' }, ['value']],
		['value too long', { ...pixel, value: 'v'.repeat(256) }, ['value']],
		['everything missing', {}, ['name', 'type', 'value']],
		['at the bounds', { ...pixel, name: '😀'.repeat(32), value: 'v'.repeat(255) }, 201],
	])('create with %s', async (_what, form, outcome) => {
		expect(await badFields('POST', '/api/v1/pixels', form)).toEqual(outcome);
	});
});
