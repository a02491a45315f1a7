import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { askNode, loadPackage } from '../../support/n8n.ts';
import { linkAs, oneOf, useScriptedService } from '../../support/scriptedService.ts';
import { byId, jsonOf } from '../../support/service.ts';

const account = { baseUrl: 'https://links.example/app/', apiKey: 'a-key-of-the-account' };

/** Signs a request with the built credential type, as n8n does. */
async function signed(request: object, credentials = account): Promise<unknown> {
	const { authenticate } = (await loadPackage()).getCredential('linkManagementApi');
	if (typeof authenticate !== 'function') throw new Error('authenticate is expected as a function');
	return await authenticate(credentials, request as IHttpRequestOptions);
}

const headers = { Accept: 'application/json' };
const signedHeaders = { ...headers, Authorization: `Bearer ${account.apiKey}` };

/** What each signed request has. */
const signature = { headers: signedHeaders, sendCredentialsOnCrossOriginRedirect: false };

// n8n's own helpers pass `url`, its HTTP Request node passes `uri`.
describe.each(['url', 'uri'])('a request with its address as %s', (key) => {
	it('gets the bearer header, and keeps everything else', async () => {
		const request = { method: 'GET', [key]: 'https://links.example/app/api/v1/stats?from=1' };
		expect(await signed({ ...request, headers })).toEqual({ ...request, ...signature });
	});

	it('gets the base URL in front of a path under /api/v1', async () => {
		expect(await signed({ [key]: '/api/v1/links', headers })).toEqual({
			[key]: 'https://links.example/app/api/v1/links',
			...signature,
		});
	});

	it.each([
		'https://LINKS.example:443/app/x',
		'https://links.example/app',
		'https://links.example/app?from=1',
		'https://links.example/other/../app/x',
		'https:\\\\links.example\\app\\x',
	])('is signed if that is the address of the service, however it is written: %s', async (url) => {
		expect(await signed({ [key]: url })).toMatchObject({
			headers: { Authorization: `Bearer ${account.apiKey}` },
			[key]: expect.stringMatching(/^https:\/\/links\.example\/app/),
		});
	});

	it.each([
		['another host', 'https://evil.example/app/api/v1/links'],
		[
			'another host, with the name of the service as its user',
			'https://links.example@evil.example/app/',
		],
		['another host behind backslashes', 'https:\\\\evil.example\\app\\links'],
		['another host behind a backslash', 'https://evil.example\\@links.example/app/'],
		['a host that begins with the name', 'https://links.example.evil.example/app/'],
		['a host that ends with the name', 'https://evil-links.example/app/'],
		['a host without a protocol', '//links.example/app/links'],
		['another protocol', 'http://links.example/app/links'],
		['another port', 'https://links.example:8443/app/links'],
		['another folder', 'https://links.example/links'],
		['a folder that begins with the name', 'https://links.example/apple/links'],
		['a way out of the folder', 'https://links.example/app/../links'],
		['an encoded way out of the folder', 'https://links.example/app/%2e%2E/links'],
		['a way out with an encoded slash', 'https://links.example/app/..%2flinks'],
		['a way out with an encoded backslash', 'https://links.example/app/x%5C..%5C..%5Clinks'],
		['a way out of a path', '/api/v1/../../../links'],
		['a path outside of the API', '/links'],
		['no address', ''],
	])('is not signed for %s', async (_name, url) => {
		await expect(signed({ [key]: url, headers })).rejects.toThrow(
			/^This credential works only for URLs under its Base URL/,
		);
	});

	it('is completed by a base URL of its own only within the service', async () => {
		const url = 'stats?from=1';
		expect(await signed({ [key]: url, headers, baseURL: 'https://links.example/app/' })).toEqual({
			...{ [key]: 'https://links.example/app/stats?from=1', ...signature },
		});
		for (const baseURL of ['https://evil.example/', 'https://links.example/', '//evil.example/']) {
			await expect(signed({ [key]: url, baseURL })).rejects.toThrow(/only for URLs under/);
		}
	});
});

