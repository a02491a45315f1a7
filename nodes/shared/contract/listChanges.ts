import { choice } from './codecs/scalar';
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
	return new Map(
		context.contract.fields.flatMap((field) => {
			const { merge } = field.wire;
			const mode = merge && encodeParameter(context, choice, merge, added);
			return mode === 'add' || mode === 'remove' ? [[field, mode] as const] : [];
		}),
	);
}

/** Returns the fields of a row, and apart from these the lists whose values depend on the values of the resource. */
export function splitChanges(
	encoded: readonly EncodedField[],
	modes: ListModes,
): { readonly fields: readonly EncodedField[]; readonly changes: readonly ListChange[] } {
	const changes = encoded.flatMap((list): ListChange[] => {
		const mode = list.cleared ? undefined : modes.get(list.field);
		return mode === undefined ? [] : [{ ...list, mode }];
	});
	const fields = encoded.filter(({ field }) => changes.every((change) => change.field !== field));
	return { fields, changes };
}

/** Returns a list of IDs after IDs were added or removed; undefined if nothing changes. */
export function mergeList(
	{ mode, values }: Pick<ListChange, 'mode' | 'values'>,
	current: readonly WireValue[],
): readonly WireValue[] | undefined {
	const before = new Set(current.map(([, text]) => text));
	const changed = new Set(values.map(([, text]) => text));
	const after =
		mode === 'add'
			? [...current, ...values.filter(([, text]) => !before.has(text))]
			: current.filter(([, text]) => !changed.has(text));
	return after.length === current.length ? undefined : after;
}
