import type { EncodeContext } from './encodeContext';
import { Invalid } from './types';
import type { EncodedField, Field } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';
import { choicesOf, isEmpty, isUnset, quote, unwrapLocator } from './values';

/** Returns the field that disables or enables a resource; none if a resource cannot be disabled (contract 2.1, `disabled`). */
export const disabledChange = (
	{ fields, disabledField }: ResourceContract,
	disables: boolean,
): EncodedField[] =>
	fields
		.filter(({ name }) => name === disabledField)
		.map((field) => ({ field, values: [['', disables ? '1' : '0']] }));

/** Returns whether other fields imply the value of a field, such as rules the target type. */
export const isImpliedField = ({ fields }: ResourceContract, { name }: Field): boolean =>
	fields.some(({ wire }) => wire.implies?.[0] === name);

/** Returns the text that a field sends for a value; undefined if it cannot be sent. */
function sentText(field: Field, value: unknown): string | undefined {
	const encoded = field.wire.codec(value, field);
	return encoded instanceof Invalid ? undefined : encoded[0]?.[1];
}

/** Returns the label of a choice. */
const choiceLabel = (field: Field, text: string | undefined, value: unknown): string =>
	choicesOf(field).find((choice) => String(choice.value) === text)?.name ?? quote(value, field);

/**
 * Sets the fields that other fields imply. An explicit value decides which of several contradicting fields is valid.
 * Reports each contradiction with both names. A value that is not allowed is reported by its own field.
 *
 * @param values the values of the row's fields, which this function changes
 */
export function addImpliedValues(
	{ contract, report }: EncodeContext,
	values: Record<string, unknown>,
): void {
	for (const target of contract.fields.filter((field) => isImpliedField(contract, field))) {
		const sources = contract.fields.filter(
			(field) => field.wire.implies?.[0] === target.name && !isEmpty(values[field.name], field),
		);
		const [first, ...otherSources] = sources;
		const value = unwrapLocator(values[target.name]);
		if (!first) continue;
		const text = sentText(target, value);
		if (isUnset(value)) {
			values[target.name] = first.wire.implies?.[1];
			for (const other of otherSources) {
				report(other, [`cannot be combined with ${first.displayName}; keep only one of them`]);
			}
		} else if (text !== undefined && !sources.some(({ wire }) => wire.implies?.[1] === text)) {
			const { displayName } = target;
			const reason = `contradicts ${displayName} ${choiceLabel(target, text, value)}; leave ${displayName} out, or remove this field`;
			for (const field of sources) report(field, [reason]);
		}
	}
}
