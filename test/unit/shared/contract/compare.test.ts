import type { IDataObject } from 'n8n-workflow';
import {
	changesTo,
	comparableValues,
	differences,
	entryTexts,
	hasValuesOf,
	isWithin,
	compare,
	compareResponse,
	currentValue,
	mayBeCreatedBy,
	unchangeable,
	uniqueKeyOf,
} from '../../../../nodes/shared/contract/compare';
import type { Parameters } from '../../../../nodes/shared/contract/types';
import type {
	Comparison,
	EncodedField,
	Field,
} from '../../../../nodes/shared/contract/resourceTypes';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (more: Parameters = {}) => {
	const { url = 'https://example.com/', alias = 'a', domainId = 1, ...additionalFields } = more;
	return rowOf('upsert', { url, alias, domainId, additionalFields }, { emptyValues: 'clear' });
};

const field = (name: string): Field => {
	const match = linkContract.fields.find((candidate) => candidate.name === name);
	if (!match) throw new Error(name);
	return match;
};

const encoded = ({ fields }: EncodedRow, name: string): EncodedField => {
	const match = fields.find((encoded) => encoded.field.name === name);
	if (!match) throw new Error(name);
	return match;
};

const names = (fields: readonly EncodedField[]) => fields.map(({ field }) => field.name);

/** Rules in an answer. Rotation rules have no keys. */
const pair = [
	{ key: 'DE', value: 'https://a.example/' },
	{ key: 'US', value: 'https://b.example/' },
];

it.each<[name: string, values: unknown, resource: IDataObject, expected: Comparison]>([
	['alias', 'a', { alias: 'a' }, 'same'],
	['alias', 'a', { alias: 'A' }, 'similar'],
	['alias', 'a', { alias: ' a ' }, 'same'],
	['url', 'http://example.com/a', { url: 'https://example.com/a/' }, 'similar'],
	['domainId', 1, { domain: 'short.example' }, 'unknown'],
	['alias', 'e\u0301', { alias: 'é' }, 'same'],
	['country', { US: 'https://a.example/' }, {}, 'unknown'],
	['alias', 'a', { alias: 'a\ud83d' }, 'different'],
	['url', 'https://EXAMPLE.com/%61', { url: 'https://example.com/a' }, 'same'],
	['url', 'https://example.com/', { url: 'no address' }, 'unknown'],
	['disabled', false, { disabled: null }, 'same'],
	['disabled', true, { disabled: null }, 'different'],
	['disabled', true, { disabled: 'yes' }, 'unknown'],
	['pixelIds', '3,8', { pixels: [{ id: 8 }, { id: 3 }] }, 'same'],
	['pixelIds', '3', { pixels: [] }, 'different'],
	['pixelIds', '', { pixels: [] }, 'same'],
	['pixelIds', '', { pixels: [3] }, 'different'],
	['password', 'x', { password: true }, 'unknown'],
	['password', 'x', { password: false }, 'different'],
	['password', 'x', { password: '0' }, 'different'],
	['password', '', { password: false }, 'same'],
	['password', '', { password: true }, 'different'],
	['expirationClicks', '', { expiration_clicks: 0 }, 'same'],
	[
		'country',
		{ US: 'https://b.example/', DE: 'https://a.example/' },
		{ country_target: pair },
		'same',
	],
	['country', { US: 'https://a.example/' }, { country_target: pair }, 'different'],
	['rotation', ['https://b.example/', 'https://a.example/'], { rotation_target: pair }, 'similar'],
	['rotation', ['https://a.example/', 'https://b.example/'], { rotation_target: pair }, 'same'],
])('compares %s %j with %j', (name, values, resource, expected) => {
	const compared = row({ [name]: values });
	expect(compare(encoded(compared, name), linkLike(resource), compared)).toBe(expected);
});

it('reads the value of a resource', () => {
	const link = linkLike({ space: { id: 5 }, alias: 'a\ud83d' });
	expect(currentValue(field('spaceId'), link, 'UTC')).toBe(5);
	expect(currentValue(field('alias'), link, 'UTC')).toBe('a\ufffd');
	expect(currentValue(field('country'), link, 'UTC')).toBeUndefined();
});

it.each<
	[
		name: string,
		values: unknown,
		answer: IDataObject,
		before: IDataObject | undefined,
		expected: Comparison,
	]
