import { nearest } from '../nearest';
import { Invalid, type Codec } from '../types';
import { choicesOf, isTextual, quote, unwrapLocator } from '../values';

/** A list of so many choices is told as a whole. */
const fewChoices = 10;

/**
 * One of many choices, by a name or code as people write it.
 *
 * @param codeOf the text to send for what was written; undefined where it names none
 * @param otherwise how the choices can be written; reads on behind "use"
 */
export const named =
	(codeOf: (written: string) => string | undefined, otherwise: string): Codec =>
	(value, property) => {
		const inner = unwrapLocator(value);
		const written = isTextual(inner) ? String(inner).trim() : '';
		const code = codeOf(written);
		if (code !== undefined) return [['', code]];
		const names = choicesOf(property).map(({ name }) => name);
		const likely = names.length > fewChoices ? nearest(written, names) : names;
		const remedy = likely.length > 0 ? likely.join(', ') : otherwise;
		return new Invalid([`${quote(inner, property)} is none that is known; use ${remedy}`]);
	};
