import { suggestionsFor } from '../suggestions';
import { Invalid, type Codec } from '../types';
import { isTextual, quote, unwrapLocator } from '../values';

/** No name is longer, in characters. */
const maxNameLength = 200;

/** A list of so many names is told as a whole. */
const fewNames = 10;

/**
 * One of many choices, by a name or code as people write it.
 *
 * @param names of the choices
 * @param codeOf the text to send for what was written; undefined where it names none
 * @param otherwise how the choices can be written; reads on behind "use"
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
		const likely = names.length > fewNames ? suggestionsFor(written, names) : names;
		const remedy = likely.length > 0 ? likely.join(', ') : otherwise;
		return new Invalid([`${quote(inner, property)} is none that is known; use ${remedy}`]);
	};
