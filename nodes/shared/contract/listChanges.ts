import { rulesWithoutValues } from './codecs/rules';
import { choice } from './codecs/scalar';
import { comparableValues, entriesOf } from './compare';
import type { ListChange } from './encodedRow';
import type { EncodeContext } from './encodeContext';
import type { EncodedField, Field } from './fieldTypes';
import { isPartial } from './operations';
import { encodeParameter } from './target';
import type { Parameters, WireValue } from './types';

/** How a row changes the list of a resource. A list without a mode is replaced. */
export type ListModes = ReadonlyMap<Field, ListChange['mode']>;

/** Returns the modes of a row by the field with the list. Reports a mode that is not a choice. */
export function listModesOf(context: EncodeContext, added: Parameters): ListModes {
	if (!isPartial(context.operation)) return new Map();
	const fields = context.contract.fields.filter(({ wire }) => wire.merge);
	const properties = new Set(fields.flatMap(({ wire }) => wire.merge ?? []));
	return new Map(
		[...properties].flatMap((property) => {
			const mode = encodeParameter(context, choice, property, added);
			if (mode !== 'add' && mode !== 'remove') return [];
			return fields
				.filter(({ wire }) => wire.merge === property)
				.map((field) => [field, mode] as const);
		}),
	);
}

/** Returns the values of a row, in which an object from keys to empty texts is a list of rules to remove. */
export function withRemovedKeys(
	{ contract: { derivedFields = [] } }: Pick<EncodeContext, 'contract'>,
	added: Parameters,
	modes: ListModes,
): Parameters {
	if (modes.size === 0) return added;
	const lists = [...modes]
		.filter(([{ type }, mode]) => mode === 'remove' && type === 'fixedCollection')
		.map(([{ name }]) => name);
	const derived = derivedFields
		.filter(({ derive }) => derive.takesList && derive.sets.some((name) => lists.includes(name)))
		.map(({ name }) => name);
	const removed = [...lists, ...derived].flatMap((name) => {
		const rules = rulesWithoutValues(added[name]);
		return rules ? [[name, rules] as const] : [];
	});
	return { ...added, ...Object.fromEntries(removed) };
}

/** Returns whether a field has a value that a list with a mode implies. Such a value is never written without the list. */
const isImplied = ({ field, values }: EncodedField, modes: ListModes): boolean =>
	[...modes.keys()].some(
		({ wire }) => wire.implies?.[0] === field.name && wire.implies[1] === values[0]?.[1],
	);

/** Returns the fields of a row, and apart from these the lists whose values depend on the values of the resource. */
export function splitChanges(
	encoded: readonly EncodedField[],
	modes: ListModes,
): { readonly fields: readonly EncodedField[]; readonly changes: readonly ListChange[] } {
	const changes = encoded.flatMap((list): ListChange[] => {
		const mode = list.cleared ? undefined : modes.get(list.field);
		const implied = encoded.find(({ field }) => field.name === list.field.wire.implies?.[0]);
		return mode === undefined ? [] : [{ ...list, mode, implied }];
	});
	const isOwn = (each: EncodedField) =>
		changes.every(({ field }) => field !== each.field) && !isImplied(each, modes);
	return { fields: encoded.filter(isOwn), changes };
}

/** An entry of a list: an ID, or a rule. */
interface Entry {
	readonly values: readonly WireValue[];
	/** The normalized text that identifies the entry: the key of a rule, or its only text. */
	readonly key: string;
	/** All normalized texts. */
	readonly content: string;
}

/** Returns the entries of a list. The first text of an entry identifies it. */
export const listEntries = (field: Field, values: readonly WireValue[]): Entry[] =>
	entriesOf(values).map((entry) => {
		const texts = comparableValues(field, entry).map(([, text]) => text);
		return { values: entry, key: texts[0] ?? '', content: JSON.stringify(texts) };
	});

/** Returns the values of entries as one list, whose rules are numbered from 0. */
const numbered = (entries: readonly Entry[]): WireValue[] =>
	entries.flatMap(({ values }, index) =>
		values.map(([suffix, text]) => [suffix.replace(/^\[\d+\]/, `[${index}]`), text] as const),
	);

/**
 * Returns a list after entries were added or removed; undefined if nothing changes. An added entry replaces the entry with the
 * same key, in its place.
 */
export function mergeList(
	{ field, mode, values }: Pick<ListChange, 'field' | 'mode' | 'values'>,
	current: readonly WireValue[],
): readonly WireValue[] | undefined {
	const before = listEntries(field, current);
	const changed = new Map(listEntries(field, values).map((entry) => [entry.key, entry]));
	const staying = before.flatMap((entry) => {
		const change = changed.get(entry.key);
		if (!change) return [entry];
		if (mode === 'remove') return [];
		return [change.content === entry.content ? entry : change];
	});
	const keys = new Set(before.map(({ key }) => key));
	const added = mode === 'add' ? [...changed.values()].filter(({ key }) => !keys.has(key)) : [];
	const after = [...staying, ...added];
	const isSame =
		after.length === before.length && after.every((entry, index) => entry === before[index]);
	return isSame ? undefined : numbered(after);
}
