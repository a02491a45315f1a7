import type { EncodeContext } from './resolveFields';
import type { DerivedField, Field, ResourceContract } from './types';
import { choicesOf, isEmpty, isTextual, isUnset, quote, unwrapLocator } from './values';

/** Whether the value of a field follows from others, such as the target type from its rules. */
export const isImplied = ({ fields }: ResourceContract, { name }: DerivedField | Field): boolean =>
	fields.some(({ wire }) => wire.implies?.[0] === name);

/** What a person calls a value of a field. */
function labelOf(field: Field, value: unknown): string {
	const text = isTextual(value) ? String(value).trim() : undefined;
	return (
		choicesOf(field).find((choice) => String(choice.value) === text)?.name ?? quote(value, field)
	);
}

/**
 * Fills in what follows from other fields. Where it is given all the same, it says which of them counts. What contradicts
 * is reported, with the names of both.
 *
 * @param values of the row's fields, which are changed
 */
export function addImplied(
	{ contract, report }: EncodeContext,
	values: Record<string, unknown>,
): void {
	for (const target of contract.fields.filter((field) => isImplied(contract, field))) {
		const sources = contract.fields.filter(
			(field) => field.wire.implies?.[0] === target.name && !isEmpty(values[field.name], field),
		);
		const [first, ...others] = sources;
		const given = unwrapLocator(values[target.name]);
		const text = isTextual(given) ? String(given).trim() : undefined;
		if (!first) continue;
		if (isUnset(given)) {
			values[target.name] = first.wire.implies?.[1];
			for (const other of others) {
				report(other, [`cannot stand beside ${first.displayName}; keep one of the two`]);
			}
		} else if (!sources.some(({ wire }) => wire.implies?.[1] === text)) {
			const { displayName } = target;
			const reason = `contradicts ${displayName} ${labelOf(target, given)}; leave ${displayName} out, or remove this field`;
			for (const field of sources) report(field, [reason]);
		}
	}
}