>([
	['disabled', true, { disabled: null }, undefined, 'unknown'],
	['disabled', true, { disabled: 0 }, undefined, 'different'],
	['alias', 'A', { alias: 'a' }, undefined, 'similar'],
	['alias', 'A', { alias: 'a' }, { alias: 'a' }, 'different'],
	['alias', 'A', { alias: 'a' }, { alias: 'b' }, 'similar'],
	[
		'url',
		'https://e.example/a/',
		{ url: 'https://e.example/a' },
		{ url: 'https://e.example/a' },
		'different',
	],
	[
		'expiration',
		'2031-01-01 12:00',
		{ ends_at: '2031-01-01 10:00' },
		{ ends_at: '2031-01-01 10:00' },
		'different',
	],
	[
		'expiration',
		'2031-01-01 12:00',
		{ ends_at: '2031-01-01 10:00' },
		{ ends_at: '2030-01-01 10:00' },
		'similar',
	],
])('compares %s %j with the response %j after %j', (name, values, answer, before, expected) => {
	const sent = row({ [name]: values });
	expect(compareResponse(encoded(sent, name), answer, sent, before)).toBe(expected);
});

it('splits values into entries and normalizes them', () => {
	const values = [
		['[0][key]', 'US'],
		['[0][value]', 'a'],
		['[1][key]', 'DE'],
	] as const;
	expect(entryTexts(values)).toEqual([['US', 'a'], ['DE']]);
	expect(
		entryTexts([
			['[]', '3'],
			['[]', '8'],
		]),
	).toEqual([['3'], ['8']]);
	expect(comparableValues(field('url'), [['', 'HTTPS://example.com']])).toEqual([
		['', 'https://example.com/'],
	]);
});

it('finds the fields that differ', () => {
	const values = row({ alias: 'b', disabled: true, password: 'x' });
	const link = linkLike({ alias: 'a', disabled: 1, password: true });
	expect(names(changesTo(values, link))).toEqual(['alias', 'password']);
	expect(names(differences(values, link))).toEqual(['password']);
});

it('finds the fields that cannot be updated', () => {
	expect(names(unchangeable(row({ domainId: 2 }), linkLike()))).toEqual(['domainId']);
	expect(unchangeable(row(), linkLike({ url: 'https://other.example/' }))).toEqual([]);
});

it.each<[more: IDataObject, key: string | undefined]>([
	[{ alias: 'b' }, '["1","b"]'],
	[{ domain: null }, undefined],
	[{ alias: '' }, undefined],
])('returns the unique key of a link like %j', (more, key) => {
	expect(uniqueKeyOf(row(), linkLike(more))).toBe(key);
});

it.each<[values: Parameters, more: IDataObject, hasThem: boolean]>([
	[{ alias: 'b' }, {}, true],
	[{ disabled: true }, {}, false],
	[{ password: 'x' }, {}, true],
	[{ url: 'https://other.example/' }, {}, false],
])('compares values without keys and secrets: %j', (values, more, hasThem) => {
	expect(hasValuesOf(row(values), linkLike(more))).toBe(hasThem);
});

it.each<[values: Parameters, more: IDataObject, mayBe: boolean]>([
	[{}, {}, true],
	[{}, { disabled: 1 }, false],
	[{ disabled: true }, { disabled: 1 }, true],
	[{}, { password: true }, false],
	[{ password: 'x' }, { password: true }, true],
	[{}, { privacy: undefined }, true],
	[{}, { alias: 'other' }, false],
])('a create of %j may have created a link like %j: %j', (values, more, mayBe) => {
	expect(mayBeCreatedBy(row(values), linkLike(more))).toBe(mayBe);
});

it.each<[syncScope: Parameters, more: IDataObject, isIn: boolean | undefined]>([
	[{ domainId: 1 }, { domain: { id: '01' } }, true],
	[{ domainId: 1 }, { domain: { id: 2 } }, false],
	[{ domainId: 1 }, { domain: undefined }, undefined],
	[{ aliasStartsWith: 'sp' }, { alias: 'spring' }, true],
	[{ aliasStartsWith: 'sp' }, { alias: 'offspring' }, false],
	[{ aliasStartsWith: 'sp' }, { alias: 'Spring' }, false],
	[{ domainId: 1, aliasStartsWith: 'sp' }, { alias: 'autumn', domain: undefined }, false],
])('the scope %j contains a link like %j: %j', (syncScope, more, isIn) => {
	const { scope, options } = rowOf('sync', { url: 'https://example.com/', alias: 'sp', syncScope });
	expect(isWithin(scope, linkLike(more), options)).toBe(isIn);
});
