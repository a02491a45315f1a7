import {
	destinationSearchTexts,
	isDestinationMismatch,
	isDestinationKept,
} from '../../../../nodes/Link/fields/destination';

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

it('does not take a response without a destination for the old one', () => {
	const update = written('https://new.example/', { before: { url: null } });
	expect(isDestinationKept({ url: 'https://old.example/' }, update)).toBeUndefined();
	expect(isDestinationKept({ url: null }, update)).toBeUndefined();
});