it('signs no request that has another address beside that of the service', async () => {
	const [url, uri] = ['https://links.example/app/x', 'https://evil.example/'];
	await expect(signed({ url, uri })).rejects.toThrow(/only for URLs under/);
	await expect(signed({})).rejects.toThrow(/only for URLs under/);
});

it.each([
	['a proxy', { proxy: 'http://evil.example' }],
	['a proxy in parts', { proxy: { host: 'evil.example', port: 80 } }],
	['a socket', { socketPath: '/tmp/evil.sock' }],
	['a Host header', { headers: { host: 'evil.example' } }],
])('signs no request with %s of its own', async (_name, detour) => {
	await expect(signed({ url: '/api/v1/links', ...detour })).rejects.toThrow(
		/^This credential does not work with the Proxy option or a Host header/,
	);
});

it('has authenticate as a property of its own, which n8n looks for before it offers Custom API Call', async () => {
	const type = (await loadPackage()).getCredential('linkManagementApi');
	expect({ ...type }).toMatchObject({ authenticate: expect.any(Function) });
});

const zeroWidth = '\u200B';

describe('a request of the node, or of the HTTP Request node', () => {
	const { current, link } = useScriptedService();

	it('does not leave with a key that cannot be used, and nothing shows the key', async () => {
		const parameters = { url: 'https://example.com/' };
		for (const [apiKey, problem] of [
			[
				`secret${zeroWidth}key`,
				/API Key contains an impossible or invisible character; paste it again/,
			],
			[' ', /API Key is empty; paste it/],
		] as const) {
			const run = { credential: { apiKey }, parameters };
			const stopped = await link('create', run);
			expect(stopped.error?.message).toMatch(problem);
			const continued = await link('create', { ...run, onError: 'continueRegularOutput' });
			expect(jsonOf(continued)[0]?.error).toMatch(problem);
			for (const { stored } of [stopped, continued]) expect(stored).not.toContain('secret');
		}
		expect(current().requests).toEqual([]);
	});

	it('reads the expiry of a link in the time zone of the account, else of the workflow', async () => {
		const soon = new Date(Date.now() + 60 * 60_000).toISOString().slice(0, 19).replace('T', ' ');
		current().follow(() => oneOf(linkAs({ ends_at: soon })));
		const statuses: unknown[] = [];
		for (const accountTimeZone of ['Pacific/Kiritimati', 'Pacific/Niue', ' ']) {
			const result = await link('get', {
				timezone: 'Asia/Tokyo',
				credential: { accountTimeZone },
				parameters: { linkId: byId(1) },
			});
			statuses.push(jsonOf(result)[0]?.status);
		}
		expect(statuses).toEqual(['expired', 'active', 'expired']);
	});

	it('takes the key to no other host that a short link leads to', async () => {
		const keys: unknown[] = [];
		const other = createServer(({ headers: { authorization } }, response) => {
			keys.push(authorization);
			response.end('{}');
		});
		await new Promise<void>((done) => other.listen(0, '127.0.0.1', done));
		const location = `http://127.0.0.1:${(other.address() as AddressInfo).port}/`;
		current().follow(() => ({ status: 302, headers: { location } }));
		const credential = { baseUrl: current().url, apiKey: account.apiKey };
		await askNode({ node: 'link', credential }, async (_type, context) => {
			const call = async (uri: string) =>
				await context.helpers.requestWithAuthentication.call(context, 'linkManagementApi', {
					...{ method: 'GET', uri },
				});
			await call(`${credential.baseUrl}/s/one`);
			await expect(call(location)).rejects.toThrow(/only for URLs under its Base URL/);
		});
		await new Promise((done) => other.close(done));
		expect(current().requests).toHaveLength(1);
		expect(keys).toEqual([undefined]);
	});
});
