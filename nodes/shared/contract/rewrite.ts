import { inputLabel } from './codecs/rules';
import { inputsIn } from './columns';
import type { EncodedField, DerivedField, RowRewrite } from './fieldTypes';
import type { EncodedRow } from './encodedRow';
import type { ResolvedFields } from './encodeContext';
import type { EncodeOptions } from './types';
import type { RawRow, ResourceContract } from './resourceTypes';
import { isBlank, isEmpty, quoteText } from './values';

/** Returns how a derived field rewrites texts, given a value that it can read; undefined if it rewrites none. */
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

/** Returns whether a row gives a field whose texts are to be rewritten. */
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

/** Number of characters of a text. A character takes one or two code units. */
const lengthOf = (text: string): number => Array.from(text).length;

/**
 * Returns what is wrong with texts that are too long only since they were rewritten: clauses that continue the name of the
 * field. A text that was too long before is the service's to judge (assumption: limits).
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
 * Returns the fields of a row with their texts rewritten. If the row gives no field to rewrite, an update gets the rewrite
 * back, for the texts of the resource; any other operation reports that it needs the main field, unless the row gives a value
 * that could not be encoded.
 */
export function rewriteFields(
	{ operation, report }: Pick<RawRow, 'operation' | 'report'>,
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
	if (operation === 'update') return { fields, rewrite };
	const [main] = rewrite.fields;
	const isGiven = rewrite.fields.some((field) => !isEmpty(values[field.name], field));
	if (main && !isGiven) report(rewrite.source, [`need ${main.displayName}; set it as well`]);
	return { fields };
}
