import { nameFinder, type NameList } from '../../../../nodes/shared/contract/names';
import { reasonText } from '../../../../nodes/shared/contract/values';
import { Invalid, type NameSource } from '../../../../nodes/shared/contract/types';
import { propertyLike } from '../../../support/codecs.ts';

const source: NameSource = {
	...{ resourceName: 'pixel', description: 'pixels of the account', listedResources: 'pixels' },
	...{ path: '/pixels', params: [], toNamed: () => undefined },
};

const pixels = [
	{ id: 7, name: 'Shop' },
	{ id: 8, name: 'Blog' },
	{ id: 9, name: 'BLOG' },
	{ id: 'spc_8f3k2j', name: 'Spring, 2024' },
];

function idOf(list: NameList, text: string) {
	const id = nameFinder(new Map([[source, list]]))(source, text, propertyLike());
	return id instanceof Invalid ? `!${id.reasons.map(reasonText).join('; ')}` : id;
}

it.each<[text: string, id: string]>([
	['Shop', '7'],
	[' shop ', '7'],
	['ＳＨＯＰ', '7'],
	['https://Shop/', '7'],
	['spc_8f3k2j', 'spc_8f3k2j'],
	['spring,\u00a02024', 'spc_8f3k2j'],
	// An exact match takes precedence, so case decides between two names.
	['Blog', '8'],
	['BLOG', '9'],
])('finds %j', (text, id) => {
	expect(idOf({ named: pixels }, text)).toBe(id);
});

it.each<[text: string, reason: string]>([
	['blog', '"blog" is the name of several pixels (IDs 8, 9); use an ID instead'],
	[
		'Shopp',
		'"Shopp" was not found among the pixels of the account; use the ID, or one of: Shop, Blog, BLOG, Spring, 2024',
	],
	// An ID that only looks like the IDs of the list is a name.
	['spc_8f3k2k', expect.stringMatching(/^!"spc_8f3k2k" was not found/) as never],
])('refuses %j', (text, reason) => {
	const refused = idOf({ named: pixels }, text);
	expect(refused).toEqual(typeof reason === 'string' ? `!${reason}` : reason);
});

it('lists up to ten names, each once', () => {
	const named = Array.from({ length: 24 }, (_, at) => ({ id: at, name: `N${at % 12}` }));
	expect(idOf({ named: [{ id: 99, name: '' }, ...named] }, 'x')).toMatch(
		/one of: N0, N1, N2, N3, N4, N5, N6, N7, N8, N9$/,
	);
});

it('says that an account has no resources, or none with a name', () => {
	expect(idOf({ named: [], isEmpty: true }, 'Shop')).toBe(
		'!"Shop" cannot be looked up. You have no pixels yet, so names are unknown. Use the ID',
	);
	expect(idOf({ named: [] }, 'Shop')).toBe(
		'!"Shop" was not found among the pixels of the account; use the ID',
	);
});

it('refuses unknown names of a list that could not be read, and returns the list', () => {
	const list = { named: pixels, incompleteReason: 'The time is over' };
	expect(idOf(list, 'Shop')).toBe('7');
	expect(idOf(list, 'Post')).toBe(
		'!"Post" cannot be looked up, because the list of pixels could not be read: The time is over; use the ID',
	);
	const unread = nameFinder(new Map([[source, list]]))(source, 'Post', propertyLike());
	expect(unread).toMatchObject({ reasons: [{ unreadNames: source }] });
	expect(nameFinder(new Map())(source, 'Shop', propertyLike())).toBeInstanceOf(Invalid);
});
