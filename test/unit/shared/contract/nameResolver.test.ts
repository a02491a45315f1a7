import { linkContract } from '../../../../nodes/Link/link.contract';
import { domainNames } from '../../../../nodes/Link/link.locators';
import {
	areListed,
	nameLookup,
	NameListResolver,
	type NameList,
} from '../../../../nodes/shared/contract/nameResolver';
import { Invalid, type NameSource } from '../../../../nodes/shared/contract/types';
import { propertyLike } from '../../../support/codecs.ts';

const source: NameSource = {
	...{ resourceName: 'pixel', description: 'pixels of the account', path: '/pixels', params: [] },
	toNamed: () => undefined,
};

const property = propertyLike();

const shop = { id: 7, name: 'Shop' };
const [blog, upperBlog] = [
	{ id: 8, name: 'Blog' },
	{ id: 9, name: 'BLOG' },
];

function resolverOf(named: NameList['named'], more: Partial<NameList> = {}) {
	const list = { named, ids: named.map(({ id }) => id), ...more };
	return new NameListResolver(new Map([[source, list]]));
}

function idOf(names: NameListResolver, text: string) {
	const id = names.lookupFor(source, property).idOf(text);
	return id instanceof Invalid ? `!${id.reasons.join('; ')}` : id;
}

it.each<[text: string, id: string]>([
	['Shop', '7'],
	[' shop ', '7'],
	['ＳＨＯＰ', '7'],
	['https://Shop/', '7'],
	['7', '7'],
	['12345', '12345'],
	// An exact match takes precedence, so case decides between two names.
	['Blog', '8'],
	['BLOG', '9'],
])('finds %j', (text, id) => {
	expect(idOf(resolverOf([shop, blog, upperBlog]), text)).toBe(id);
});

it.each<[text: string, reason: string]>([
	['blog', '"blog" is the name of several pixels (IDs 8, 9); use an ID instead'],
	['Shopp', '"Shopp" was not found among the pixels of the account; use Shop, or the ID'],
	['Something else', '"Something else" was not found among the pixels of the account; use its ID'],
])('refuses %j', (text, reason) => {
	expect(idOf(resolverOf([shop, blog, upperBlog]), text)).toBe(`!${reason}`);
});

it('quotes a suggestion with a separator as JSON', () => {
	expect(idOf(resolverOf([{ id: 1, name: 'Shop, new' }]), 'Shop, now')).toBe(
		'!"Shop, now" was not found among the pixels of the account; use ["Shop, new"], or the ID',
	);
});

it('accepts an ID that is not in the list by the pattern of the IDs', () => {
	const names = resolverOf([
		{ id: 'spc_8f3k2j', name: 'Shop' },
		{ id: 'spc_a91mz0', name: 'Blog' },
	]);
	expect(idOf(names, 'spc_zz9k2x')).toBe('spc_zz9k2x');
	expect(idOf(names, 'pxl_zz9k2x')).toMatch(/^!/);
	// A text that is similar to a name is a misspelled name, even if it matches the pattern.
	const near = resolverOf([
		{ id: 'spc_8f3k2j', name: 'spc_autum1' },
		{ id: 'spc_a91mz0', name: 'Blog' },
	]);
	expect(idOf(near, 'spc_autum2')).toMatch(/use spc_autum1, or the ID$/);
	// A list without names learns the pattern from the IDs of all lists.
	const empty = resolverOf([], { ids: ['spc_8f3k2j', 'spc_a91mz0'] });
	expect(idOf(empty, 'spc_zz9k2x')).toBe('spc_zz9k2x');
	expect(idOf(empty, 'Shop')).toMatch(/^!/);
});

it('refuses the names of a list that could not be read', () => {
	const names = resolverOf([], { incompleteReason: 'The service answered with 403' });
	expect(idOf(names, 'Shop')).toBe(
		'!"Shop" cannot be looked up; use the ID. The list of pixels could not be read: The service answered with 403',
	);
	const uuid = '7f3a2c7e-0d7f-4b52-9c57-2f6a35a0a001';
	expect(idOf(names, uuid)).toBe(uuid);
});

it('refuses only unknown names of an incomplete list', () => {
	const names = resolverOf([shop], { incompleteReason: 'The time is over' });
	expect(idOf(names, 'Shop')).toBe('7');
	expect(idOf(names, 'Blog')).toBe(
		'!"Blog" cannot be looked up; use the ID. The list of pixels could not be read: The time is over',
	);
});

it.each<[names: string[], parts: number]>([
	[['a'], 1],
	[['a', 'b, c; d'], 3],
	[['a,b,c,d,e,f,g,h,i,j,k,l'], 10],
	[[], 1],
])('counts the parts of the names %j', (texts, parts) => {
	const names = resolverOf(texts.map((name, id) => ({ id, name })));
	expect(names.lookupFor(source, property).maxParts()).toBe(parts);
});

it('checks whether a list contains all texts', () => {
	expect(areListed([shop, blog], ['Shop', '8', 'blog'])).toBe(true);
	expect(areListed([shop], ['Shop', 'Blog'])).toBe(false);
	const { isListed } = resolverOf([shop]).lookupFor(source, property);
	expect([isListed('SHOP'), isListed('12')]).toEqual([true, false]);
});

it('finds names only for a field that accepts them', () => {
	const field = (name: string) => linkContract.fields.find((candidate) => candidate.name === name);
	const [domain, alias] = [field('domainId'), field('alias')];
	if (!domain || !alias) throw new Error('The fields are missing');
	const list = { named: [{ id: 3, name: 'short.example' }], ids: [3] };
	const names = new NameListResolver(new Map([[domainNames, list]]));
	expect(nameLookup(alias, { names })).toBeUndefined();
	expect(nameLookup(domain, {})).toBeUndefined();
	const lookup = nameLookup(domain, { names });
	expect(lookup?.idOf('Short.Example')).toBe('3');
	expect([lookup?.isListed('a'), lookup?.maxParts()]).toEqual([false, 1]);
});

it('refuses every name of a list that was not read', () => {
	const names = new NameListResolver(new Map());
	expect(idOf(names, 'Shop')).toMatch(/^!"Shop" cannot be looked up; use the ID/);
	const { isListed, maxParts } = names.lookupFor(source, property);
	expect([isListed('Shop'), maxParts()]).toEqual([false, 1]);
});
