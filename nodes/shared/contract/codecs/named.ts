import { refused } from '../problems';
import type { Codec } from '../types';
import { formulaError, isFormulaError, isTextual, unwrapLocator } from '../values';

/** Max length of a name, in characters. */
const maxNameLength = 200;

/**
 * A choice from a list, by name or code.
 *
 * @param codeOf returns the text to send for a text; undefined if it matches no choice
 * @param choices what to enter; continues "use"
 */
export const named =
	(codeOf: (written: string) => string | undefined, choices: string): Codec =>
	(value, property) => {
		const inner = unwrapLocator(value);
		const written = isTextual(inner) ? String(inner).trim() : '';
		const code = written.length > maxNameLength ? undefined : codeOf(written);
		if (code !== undefined) return [['', code]];
		const reason = isFormulaError(inner) ? formulaError : `is not a known choice; use ${choices}`;
		return refused(inner, property, reason);
	};
