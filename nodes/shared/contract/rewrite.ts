import { inputLabel } from './codecs/rules';
import { inputsIn } from './columns';
import type { EncodedField, DerivedField, RowRewrite } from './fieldTypes';
import type { EncodedRow } from './encodedRow';
import type { EncodeContext, ResolvedFields } from './encodeContext';
import type { EncodeOptions } from './types';
import type { ResourceContract } from './resourceTypes';
import { isPartial } from './operations';
import { isBlank, isEmpty, quoteText } from './values';

/** Returns how a derived field rewrites texts for a valid value; undefined if it rewrites none. */
export function rewriteOf(
	contract: ResourceContract,
	source: DerivedField,
	value: unknown,
	options: EncodeOptions,
): RowRewrite | undefined {
	const { rewrite } = source.derive;
	const inputsWithValue = Object.entries(inputsIn(source, value)).filter(
		([, input]) => !isBlank(input),
	);
	if (!rewrite || inputsWithValue.length === 0) return undefined;
	const names = rewrite.fields(options);
	const inputs = Object.fromEntries(inputsWithValue);
	const fields = names.flatMap((name) => contract.fields.filter((field) => field.name === name));
	return {
		source,
		inputs,
		fields,
		text: rewrite.rewriterFor(inputs),
		maxLength: rewrite.maxLength,
	};
}

/** Returns whether a rewrite applies to an encoded field. */
const isRewritten = ({ fields }: RowRewrite, { field, cleared }: EncodedField): boolean =>
	!cleared && fields.includes(field);

/** Returns a field with its texts rewritten. */
export const rewritten = (rewrite: RowRewrite, encoded: EncodedField): EncodedField =>
	isRewritten(rewrite, encoded)
		? {
				...encoded,
				values: encoded.values.map(([suffix, text]) => [suffix, rewrite.text(text)] as const),
			}
		: encoded;

/** Returns the number of characters of a text, counting a surrogate pair once. */
const lengthOf = (text: string): number => Array.from(text).length;

/**
 * Returns a reason for each text that is too long only after the rewrite. The service decides about texts that were
 * too long before (assumption: limits).
 */
export function tooLongIn(
	{ source, maxLength }: RowRewrite,
	before: EncodedField,
	after: EncodedField,
): string[] {
	const isTooLong = (text: string) => text.length > maxLength && lengthOf(text) > maxLength;
	return after.values.flatMap(([suffix, text], index) => {
		const [, old = ''] = before.values[index] ?? [];
		if (!isTooLong(text) || isTooLong(old)) return [];
		const [length, max] = [lengthOf(text), maxLength].map((count) => count.toLocaleString('en-US'));
		return `${inputLabel(after.field, suffix)}${quoteText(old)} has ${length} characters with ${source.displayName}, and services commonly allow ${max}; shorten the address, or leave out ${source.displayName}`;
	});
}

/**
 * Rewrites the texts of a row's fields. If the row has none of these fields, returns the rewrite for the texts of the
 * resource on an update, and reports the missing main field on any other operation.
 */
export function rewriteFields(
	{ operation, report }: Pick<EncodeContext, 'operation' | 'report'>,
	{ rewrite, values }: Pick<ResolvedFields, 'rewrite' | 'values'>,
	fields: readonly EncodedField[],
): Pick<EncodedRow, 'fields' | 'rewrite'> {
	if (!rewrite) return { fields };
	if (fields.some((field) => isRewritten(rewrite, field))) {
		const after = fields.map((field) => {
			const encoded = rewritten(rewrite, field);
			report(field.source ?? field.field, tooLongIn(rewrite, field, encoded));
			return encoded;
		});
		return { fields: after };
	}
	if (isPartial(operation)) return { fields, rewrite };
	const [main] = rewrite.fields;
	const hasValue = rewrite.fields.some((field) => !isEmpty(values[field.name], field));
	if (main && !hasValue) report(rewrite.source, [`need ${main.displayName}; set it as well`]);
	return { fields };
}
