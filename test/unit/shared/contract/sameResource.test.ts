import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import {
	identifierOf,
	identifiersOf,
	isSame,
	isSameApartFromCase,
	matchText,
	mayBeSame,
	searchForm,
} from '../../../../nodes/shared/contract/compare';
import type { EncodedRow } from '../../../../nodes/shared/contract/encodedRow';
import type { Parameters } from '../../../../nodes/shared/contract/types';
import { linkLike, rowOf } from '../../../support/operationRun.ts';

const row = (more: Parameters = {}, matchBy = 'alias') => {
	const { linkId = '', ...fields } = more;
	const parameters = { linkId, url: 'https://example.com/', additionalFields: {}, ...fields };
	return rowOf('upsert', parameters, { matchBy, takesColumns: true });
};

const byAlias = row({ alias: 'a', domainId: 1 });
const byId = row({ linkId: '007' }, 'id');
const byAddress = row({ linkId: { mode: 'url', value: 'Short.example/a' } }, 'id');
const byOwnAlias = row({ linkId: { mode: 'alias', value: '7' } }, 'id');
const byUrl = row({ url: 'https://example.com/A' }, 'url');

it.each<[what: string, row: EncodedRow, text: string | undefined, identifier: unknown]>([
	['an alias', byAlias, 'a', undefined],
	['an ID', byId, '007', '7'],
	['an address', byAddress, 'Short.example/a', 'short.example/a'],
	['an alias in Link', byOwnAlias, '7', '/7'],
	['a destination', byUrl, 'https://example.com/A', undefined],
	['nothing', row({}, 'id'), undefined, undefined],
])('finds a link by %s', (_what, row, text, identifier) => {
	expect(matchText(row)).toBe(text);
	expect(identifierOf(row)).toBe(identifier);
});

it('returns the identifiers of a link', () => {
	expect(identifiersOf(linkContract, linkLike({ id: '007' }))).toEqual([
		'short.example/a',
		'/a',
		'7',
	]);
	expect(identifiersOf(linkContract, { short_url: 'https://short.example/b' })).toEqual([
		'short.example/b',
	]);
	const moved = linkLike({ id: 7, short_url: 'https://new.example/a' });
	expect(identifiersOf(linkContract, moved)).toEqual([
		...['new.example/a', 'short.example/a', '/a', '7'],
	]);
});

it.each<[searchBy: string, text: string, form: string]>([
	['alias', ' E\u0301 ', 'é'],
	['url', 'HTTPS://Example.com/A', 'https://example.com/a'],
	['nothing', ' A ', 'a'],
])('searches %s for %j as %j', (searchBy, text, form) => {
	expect(searchForm(linkContract, searchBy)(text)).toBe(form);
});

it.each<
	[what: string, row: EncodedRow, link: IDataObject, same: boolean, apart: boolean, maybe: boolean]
>([
	['the alias', byAlias, {}, true, true, true],
	['the alias in another case', byAlias, { alias: 'A' }, false, true, true],
	['another alias', byAlias, { alias: 'b' }, false, false, false],
	['no alias', byAlias, { alias: null }, false, false, true],
	['another domain', byAlias, { domain: { id: 2 } }, false, false, false],
	['no domain', byAlias, { domain: null }, false, false, true],
	['no domain in the row', row({ alias: 'a' }), { domain: { id: 2 } }, true, true, true],
	['the ID', byId, { id: 7 }, true, false, true],
	['another ID', byId, { id: 8 }, false, false, false],
	['the address', byAddress, {}, true, false, true],
	['another address', byAddress, { alias: 'b' }, false, false, false],
	['the alias in Link', byOwnAlias, { alias: '7' }, true, false, true],
	['an ID like the alias in Link', byOwnAlias, { id: 7 }, false, false, false],
	['a destination', byUrl, { url: 'https://example.com/A' }, true, true, true],
	['a destination in another case', byUrl, { url: 'https://example.com/a' }, false, true, true],
	['nothing to match by', row({}, 'id'), {}, false, false, false],
])('compares a row with a link: %s', (_what, row, link, same, apart, maybe) => {
	const resource = linkLike(link);
	expect([
		isSame(row, resource),
		isSameApartFromCase(row, resource),
		mayBeSame(row, resource),
	]).toEqual([same, apart, maybe]);
});
