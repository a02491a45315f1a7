import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import type { EncodedField } from '../../../../nodes/shared/contract/fieldTypes';
import { formParameters, isOfScope } from '../../../../nodes/shared/contract/formLayout';
import {
	type Scope,
	encodeScope,
	inScope,
	scopeEntries,
	scopeLabel,
	scopeParams,
	scopeText,
} from '../../../../nodes/shared/contract/scope';
import { isWithin } from '../../../../nodes/shared/contract/compare';
import { contextOf } from '../../../support/encodeContext.ts';
import { encodeOptions } from '../../../support/encodeOptions.ts';
import { linkLike } from '../../../support/operationRun.ts';

function scopeBy(scope: unknown) {
	const { context, reported } = contextOf({ operation: 'sync', parameters: { syncScope: scope } });
	return { scope: encodeScope(context), context, reported };
}

const names = 'Alias Starts With, Domain, Space';

it.each<[values: unknown, text: string, reported: string[]]>([
	[{ domainId: 1 }, 'Domain 1', []],
	[{ spaceId: 5, aliasStartsWith: 'a ' }, 'Alias Starts With a , Space 5', []],
	[{}, '', [`Sync Scope is empty; set at least one of ${names}`]],
	['', '', [`Sync Scope is empty; set at least one of ${names}`]],
	[{ domainId: '' }, '', ['Domain is part of the scope and empty; fill it in, or remove it']],
	[{ domainId: 1, title: 'a' }, 'Domain 1', [`Sync Scope has no field "title"; use ${names}`]],
	[
		{ domainId: '..' },
		'',
		['Domain ".." is not an ID; enter the ID that the service shows, such as 42'],
	],
])('reads the scope %j', (values, text, reported) => {
	const { scope, reported: reasons } = scopeBy(values);
	expect(scopeText(scope)).toBe(text);
	expect(reasons).toEqual(reported);
});

it('names the filters in messages', () => {
	const { context, reported } = contextOf();
	const properties = linkContract.sync.scope;
	expect(scopeEntries(context, properties, { spaceId: null }, 'filters')).toEqual([]);
	expect(reported).toEqual(['Space is part of the filters and empty; fill it in, or remove it']);
});

it('filters the list by the scope', () => {
	const { scope } = scopeBy({ domainId: 1, aliasStartsWith: ' spring-' });
	expect(scopeParams(scope)).toEqual([
		['search', 'spring-'],
		['search_by', 'alias'],
		['domain_id', '1'],
	]);
});

it('shortens a long text in a message', () => {
	const { scope } = scopeBy({ aliasStartsWith: 'a'.repeat(300) });
	expect(scopeLabel(scope)).toHaveLength(200);
});

it.each<[values: object, link: IDataObject, isIn: boolean | undefined]>([
	[{ domainId: 1 }, {}, true],
	[{ domainId: '01' }, {}, true],
	[{ domainId: 1 }, { domain: { id: '01' } }, true],
	[{ domainId: 2 }, {}, false],
	[{ domainId: 1 }, { domain: undefined }, undefined],
	[{ domainId: 1 }, { domain: null }, false],
	[{ domainId: 1 }, { domain: { id: '..' } }, undefined],
	[{ aliasStartsWith: 'sp' }, { alias: 'spring' }, true],
	[{ aliasStartsWith: 'sp' }, { alias: 'Spring' }, false],
	[{ domainId: 1, aliasStartsWith: 'sp' }, { alias: 'autumn', domain: undefined }, false],
	[{ domainId: 1, aliasStartsWith: 'sp' }, { alias: 'spring', domain: undefined }, undefined],
])('the scope %j contains the link %j: %j', (values, link, isIn) => {
	expect(isWithin(scopeBy(values).scope, linkLike(link), encodeOptions)).toBe(isIn);
});

it('matches an entry of a list', () => {
	const field = linkContract.fields.find(({ name }) => name === 'pixelId');
	const [property] = linkContract.sync.scope;
	if (!field || !property) throw new Error('The fields are missing');
	const entry = { property: { ...property, scope: { field: 'pixelId' } }, field };
	const scope: Scope = [{ ...entry, values: [['', '8']] }];
	expect(isWithin(scope, linkLike({ pixels: [{ id: 3 }, { id: 8 }] }), encodeOptions)).toBe(true);
	expect(isWithin(scope, linkLike({ pixels: [{ id: 3 }] }), encodeOptions)).toBe(false);
});

const values = (name: string, text: string, cleared?: true): EncodedField => {
	const field = linkContract.fields.find((candidate) => candidate.name === name);
	if (!field) throw new Error(name);
	return { field, values: [['', text]], cleared };
};

it.each<[fields: EncodedField[], texts: string[], reported: string[]]>([
	[[], ['domainId 1'], []],
	[[values('url', 'u')], ['url u', 'domainId 1'], []],
	[[values('alias', 'spring'), values('domainId', '1')], ['domainId 1', 'alias spring'], []],
	[[values('domainId', '', true)], ['domainId 1'], []],
	[
		[values('domainId', '2')],
		['domainId 2'],
		['Domain "2" is outside the Sync Scope (Domain 1); correct the item, or the scope'],
	],
	[
		[values('alias', 'autumn')],
		['domainId 1', 'alias autumn'],
		[
			'Alias "autumn" is outside the Sync Scope (Alias Starts With sp); correct the item, or the scope',
		],
	],
])('adds the values of the scope to a row', (fields, texts, reasons) => {
	const { scope, context, reported } = scopeBy({ domainId: 1, aliasStartsWith: 'sp' });
	const result = inScope(context, scope, fields);
	expect(result.map(({ field, values }) => `${field.name} ${values[0]?.[1]}`)).toEqual(texts);
	expect(reported).toEqual(reasons);
});

it('recognizes the scope and its fields', () => {
	const [first] = linkContract.sync.scope;
	if (!first) throw new Error('The scope has no field');
	const { syncScope } = formParameters;
	expect([syncScope, first, linkContract.id].map(isOfScope)).toEqual([true, true, false]);
});
