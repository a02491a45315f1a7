import {
	destinationLookup,
	destinationSearchTexts,
	isDestinationMismatch,
	isDestinationKept,
} from '../../../../nodes/Link/fields/destination';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { Invalid } from '../../../../nodes/shared/contract/types';

const written = (url: string, more: object = {}) =>
	({ sent: { values: [['', url]] }, isCreate: false, ...more }) as never;

it.each<[url: string, texts: string[]]>([
	['https://example.com/path?q=1', ['example.com/path']],
	['https://example.com/', ['example.com']],
	[
		'https://größe.example/aaaaaaaaaaaaaaaa',
		['e.example/aaaaaaaaaaaaaaaa', 'xn--gre-6ka8i.example/aaaaaaaaaaaaaaaa'],
	],
	['mailto:a@example.com', ['example.com']],
	['€', ['€']],
])('searches for %s by %j', (url, texts) => {
	expect(destinationSearchTexts(url)).toEqual(texts);
});

it.each<[answered: unknown, before: unknown, kept: true | undefined]>([
	['https://old.example/', 'https://old.example', true],
	['https://new.example/', 'https://old.example', undefined],
	['https://old.example/', undefined, undefined],
	['', 'https://old.example', undefined],
])('knows whether %p is the old destination', (answered, before, kept) => {
	const more = before === undefined ? {} : { before: { url: before } };
	expect(isDestinationKept({ url: answered }, written('https://new.example/', more))).toBe(kept);
});

it('is denied after a create with another host or path', () => {
	const create = written('https://a.example/x', { isCreate: true });
	expect(isDestinationMismatch({ url: 'https://A.example/X/?ref=1' }, create)).toBe(false);
	expect(isDestinationMismatch({ url: 'https://a.example/y' }, create)).toBe(true);
	expect(isDestinationMismatch({ url: 'https://b.example/x' }, create)).toBe(true);
	const update = written('https://a.example/x', { before: { url: 'https://a.example/old' } });
	expect(isDestinationMismatch({ url: 'https://a.example/x' }, update)).toBe(false);
	expect(isDestinationMismatch({ url: 'https://a.example/old' }, update)).toBe(true);
});

describe('the destination in place of an ID', () => {
	const read = (value: unknown) => destinationLookup.read(value, linkContract.id);

	it('is searched for as it is written, and compared in normalized form', () => {
		const reference = {
			text: 'https://EXAMPLE.com:443/page',
			search: 'https://EXAMPLE.com:443/page',
			key: destinationLookup.keyOf({ url: 'https://example.com/page' }),
			lookup: destinationLookup,
		};
		expect(read('https://EXAMPLE.com:443/page')).toEqual(reference);
		expect(
			read({ __rl: true, mode: 'destinationUrl', value: ' https://EXAMPLE.com:443/page ' }),
		).toEqual(reference);
	});

	it('must be a complete URL', () => {
		const invalid = read('example.com/page');
		expect(invalid).toBeInstanceOf(Invalid);
		expect(invalid).toMatchObject({
			reasons: [expect.stringMatching(/^"example.com\/page" is not an absolute URL; start it/)],
		});
	});

	it.each<[url: unknown, isSame: boolean]>([
		['https://example.com/page', true],
		['https://example.com/page/', false],
		['https://example.com/page?a', false],
		[null, false],
		[undefined, false],
		[['https://example.com/page'], false],
	])('is or is not the destination %j', (url, isSame) => {
		const reference = read('https://example.com/page');
		const key = reference instanceof Invalid ? undefined : reference.key;
		expect(destinationLookup.keyOf({ url } as never) === key).toBe(isSame);
	});
});

it('does not take a response without a destination for the old one', () => {
	const update = written('https://new.example/', { before: { url: null } });
	expect(isDestinationKept({ url: 'https://old.example/' }, update)).toBeUndefined();
	expect(isDestinationKept({ url: null }, update)).toBeUndefined();
});
