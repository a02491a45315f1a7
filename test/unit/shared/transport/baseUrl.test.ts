import { apiRoot } from '../../../../nodes/shared/transport/baseUrl';

describe('the address of the API', () => {
	it.each([
		['https://links.example', 'https://links.example/api/v1'],
		['https://links.example/', 'https://links.example/api/v1'],
		['https://links.example//', 'https://links.example/api/v1'],
		['https://links.example/sub', 'https://links.example/sub/api/v1'],
		['https://links.example/sub/', 'https://links.example/sub/api/v1'],
		['https://links.example/api/v1', 'https://links.example/api/v1'],
		['https://links.example/api/v1/', 'https://links.example/api/v1'],
		['https://links.example/sub/api/v1', 'https://links.example/sub/api/v1'],
		['https://links.example/sub/api/v1//', 'https://links.example/sub/api/v1'],
		['https://links.example/api', 'https://links.example/api/api/v1'],
		['https://links.example/api/v1x', 'https://links.example/api/v1x/api/v1'],
		['https://links.example/myapi/v1', 'https://links.example/myapi/v1/api/v1'],
		['http://links.example', 'http://links.example/api/v1'],
		['http://localhost:8080', 'http://localhost:8080/api/v1'],
		['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/api/v1'],
		['http://[::1]:8080', 'http://[::1]:8080/api/v1'],
		['HTTPS://LINKS.EXAMPLE/Sub', 'https://links.example/Sub/api/v1'],
		['https://links.example  ', 'https://links.example/api/v1'],
		['  https://links.example/sub/\n', 'https://links.example/sub/api/v1'],
		['https://links.example/?page=2#top', 'https://links.example/api/v1'],
		['https://größe.example', 'https://xn--gre-6ka8i.example/api/v1'],
	])('for %j is %s', (baseUrl, root) => {
		expect(apiRoot(baseUrl)).toBe(root);
	});

	it.each([
		...['', ' ', 'links.example', 'links.example/sub', 'localhost:8080', '//links.example'],
		...['https://', 'https:///', 'https:///links.example', 'https:links.example', 'https:/a'],
		...['https:// links.example', 'https://?a=b', 'https://#a', 'https://links.example:99999'],
		...['https://links example', 'ftp://links.example', 'file:///etc/passwd', 'javascript:x'],
		...['https', 'xhttps://links.example', null, undefined, 0, 5, true, {}, []],
	])('cannot be had from %j', (baseUrl) => {
		expect(apiRoot(baseUrl)).toBeUndefined();
	});
});
