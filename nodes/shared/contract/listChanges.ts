import { choice } from './codecs/scalar';
import { encodeParameter, type EncodeContext } from './encodeContext';
import type { ListChange } from './encodedRow';
import type { EncodedField } from './fieldTypes';
import { isPartial } from './operations';
import type { Parameters, WireValue } from './types';

/**
 * Returns the fields of a row, and apart from these the lists whose values are added to the values of the resource, or removed
 * from them. Reports a mode that is not a choice.
 */
export function splitChanges(
	context: EncodeContext,
	encoded: readonly EncodedField[],
	added: Parameters,
): { readonly fields: readonly EncodedField[]; readonly changes: readonly ListChange[] } {
	if (!isPartial(context.operation)) return { fields: encoded, changes: [] };
	const changes = context.layout.fields.flatMap(({ field }): ListChange[] => {
		const { merge } = field.wire;
		const mode = merge && encodeParameter(context, choice, merge, added);
		const list = encoded.find((candidate) => candidate.field === field);
		const isChange = list && !list.cleared && (mode === 'add' || mode === 'remove');
		return isChange ? [{ ...list, mode }] : [];
	});
	return {
		fields: encoded.filter(({ field }) => changes.every((change) => change.field !== field)),
		changes,
	};
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
