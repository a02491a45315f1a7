import { suggestionsFor } from '../suggestions';
import { Invalid, type Codec } from '../types';
import { formulaError, isFormulaError, isTextual, quote, unwrapLocator } from '../values';

/** Max length of a name, in characters. */
const maxNameLength = 200;

/** Max number of names that a reason lists in full. */
const fewNames = 10;

/**
 * A choice from a long list, by name or code.
 *
 * @param names names of the choices
 * @param codeOf returns the text to send for a text; undefined if it matches no choice
 * @param otherwise the remedy if no name is similar; continues "use"
 */
export const named =
	(
		names: readonly string[],
		codeOf: (written: string) => string | undefined,
		otherwise: string,
	): Codec =>
	(value, property) => {
		const inner = unwrapLocator(value);
		const written = isTextual(inner) ? String(inner).trim() : '';
		const code = written.length > maxNameLength ? undefined : codeOf(written);
		if (code !== undefined) return [['', code]];
		if (isFormulaError(inner)) return new Invalid([`${quote(inner, property)} ${formulaError}`]);
		const likely = names.length > fewNames ? suggestionsFor(written, names) : names;
		const remedy = likely.length > 0 ? likely.join(', ') : otherwise;
		return new Invalid([`${quote(inner, property)} is not a known choice; use ${remedy}`]);
	};
