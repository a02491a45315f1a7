import { useReferenceService, type Options } from '../support/referenceService.ts';

const { ask, badFields, createLink, current, rows } = useReferenceService();

describe('strict mode', () => {
	beforeEach(() => current().set({ strict: true }));
	const form = { url: 'https://example.com', domain_id: '1' };

	test.each<[string, string, Options['form'], string[]]>([
		['POST', '/api/v1/links', { ...form, title: 'x' }, ['title']],
		['POST', '/api/v1/links', { ...form, url: 'x', title: 'x' }, ['title', 'url']],
		['POST', '/api/v1/links?page=1', form, ['page']],
		['POST', '/api/v1/links', { ...form, 'rotation[0][key]': 'x' }, ['rotation.0.key']],
		['PUT', '/api/v1/links/1', { domain_id: '2' }, ['domain_id']],
		['PUT', '/api/v1/links/1', { domain: '2' }, ['domain']],
		['POST', '/api/v1/pixels', { name: 'n', type: 'bing', value: 'v', id: '1' }, ['id']],
		['PUT', '/api/v1/pixels/1', { note: '' }, ['note']],
		['GET', '/api/v1/links?search=x&limit=5', undefined, ['limit']],
		['GET', '/api/v1/pixels?status=1', undefined, ['status']],
		['GET', '/api/v1/links/1?page=1', undefined, ['page']],
		['DELETE', '/api/v1/links/1?force=1', undefined, ['force']],
	])('%s %s %j has an unknown name', async (method, path, fields, bad) => {
		await createLink();
		expect(await badFields(method, path, fields)).toEqual(bad);
		expect(current().counts()).toEqual({ links: 1, pixels: 3 });
		current().set({ strict: false });
		const lenient = [await badFields(method, path, fields)].flat();
		expect(lenient).not.toContain(bad.includes('title') ? 'title' : bad[0]);
	});

	test('everything that the contract knows passes', async () => {
		const rest = {
			alias: 'all',
			password: 'p',
			space_id: '1',
			'pixel_ids[]': '1',
			disabled: '0',
			privacy: '2',
			privacy_password: 'p',
			expiration_url: 'https://example.com',
			expiration_date: '2030-01-01',
			expiration_time: '10:00',
			expiration_clicks: '5',
			target_type: '0',
			'country[0][key]': 'DE',
			'country[0][value]': 'https://example.com',
			'platform[0][key]': 'iOS',
			'platform[0][value]': 'https://example.com',
			'language[0][key]': 'de',
			'language[0][value]': 'https://example.com',
			'rotation[0][value]': 'https://example.com',
		};
		expect((await ask('POST', '/api/v1/links', { ...form, domain: '1', ...rest })).status).toBe(
			201,
		);
		expect((await ask('PUT', '/api/v1/links/1', { url: 'app://x', ...rest })).status).toBe(200);
		const query = 'search=nothing&search_by=url&sort_by=id&sort=asc&per_page=10&page=1';
		const ids = 'status=0&space_id=1&domain_id=1&pixel_id=1';
		expect(await rows(`links?${query}&${ids}`)).toEqual([]);
		expect(await rows(`pixels?${query}&type=bing`)).toEqual([]);
	});
});
