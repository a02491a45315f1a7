import { linkContract } from '../../../../nodes/Link/link.contract';
import type { Field } from '../../../../nodes/shared/contract/fieldTypes';
import {
	listEntries,
	listModesOf,
	mergeList,
	splitChanges,
} from '../../../../nodes/shared/contract/listChanges';
import type { WireValue } from '../../../../nodes/shared/contract/types';
import { paramsOf } from '../../../../nodes/shared/contract/encodedRow';
import { rowOf } from '../../../support/operationRun.ts';

const fieldNamed = (name: string): Field => {
	const field = linkContract.fields.find((each) => each.name === name);
	if (!field) throw new Error(name);
	return field;
};

const country = fieldNamed('country');

/** `DE=a, FR=b` as the values of rules. */
const rules = (text: string): WireValue[] =>
	text
		.split(', ')
		.filter(Boolean)
		.flatMap((rule, index): WireValue[] => {
			const [key = '', name = ''] = rule.split('=');
			return [
				[`[${index}][key]`, key],
				[`[${index}][value]`, `https://example.com/${name}`],
			];
		});

const keysOf = (text: string): WireValue[] =>
	text.split(', ').map((key, index) => [`[${index}][key]`, key]);

it.each<[before: string, added: string, after: string | undefined]>([
	['', 'DE=a', 'DE=a'],
	['DE=a', 'FR=b, US=c', 'DE=a, FR=b, US=c'],
	['DE=a, FR=b', 'DE=c', 'DE=c, FR=b'],
	['DE=a, FR=b', 'FR=b', undefined],
])('to the rules %j, adds %j', (before, added, after) => {
	const merged = mergeList({ field: country, mode: 'add', values: rules(added) }, rules(before));
	expect(merged).toEqual(after === undefined ? undefined : rules(after));
});

it.each<[before: string, removed: string, after: string | undefined]>([
	['DE=a, FR=b, US=c', 'FR', 'DE=a, US=c'],
	['DE=a', 'DE', ''],
	['DE=a', 'FR', undefined],
	['', 'FR', undefined],
])('from the rules %j, removes %j', (before, removed, after) => {
	const change = { field: country, mode: 'remove', values: keysOf(removed) } as const;
	expect(mergeList(change, rules(before))).toEqual(after === undefined ? undefined : rules(after));
});

it('keeps the URL of the resource if only its spelling differs', () => {
	const change = { field: country, mode: 'add', values: rules('DE=a') } as const;
	expect(
		mergeList(change, [
			['[0][key]', 'DE'],
			['[0][value]', 'https://EXAMPLE.com:443/a'],
		]),
	).toBeUndefined();
});

it('identifies entries without a key by their text', () => {
	const rotation = fieldNamed('rotation');
	const at = (...names: string[]): WireValue[] =>
		names.map((name, index) => [`[${index}][value]`, `https://example.com/${name}`]);
	const add = { field: rotation, mode: 'add', values: at('c', 'a', 'c') } as const;
	expect(mergeList(add, at('a', 'b', 'a'))).toEqual(at('a', 'b', 'a', 'c'));
	const remove = { field: rotation, mode: 'remove', values: at('a') } as const;
	expect(mergeList(remove, at('a', 'b', 'a'))).toEqual(at('b'));
	const ids: WireValue[] = [
		['[]', '5'],
		['[]', '6'],
	];
	const pixels = { field: fieldNamed('pixelIds'), mode: 'add', values: ids } as const;
	expect(mergeList(pixels, [['[]', '6']])).toEqual([
		['[]', '6'],
		['[]', '5'],
	]);
	expect(listEntries(rotation, at('a'))).toMatchObject([{ key: 'https://example.com/a' }]);
});

const updateOf = (updateFields: object, more: object = {}) =>
	rowOf('update', { linkId: '1', updateFields: { ...updateFields, ...more } } as never);

const textsOf = (fields: Parameters<typeof paramsOf>[0]) =>
	paramsOf(fields).map(([name, text]) => `${name}=${text}`);

it('takes lists with a mode and what they imply out of the fields of a row', () => {
	const one = { rules: [{ key: 'DE', value: 'https://example.com/' }] };
	const row = updateOf({
		country: one,
		ruleMode: 'add',
		pixelIds: '5',
		pixelMode: 'remove',
		disabled: true,
	});
	expect(textsOf(row.fields)).toEqual(['disabled=1']);
	expect(
		row.changes.map(({ mode, field, implied }) => [mode, field.name, implied?.values]),
	).toEqual([
		['add', 'country', [['', '1']]],
		['remove', 'pixelIds', undefined],
	]);
	const replaced = updateOf({ country: one, pixelIds: '5', pixelMode: 'remove' });
	expect(replaced.changes).toHaveLength(1);
	expect(textsOf(replaced.fields)).toContain('target_type=1');
});

it('never sends a target type that only describes the rules of a mode', () => {
	const row = updateOf({ ruleMode: 'add', disabled: true }, { targetType: 1 });
	expect(textsOf(row.fields)).toEqual(['disabled=1']);
	const off = updateOf({ ruleMode: 'add', disabled: true }, { targetType: 0 });
	expect(textsOf(off.fields)).toEqual(['disabled=1', 'target_type=0']);
	expect(splitChanges(off.fields, new Map())).toEqual({ fields: off.fields, changes: [] });
});

it('reads the mode of all lists that share it, and only for an update', () => {
	const context = {
		contract: linkContract,
		operation: 'update',
		parameters: {},
		options: {},
		report: () => undefined,
	} as unknown as Parameters<typeof listModesOf>[0];
	const modes = listModesOf(context, { ruleMode: 'Remove', pixelMode: 'replace' });
	expect([...modes].map(([{ name }, mode]) => [name, mode])).toEqual(
		['country', 'language', 'platform', 'rotation'].map((name) => [name, 'remove']),
	);
	expect(listModesOf({ ...context, operation: 'upsert' }, { ruleMode: 'add' }).size).toBe(0);
});
