import { shortUrl } from '../../../../nodes/Link/fields/shortUrl';
import { Invalid } from '../../../../nodes/shared/contract/types';

const property = {
	displayName: 'Link',
	name: 'linkId',
	type: 'resourceLocator',
	default: '',
} as const;

it.each<[value: unknown, search: string, key: string]>([
	['https://short.example/Spring', 'Spring', 'short.example/Spring'],
	[' HTTP://Short.Example/a/b/?x=1#y ', 'b', 'short.example/a/b'],
	['short.example.:443/a', 'a', 'short.example/a'],
	['short.example/gr%C3%B6%C3%9Fe', 'größe', 'short.example/größe'],
	['short.example/%E4', '%E4', 'short.example/%E4'],
	[{ __rl: true, mode: 'url', value: 'short.example/a' }, 'a', 'short.example/a'],
])('reads the short URL %j', (value, search, key) => {
	expect(shortUrl.read(value, property, 'url')).toMatchObject({ search, key });
});

it.each(['short.example', 'https://short.example/', '/a', ':443/a', 'https://./a', 'a b/c', '', 5])(
	'refuses the short URL %j',
	(value) => {
		const read = shortUrl.read(value, property, 'url');
		expect(read).toBeInstanceOf(Invalid);
		const [reason] = (read as Invalid).reasons;
		expect(reason?.what).toMatch(/is not a short URL; enter one like/);
		expect(reason?.value).toBe(JSON.stringify(value));
	},
);

it.each(['url', 'alias'])('refuses half a character by %s', (mode) => {
	expect(shortUrl.read('short.example/\ud800', property, mode)).toBeInstanceOf(Invalid);
});

it('takes only a whole URL for one in place of an ID', () => {
	expect(shortUrl.read('short.example/a', property, 'id')).toBeUndefined();
	expect(shortUrl.read('7', property, 'id')).toBeUndefined();
	expect(shortUrl.read('https://short.example/a', property, 'id')).toMatchObject({ search: 'a' });
});

it.each<[value: unknown, alias: string]>([
	['Spring-7', 'Spring-7'],
	[' 42 ', '42'],
	[42, '42'],
	[{ __rl: true, mode: 'alias', value: 'short.example/a' }, 'short.example/a'],
])('reads the alias %j exactly', (value, alias) => {
	const reference = { text: alias, kind: 'alias', search: alias, key: `/${alias}` };
	expect(shortUrl.read(value, property, 'alias')).toEqual(reference);
});

it('refuses a URL as an alias', () => {
	expect(shortUrl.read('https://short.example/a', property, 'alias')).toMatchObject({
		reasons: [{ what: 'is not an alias; choose By Short URL for it' }],
	});
});

it('knows the names of a link, whose alias a list may cut', () => {
	expect(
		shortUrl.keysOf({
			...{ short_url: 'https://Short.example/bc', alias: 'b', domain: { name: 'other.example' } },
		}),
	).toEqual(['short.example/bc', 'other.example/b', '/b']);
	expect(shortUrl.keysOf({ short_url: null, alias: null, domain: null })).toEqual([]);
});
