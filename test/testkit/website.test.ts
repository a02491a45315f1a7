import { useReferenceService } from '../support/referenceService.ts';

const { call, column, createLink, current } = useReferenceService();

describe('the web site', () => {
	test.each([
		['GET', '/', 200],
		['GET', '/login', 200],
		['GET', '/s/nothing', 404],
		['GET', '/app/v1/links', 404],
		['POST', '/', 419],
	])('%s %s is a page with status %d', async (method, path, status) => {
		const answer = await call(method, path);
		expect(answer.status).toBe(status);
		expect(answer.headers['content-type']).toContain('text/html');
	});

	test('short URLs lead to the destination', async () => {
		const alias = 'a'.repeat(255);
		await createLink({ alias, url: 'https://one.example/ä\nb' });
		await createLink({ alias, url: 'https://two.example/', domain_id: '2' });
		const locations = [];
		for (const url of await column('links?sort=asc', 'short_url')) {
			const { status, headers } = await call('GET', String(url).slice(current().url.length));
			locations.push(status, headers.location);
		}
		expect(locations).toEqual([302, 'https://one.example/%C3%A4b', 302, 'https://two.example/']);
	});
});
