import { addressWithin, readAccount } from '../../../../nodes/shared/transport/account';

const baseUrl = 'https://links.example';

const root = 'https://links.example/api/v1';

it.each<[apiKey: unknown, key: string]>([
	['key', 'key'],
	['k', 'k'],
	['  key \n', 'key'],
	['\u200bkey\ufeff', 'key'],
	['a key with spaces', 'a key with spaces'],
	[5, '5'],
	['ÿ', 'ÿ'],
])('reads the key %j', (apiKey, key) => {
	expect(readAccount({ baseUrl, apiKey } as never)).toEqual({ root, apiKey: key });
});

it.each<[apiKey: unknown, message: string]>([
	['', 'API Key is empty; paste it'],
	[' \n', 'API Key is empty; paste it'],
	[undefined, 'API Key is empty; paste it'],
	['a\nb', 'API Key contains a line break or another control character; paste it again'],
	['a\u200bb', 'API Key contains an invisible character; paste it again'],
	['a€b', 'API Key contains a character that an HTTP header cannot have; paste it again'],
])('refuses the key %j', (apiKey, message) => {
	expect(readAccount({ baseUrl, apiKey } as never)).toBe(message);
});

it.each([undefined, '', ' ', 'Europe/Berlin', ' Europe/Berlin\n', 'UTC'])(
	'has the same account with the time zone %j',
	(accountTimeZone) => {
		const account = { root, apiKey: 'key' };
		expect(readAccount({ baseUrl, apiKey: 'key', accountTimeZone } as never)).toEqual(account);
	},
);

it('refuses a time zone that does not exist', () => {
	expect(readAccount({ baseUrl, apiKey: 'key', accountTimeZone: 'Berlin' })).toBe(
		'Account Time Zone "Berlin" does not exist; enter a name such as Europe/Berlin, or leave it empty',
	);
});

it('refuses a base URL before a key', () => {
	expect(readAccount({ baseUrl: 'links', apiKey: '' })).toMatch(/^Base URL must be/);
});

it.each<[address: string, base: string | undefined, url: string | undefined]>([
	['/api/v1/links', undefined, 'https://links.example/go/api/v1/links'],
	['/links', 'https://links.example/go/', 'https://links.example/go/links'],
	['links', 'https://links.example/go', 'https://links.example/go/links'],
	['https://links.example/go', undefined, 'https://links.example/go'],
	['https://links.example/go/x?y=1', 'https://other.example', 'https://links.example/go/x?y=1'],
	['https://links.example/', undefined, undefined],
	['https://links.example/gone', undefined, undefined],
	['https://links.example/go/../x', undefined, undefined],
	['https://links.example/go%2f..%2fx', undefined, undefined],
	['https://links.example/go/%2F..%5c../x', undefined, undefined],
	['http://links.example/go', undefined, undefined],
	['//other.example/go', 'https://links.example/go', undefined],
	['no address', undefined, undefined],
])('finds %j with the base %p', (address, base, url) => {
	expect(addressWithin('https://links.example/go/api/v1', address, base)).toBe(url);
});
