import { LinkManagementApi } from '../../../credentials/LinkManagementApi.credentials';
import { unsupportedMessage } from '../../../nodes/shared/transport/generation';

const { authenticate, test: check } = new LinkManagementApi();

const credential = { baseUrl: 'https://links.example/go', apiKey: ' key ' };

const sign = async (request: Record<string, unknown>, given: object = credential) =>
	await authenticate(given as never, request as never);

const foreign =
	'This credential works only for URLs under its Base URL; enter another URL, or choose another credential';

const detour =
	'This credential does not work with the Proxy option or a Host header, because they would send the API key to another host; remove them';

it.each(['url', 'uri'])('adds the key and completes the address in `%s`', async (name) => {
	expect(await sign({ [name]: '/api/v1/links', headers: { Accept: 'x' }, method: 'GET' })).toEqual({
		[name]: 'https://links.example/go/api/v1/links',
		headers: { Accept: 'x', Authorization: 'Bearer key' },
		...{ method: 'GET', baseURL: undefined, sendCredentialsOnCrossOriginRedirect: false },
	});
});

it('completes an address with the base of its request', async () => {
	const signed = await sign({ url: 'links', baseURL: 'https://links.example/go/api/v1' });
	expect(signed).toMatchObject({ url: 'https://links.example/go/api/v1/links' });
	expect(signed).toHaveProperty('baseURL', undefined);
});

it.each<[what: string, request: Record<string, unknown>, message: string]>([
	['another host', { url: 'https://other.example/go/api/v1' }, foreign],
	['another folder', { url: 'https://links.example/' }, foreign],
	[
		'one of two addresses elsewhere',
		{ url: '/api/v1/links', uri: 'https://other.example/' },
		foreign,
	],
	['no address', {}, foreign],
	['a proxy', { url: '/api/v1/links', proxy: { host: 'x' } }, detour],
	['a socket', { url: '/api/v1/links', socketPath: '/x' }, detour],
	['a host header', { url: '/api/v1/links', headers: { ' HOST ': 'x' } }, detour],
])('refuses %s', async (_what, request, message) => {
	await expect(sign(request)).rejects.toThrow(new Error(message));
});

it('takes a proxy that is not set for none', async () => {
	expect(await sign({ url: '/api/v1/links', proxy: undefined, socketPath: '' })).toMatchObject({
		headers: { Authorization: 'Bearer key' },
	});
});

it('refuses a credential that cannot be used', async () => {
	const request = { url: '/api/v1/links' };
	await expect(sign(request, { ...credential, apiKey: '' })).rejects.toThrow(
		'API Key is empty; paste it',
	);
	await expect(sign(request, { ...credential, baseUrl: 'x' })).rejects.toThrow(/^Base URL must be/);
	await expect(sign(request, { ...credential, accountTimeZone: 'Mars/Base' })).rejects.toThrow(
		'Account Time Zone "Mars/Base" does not exist; enter a name such as Europe/Berlin, or leave it empty',
	);
});

it('tests the credential with a list of links', () => {
	expect(check.request).toMatchObject({ url: '/api/v1/links', disableFollowRedirect: true });
	const statuses = check.rules?.map(({ properties }) => properties.value);
	expect(statuses?.slice(0, 7)).toEqual([401, 403, 404, 302, 419, 429, '<']);
});

it('recognizes a later version by the first link of the list', () => {
	const rules: unknown[] | undefined = check.rules?.slice(7);
	const key = 'data[0].targets_type';
	for (const value of [null, 'country', 'rotation', 0, 4]) {
		const properties = { key, value, message: unsupportedMessage };
		expect(rules).toContainEqual({ type: 'responseSuccessBody', properties });
	}
	// The key is missing in a supported version, and n8n compares with ===.
	const values = check.rules?.map(({ properties }) => properties.value as unknown);
	expect(values).not.toContain(undefined);
});
