import type { IHttpRequestOptions } from 'n8n-workflow';
import { loadPackage } from './support/n8n.ts';

const account = { baseUrl: 'https://links.example/app/', apiKey: 'a-key-of-the-account' };

/** Signs a request with the built credential type, as n8n does. */
async function signed(request: object, credentials = account): Promise<unknown> {
	const { authenticate } = (await loadPackage()).getCredential('linkManagementApi').type;
	if (typeof authenticate !== 'function') throw new Error('authenticate is expected as a function');
	return await authenticate(credentials, request as IHttpRequestOptions);
}

const headers = { Accept: 'application/json' };
const signedHeaders = { ...headers, Authorization: `Bearer ${account.apiKey}` };

// n8n's own helpers pass `url`, its HTTP Request node passes `uri`.
describe.each(['url', 'uri'])('a request with its address as %s', (key) => {
	it('gets the bearer header, and keeps everything else', async () => {
		const request = { method: 'GET', [key]: 'https://links.example/app/api/v1/stats?from=1' };
		expect(await signed({ ...request, headers })).toEqual({ ...request, headers: signedHeaders });
	});

	it('gets the base URL in front of a path under /api/v1', async () => {
		expect(await signed({ [key]: '/api/v1/links', headers })).toEqual({
			[key]: 'https://links.example/app/api/v1/links',
			headers: signedHeaders,
		});
	});
});

it('has authenticate as a property of its own, which n8n looks for before it offers Custom API Call', async () => {
	const { type } = (await loadPackage()).getCredential('linkManagementApi');
	expect({ ...type }).toMatchObject({ authenticate: expect.any(Function) });
});

it('leaves the request that it is given unchanged', async () => {
	const request = { url: '/api/v1/links', headers: { ...headers } };
	await signed(request);
	expect(request).toEqual({ url: '/api/v1/links', headers });
});

it('refuses a base URL that is no address', async () => {
	await expect(
		signed({ uri: 'https://links.example/' }, { ...account, baseUrl: 'links' }),
	).rejects.toThrow(/^Base URL must be/);
});
