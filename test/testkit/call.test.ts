import { key, useReferenceService } from '../support/referenceService.ts';

const { call, current } = useReferenceService();

describe('keys', () => {
	test.each([undefined, 'Bearer wrong', `Basic ${key}`, key])(
		'%s is no key',
		async (authorization) => {
			const json = await call('GET', '/api/v1/links', {
				headers: { authorization: authorization },
			});
			expect([json.status, JSON.parse(json.text)]).toEqual([401, { message: 'Unauthenticated.' }]);
			for (const accept of [undefined, '*/*', 'text/html']) {
				const headers = { authorization: authorization, accept };
				const other = await call('GET', '/api/v1/links', { headers });
				expect([other.status, other.headers.location]).toEqual([302, '/login']);
			}
		},
	);

	test('nothing is written without a key', async () => {
		const form = { url: 'https://example.com', domain_id: '1' };
		const headers = { authorization: 'Bearer wrong' };
		expect((await call('POST', '/api/v1/links', { form, headers })).status).toBe(401);
		expect(current().counts().links).toBe(0);
	});

	test('a key can be revoked while the service runs', async () => {
		current().apiKeys.add('another-key');
		current().apiKeys.delete(key);
		expect((await call('GET', '/api/v1/links')).status).toBe(401);
		const headers = { authorization: 'Bearer another-key' };
		expect((await call('GET', '/api/v1/links', { headers })).status).toBe(200);
	});
});
