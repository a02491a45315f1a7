import { linkContract } from '../../../../nodes/Link/link.contract';
import { flag } from '../../../../nodes/shared/contract/codecs/scalar';
import { returnAll } from '../../../../nodes/shared/description/parameters';
import type { EncodeContext } from '../../../../nodes/shared/contract/encodeContext';
import type { EncodeOptions } from '../../../../nodes/shared/contract/types';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import {
	checkUpdate,
	encodeParameter,
	encodeTarget,
	isNeeded,
	missing,
} from '../../../../nodes/shared/contract/target';
import { contextOf } from '../../../support/encodeContext.ts';
import { encodeOptions } from '../../../support/encodeOptions.ts';

const withOptions = (options: Partial<EncodeOptions>, more: Partial<EncodeContext> = {}) =>
	contextOf({ options: { ...encodeOptions, ...options }, ...more });

const field = (name: string): Field => {
	const match = linkContract.fields.find((candidate) => candidate.name === name);
	if (!match) throw new Error(name);
	return match;
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
])('a row needs %s: %j, matched by %s: %j', (name, more, matchBy, is) => {
	const { context } = withOptions({ matchBy }, more);
	expect(isNeeded(context, field(name))).toBe(is);
});

it('explains how to enter a value', () => {
	expect(missing(encodeOptions)).toBe('is missing; enter a value');
	expect(missing({ ...encodeOptions, takesColumns: true })).toBe(
		'is missing; fill in its cell, or the field in the form',
	);
});

it.each<[value: unknown, text: string | undefined, reported: string[]]>([
	[true, '1', []],
	[undefined, '0', []],
	['maybe', undefined, ['Return All "maybe" is neither true nor false; enter true or false']],
])('reads the parameter %j', (value, text, reported) => {
	const { context, reported: reasons } = contextOf();
	expect(encodeParameter(context, flag, returnAll, { returnAll: value })).toBe(text);
	expect(reasons).toEqual(reported);
});

const byUrl = (value: string) => ({ __rl: true, mode: 'url', value });

it.each<
	[options: Partial<EncodeOptions>, more: Partial<EncodeContext>, target: object, reasons: string[]]
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
		['Link is missing; choose from the list, or enter an ID'],
	],
	[
		{ matchBy: 'id', takesColumns: true },
		{ operation: 'update' },
		{},
		['ID is missing; fill in its cell'],
	],
	[{ matchBy: 'id', takesColumns: true }, { operation: 'upsert' }, {}, []],
	[{ matchBy: 'alias' }, { operation: 'update', parameters: { linkId: 7 } }, {}, []],
	[
		{ matchBy: 'id', takesColumns: true },
		{ operation: 'update', parameters: { linkId: 'https://short.example/a' } },
		{ reference: expect.objectContaining({ text: 'https://short.example/a' }) },
		[],
	],
	[
		{ matchBy: 'id', takesColumns: true },
		{ operation: 'update', parameters: { linkId: '..' } },
		{},
		['ID ".." is not an ID; enter the ID that the service shows, such as 42'],
	],
])('reads the identifier of a row: %j, %j', (options, more, target, reasons) => {
	const { context, reported } = withOptions(options, more);
	expect(JSON.parse(JSON.stringify(encodeTarget(context)))).toEqual(target);
	expect(reported).toEqual(reasons);
});

const encoded = (name: string, cleared = false) => ({
	...{ field: field(name), values: [['', 'a']] as const },
	cleared,
});

const nothingToChange =
	'Update Fields contains no value; fill in at least one field to change, or choose fields in Clear Fields';

it.each<[options: Partial<EncodeOptions>, fields: ReturnType<typeof encoded>[], reasons: string[]]>(
	[
		[{}, [], [nothingToChange]],
		[{}, [encoded('alias')], []],
		[{}, [encoded('password', true)], []],
		[
			{ takesColumns: true },
			[],
			[
				'Update Fields contains no value; fill in at least one field to change, or its column, or choose fields in Clear Fields',
			],
		],
		[{ matchBy: 'alias' }, [encoded('alias')], [nothingToChange]],
		[{ matchBy: 'alias', hasValueColumns: true }, [encoded('alias')], []],
		[{ matchBy: 'alias' }, [encoded('url')], ['Alias is missing; fill in its cell']],
		[{ matchBy: 'id' }, [encoded('alias')], []],
	],
)('checks the values of an update: %j', (options, fields, reasons) => {
	const { context, reported } = withOptions(options, { operation: 'update' });
	checkUpdate(context, { fields, changes: [] });
	expect(reported).toEqual(reasons);
});

it('accepts a list change, and checks no other operation', () => {
	const { context, reported } = contextOf({ operation: 'update' });
	checkUpdate(context, { fields: [], changes: [{ ...encoded('pixelIds'), mode: 'add' }] });
	checkUpdate({ ...context, operation: 'upsert' }, { fields: [], changes: [] });
	expect(reported).toEqual([]);
});
