import type { IDataObject } from 'n8n-workflow';
import { compare, compareResponse } from '../../../../nodes/shared/contract/compare';
import type { Comparison, EncodedField } from '../../../../nodes/shared/contract/resourceTypes';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import type { Parameters } from '../../../../nodes/shared/contract/types';
import { rowOf } from '../../../support/operationRun.ts';
import { linkAs } from '../../../support/scriptedAnswers.ts';

const row = (more: Parameters = {}) => {
	const { url = 'https://example.com/', alias = 'a', domainId = 1, ...additionalFields } = more;
	return rowOf('upsert', { url, alias, domainId, additionalFields }, { emptyValues: 'clear' });
};

const encoded = ({ fields }: EncodedRow, name: string): EncodedField => {
	const match = fields.find((encoded) => encoded.field.name === name);
	if (!match) throw new Error(name);
	return match;
};

/** Rules in an answer. Rotation rules have no keys. */
const pair = [
	{ key: 'DE', value: 'https://a.example/' },
	{ key: 'US', value: 'https://b.example/' },
];

it.each<[name: string, values: unknown, resource: IDataObject, expected: Comparison]>([
	['alias', 'a', { alias: 'a' }, 'same'],
	['alias', 'a', { alias: 'A' }, 'similar'],
	['alias', 'a', { alias: ' a ' }, 'same'],
	['url', 'http://example.com/a', { url: 'https://example.com/a/' }, 'different'],
	['domainId', 1, { domain: 'short.example' }, 'unknown'],
	['domainId', 1, { domain: null }, 'different'],
	['alias', 'e\u0301', { alias: 'é' }, 'same'],
	['country', { US: 'https://a.example/' }, { country_target: undefined }, 'unknown'],
	['alias', 'a', { alias: 'a\ud83d' }, 'different'],
	['url', 'https://EXAMPLE.com/%61', { url: 'https://example.com/a' }, 'same'],
	['url', 'https://example.com/', { url: 'no address' }, 'unknown'],
	['disabled', false, { disabled: null }, 'unknown'],
	['disabled', true, { disabled: null }, 'unknown'],
	['expirationClicks', 0, { expiration_clicks: null }, 'same'],
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
	expect(compare(encoded(compared, name), linkAs(resource), compared)).toBe(expected);
});

const [ending, earlier] = [{ ends_at: '2031-01-01 10:00' }, { ends_at: '2030-01-01 10:00' }];

it.each<[string, unknown, answer: IDataObject, before: IDataObject | undefined, Comparison]>([
	['disabled', true, { disabled: null }, undefined, 'unknown'],
	['disabled', true, { disabled: 0 }, undefined, 'different'],
	['alias', 'A', { alias: 'a' }, undefined, 'similar'],
	['alias', 'A', { alias: 'a' }, { alias: 'a' }, 'different'],
	['alias', 'A', { alias: 'a' }, { alias: 'b' }, 'similar'],
	['url', 'https://e.co/a/', { url: 'https://e.co/a' }, { url: 'https://e.co/a' }, 'different'],
	['expiration', '2031-01-01 12:00', ending, ending, 'different'],
	['expiration', '2031-01-01 12:00', ending, earlier, 'similar'],
])('compares %s %j with the response %j after %j', (name, values, answer, before, expected) => {
	const sent = row({ [name]: values });
	expect(compareResponse(encoded(sent, name), answer, sent, before)).toBe(expected);
});
