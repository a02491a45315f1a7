import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames } from '../../../../nodes/Link/link.locators';
import {
	nameLookup,
	NameListResolver,
	type NameList,
} from '../../../../nodes/shared/contract/nameResolver';
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

const resolverOf = (list: NameList) => new NameListResolver(new Map([[source, list]]));

function idOf(list: NameList, text: string) {
	const id = resolverOf(list).lookupFor(source, propertyLike())(text);
	return id instanceof Invalid ? `!${id.reasons.join('; ')}` : id;
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

it('refuses unknown names of a list that could not be read, and knows their reasons', () => {
	const names = resolverOf({ named: pixels, incompleteReason: 'The time is over' });
	const lookup = names.lookupFor(source, propertyLike());
	expect(lookup('Shop')).toBe('7');
	const reason =
		'"Post" cannot be looked up, because the list of pixels could not be read: The time is over; use the ID';
	expect(lookup('Post')).toEqual(new Invalid([reason]));
	expect(names.unreadSource(reason)).toBe(source);
	expect(names.unreadSource('"a" is not an ID')).toBeUndefined();
});

it('finds names only for a field that accepts them, in a list that was read', () => {
	const field = (name: string) => linkContract.fields.find((candidate) => candidate.name === name);
	const [domain, alias] = [field('domainId'), field('alias')];
	if (!domain || !alias) throw new Error('The fields are missing');
	const names = new NameListResolver(
		new Map([[domainNames, { named: [{ id: 3, name: 'short.example' }] }]]),
	);
	expect(nameLookup(alias, { names })).toBeUndefined();
	expect(nameLookup(domain, {})).toBeUndefined();
	expect(nameLookup(domain, { names })?.('Short.Example')).toBe('3');
	const unread = nameLookup(domain, { names: new NameListResolver(new Map()) });
	expect(unread?.('short.example')).toBeInstanceOf(Invalid);
});
