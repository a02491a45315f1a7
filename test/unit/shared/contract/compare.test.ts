import type { IDataObject } from 'n8n-workflow';
import {
	changesTo,
	comparableValues,
	differences,
	entryTexts,
	hasValuesOf,
	comparedValue,
	hasSentValue,
	isNothing,
	mayBeCreatedBy,
	unchangeable,
	uniqueKeyOf,
} from '../../../../nodes/shared/contract/compare';
import type { EncodedField, Field } from '../../../../nodes/shared/contract/fieldTypes';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import type { Parameters } from '../../../../nodes/shared/contract/types';
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

it.each<[name: string, values: unknown, resource: IDataObject, hasValue: boolean | undefined]>([
	['alias', 'a', { alias: 'a' }, true],
	['alias', 'a', { alias: 'A' }, false],
	['alias', 'e\u0301', { alias: 'é' }, true],
	['country', { US: 'https://a.example/' }, {}, undefined],
	['alias', 'a', { alias: 'a\ud83d' }, false],
	['url', 'https://EXAMPLE.com/%61', { url: 'https://example.com/a' }, true],
	['url', 'https://example.com/', { url: 'no address' }, undefined],
	['disabled', false, { disabled: null }, true],
	['disabled', true, { disabled: null }, false],
	['disabled', true, { disabled: 'yes' }, undefined],
	['pixelIds', '3,8', { pixels: [{ id: 8 }, { id: 3 }] }, true],
	['pixelIds', '3', { pixels: [] }, false],
	['pixelIds', '', { pixels: [] }, true],
	['pixelIds', '', { pixels: [3] }, false],
	['password', 'x', { password: true }, undefined],
	['password', 'x', { password: false }, false],
	['password', '', { password: false }, true],
	['password', '', { password: true }, false],
	['expirationClicks', '', { expiration_clicks: 0 }, true],
	[
		'country',
		{ US: 'https://b.example/', DE: 'https://a.example/' },
		{ country_target: pair },
		true,
	],
	['country', { US: 'https://a.example/' }, { country_target: pair }, false],
	['rotation', ['https://b.example/', 'https://a.example/'], { rotation_target: pair }, false],
	['rotation', ['https://a.example/', 'https://b.example/'], { rotation_target: pair }, true],
])('compares %s %j with %j', (name, values, resource, hasValue) => {
	const compared = row({ [name]: values });
	expect(hasSentValue(encoded(compared, name), linkLike(resource), compared)).toBe(hasValue);
});

it('reads the value of a resource', () => {
	const link = linkLike({ space: { id: 5 }, alias: 'a\ud83d' });
	expect(comparedValue(field('spaceId'), link, row())).toBe(5);
	expect(comparedValue(field('alias'), link, row())).toBe('a\ufffd');
	expect(comparedValue(field('country'), link, row())).toBeUndefined();
});

it.each<[name: string, value: unknown, isIt: boolean]>([
	['expirationClicks', 0, true],
	['expirationClicks', 1, false],
	['password', false, true],
	['privacy', '0', true],
	['expirationUrl', null, true],
	['alias', false, false],
])('%s %j is empty: %j', (name, value, isIt) => {
	expect(isNothing(field(name), value)).toBe(isIt);
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
