import { linkContract } from '../../../../nodes/Link/link.contract';
import { flag } from '../../../../nodes/shared/contract/codecs/scalar';
import { returnAll } from '../../../../nodes/shared/contract/formLayout';
import type { EncodeContext } from '../../../../nodes/shared/contract/encodeContext';
import type { EncodeOptions } from '../../../../nodes/shared/contract/types';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import {
	checkUpdate,
	encodeOne,
	encodeTarget,
	isNeeded,
	missing,
} from '../../../../nodes/shared/contract/target';
import { contextOf } from '../../../support/encodeContext.ts';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const withOptions = (options: Partial<EncodeOptions>, more: Partial<EncodeContext> = {}) =>
	contextOf({ options: { ...encodeOptions, ...options }, ...more });

const field = (name: string): Field => {
	const found = linkContract.fields.find((one) => one.name === name);
	if (!found) throw new Error(name);
	return found;
};

it.each<[name: string, more: Partial<EncodeContext>, matchBy: string | undefined, is: boolean]>([
	['url', {}, undefined, true],
	['spaceId', {}, undefined, false],
	['url', { operation: 'update' }, undefined, false],
	['alias', {}, undefined, false],
	['alias', { operation: 'upsert' }, undefined, true],
	['alias', { operation: 'upsert' }, 'url', false],
	['url', { operation: 'upsert', parameters: { linkId: 7 } }, 'id', false],
	['url', { operation: 'upsert' }, 'id', true],
])('knows whether a row needs %s: %j, matched by %s', (name, more, matchBy, is) => {
	const { context } = withOptions({ matchBy }, more);
	expect(isNeeded(context, field(name))).toBe(is);
});

it('says how to give a value', () => {
	expect(missing(encodeOptions, 'url')).toBe('is missing; enter a value');
	expect(missing({ ...encodeOptions, takesColumns: true }, 'url')).toBe(
		'is missing; fill in the column that is named like it, such as url, or the field in the form',
	);
});

it.each<[value: unknown, text: string | undefined, reported: string[]]>([
	[true, '1', []],
	[undefined, '0', []],
	['maybe', undefined, ['Return All "maybe" is neither true nor false; use one of the two']],
])('reads the parameter %j', (value, text, reported) => {
	const { context, reported: said } = contextOf();
	expect(encodeOne(context, flag, returnAll, { returnAll: value })).toBe(text);
	expect(said).toEqual(reported);
});

const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });

it.each<
	[options: Partial<EncodeOptions>, more: Partial<EncodeContext>, target: object, said: string[]]
>([
	[{}, { operation: 'create', parameters: { linkId: 7 } }, {}, []],
	[{}, { operation: 'get', parameters: { linkId: 7 } }, { id: '7' }, []],
	[
		...[{}, { operation: 'get', parameters: { linkId: byUrl('short.example/a') } }],
		{ reference: expect.objectContaining({ text: 'short.example/a', search: 'a' }) },
		[],
	] as never,
	[
		{},
		{ operation: 'get', parameters: { linkId: '' } },
		{},
		['Link is missing; choose one from the list, or enter its ID'],
	],
	[
		{ matchBy: 'id', takesColumns: true },
		{ operation: 'update' },
		{},
		['ID is missing; fill in the column that is named like it, such as id'],
	],
	[{ matchBy: 'id', takesColumns: true }, { operation: 'upsert' }, {}, []],
	[{ matchBy: 'alias' }, { operation: 'update', parameters: { linkId: 7 } }, {}, []],
	[
		{ matchBy: 'shortUrl', takesColumns: true },
		{ operation: 'update', parameters: { linkId: 'short.example/a' } },
		{ reference: expect.objectContaining({ text: 'short.example/a' }) },
		[],
	],
	[
		{ matchBy: 'id', takesColumns: true },
		{ operation: 'update', parameters: { linkId: '..' } },
		{},
		['ID ".." is not an ID; enter the ID that the service shows, such as 42'],
	],
])('reads what identifies a row: %j, %j', (options, more, target, said) => {
	const { context, reported } = withOptions(options, more);
	expect(JSON.parse(JSON.stringify(encodeTarget(context)))).toEqual(target);
	expect(reported).toEqual(said);
});

const given = (name: string, cleared = false) => ({
	...{ field: field(name), values: [['', 'a']] as const },
	cleared,
});

const nothingToChange =
	'Update Fields holds no value; fill in at least one field to change, or choose what to empty in Clear Fields';

it.each<[options: Partial<EncodeOptions>, fields: ReturnType<typeof given>[], said: string[]]>([
	[{}, [], [nothingToChange]],
	[{}, [given('alias')], []],
	[{}, [given('password', true)], []],
	[
		{ takesColumns: true },
		[],
		[
			'Update Fields holds no value; fill in at least one field to change, or a column that is named like it, or choose what to empty in Clear Fields',
		],
	],
	[{ matchBy: 'alias' }, [given('alias')], [nothingToChange]],
	[{ matchBy: 'alias', hasValueColumns: true }, [given('alias')], []],
	[
		{ matchBy: 'alias' },
		[given('url')],
		['Alias is missing; fill in the column that is named like it, such as alias'],
	],
	[{ matchBy: 'id' }, [given('alias')], []],
])('checks what an update has: %j', (options, fields, said) => {
	const { context, reported } = withOptions(options, { operation: 'update' });
	checkUpdate(context, { fields });
	expect(reported).toEqual(said);
});

it('takes a change that depends on the resource, and checks no other operation', () => {
	const { context, reported } = contextOf({ operation: 'update' });
	checkUpdate(context, { fields: [], change: { ...given('pixelIds'), mode: 'add' } });
	checkUpdate({ ...context, operation: 'upsert' }, { fields: [] });
	expect(reported).toEqual([]);
});
