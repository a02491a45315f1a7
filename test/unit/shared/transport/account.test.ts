import { addressWithin, apiRoot, readAccount } from '../../../../nodes/shared/transport/account';

const baseUrl = 'https://links.example';

const root = 'https://links.example/api/v1';

it.each<[apiKey: unknown, key: string]>([
	['k', 'k'],
	['\u200bkey\ufeff', 'key'],
	['a key with spaces', 'a key with spaces'],
	['bearer  key ', 'key'],
	['Authorization: Bearer key', 'key'],
	["'Bearer key'", 'key'],
	['“key”', 'key'],
	['bearerkey', 'bearerkey'],
	['key-with-"-and-bearer key', 'key-with-"-and-bearer key'],
	['ÿ', 'ÿ'],
])('reads the key %j', (apiKey, key) => {
	expect(readAccount({ baseUrl, apiKey } as never)).toEqual({ root, apiKey: key });
});

it.each<[credential: object, message: RegExp]>([
	...['', ' \n', undefined, 'Bearer ', '""'].map((apiKey): [object, RegExp] => [
		...([{ apiKey }, /^API Key is empty; paste it$/] as const),
	]),
	...['a\nb', 'a\u200bb', 'a€b'].map((apiKey): [object, RegExp] => [
		...([
			{ apiKey },
			/^API Key contains an impossible or invisible character; paste it again$/,
		] as const),
	]),
	[
		{ accountTimeZone: 'Berlin' },
		/^Account Time Zone "Berlin" does not exist; enter a name such as /,
	],
	[{ baseUrl: 'links', apiKey: '' }, /^Base URL must be the http or https address of the service/],
])('refuses %j', (credential, message) => {
	expect(() => readAccount({ baseUrl, apiKey: 'key', ...credential })).toThrow(message);
});

it.each([undefined, '', ' Europe/Berlin\n', 'UTC'])(
	'accepts the time zone %j',
	(accountTimeZone) => {
		const account = readAccount({ baseUrl, apiKey: 'key', accountTimeZone } as never);
		expect(account).toEqual({ root, apiKey: 'key' });
	},
);

it.each<[address: string, base: string | undefined, url: string]>([
	['/api/v1/links', undefined, 'https://links.example/go/api/v1/links'],
	['/links', 'https://links.example/go/', 'https://links.example/go/links'],
	['links', 'https://links.example/go', 'https://links.example/go/links'],
	['https://links.example/go', undefined, 'https://links.example/go'],
	['https://links.example/go/x?y=1', 'https://other.example', 'https://links.example/go/x?y=1'],
])('completes %j with the base %p', (address, base, url) => {
	const request = { url: address, baseURL: base };
	expect(addressWithin('https://links.example/go/api/v1', request)).toBe(url);
});

describe('the address of the API', () => {
	it.each([
		['https://links.example', 'https://links.example/api/v1'],
		['https://links.example/api/v1', 'https://links.example/api/v1'],
		['https://links.example/sub/api/v1//', 'https://links.example/sub/api/v1'],
		['https://links.example/api', 'https://links.example/api/api/v1'],
		['https://links.example/myapi/v1', 'https://links.example/myapi/v1/api/v1'],
		['http://localhost:8080', 'http://localhost:8080/api/v1'],
		['http://[::1]:8080', 'http://[::1]:8080/api/v1'],
		['HTTPS://LINKS.EXAMPLE/Sub', 'https://links.example/Sub/api/v1'],
		['  https://links.example/sub/\n', 'https://links.example/sub/api/v1'],
		['https://links.example/sub///api//v1', 'https://links.example/sub/api/v1'],
		['https://links.example/\u200b', 'https://links.example/api/v1'],
		['https://links.example/api/v1\u2060', 'https://links.example/api/v1'],
		['https://links.example/?page=2#top', 'https://links.example/api/v1'],
		['https://größe.example', 'https://xn--gre-6ka8i.example/api/v1'],
	])('for %j is %s', (baseUrl, root) => {
		expect(apiRoot(baseUrl)).toBe(root);
	});

	it.each([
		...['', 'links.example/sub', 'localhost:8080', '//links.example', 'https:///', 'https:/a'],
		...['https:// links.example', 'https://?a=b', 'https://#a', 'https://links.example:99999'],
		...['ftp://links.example', 'javascript:x', 'xhttps://links.example', null, 5, {}],
	])('cannot be had from %j', (baseUrl) => {
		expect(apiRoot(baseUrl)).toBeUndefined();
	});
});
