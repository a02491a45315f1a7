import { isRecord } from '../contract/values';

/**
 * A number that was stored.
 *
 * @throws SyntaxError where it is none
 */
export function wholeNumber(value: unknown): number {
	if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
	throw new SyntaxError('Not a stored number');
}

/** A number that was stored, or undefined where none was. */
export const optionalNumber = (value: unknown): number | undefined =>
	value === undefined ? undefined : wholeNumber(value);

/** Returns the number of a page that was stored, or undefined if it is none: a list has no page of a higher number. */
export const storedPage = (value: unknown): number | undefined =>
	Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= 1_000_000
		? Number(value)
		: undefined;

/**
 * The number of a page that was stored. A service may take a number that no list has for another one, so that a broken one
 * would fail for ever.
 *
 * @throws SyntaxError where it is none
 */
export function pageNumber(value: unknown): number {
	const number = storedPage(value);
	if (number !== undefined) return number;
	throw new SyntaxError('Not the number of a page');
}

/** An object that was stored. */
export function storedObject(value: unknown): Record<string, unknown> {
	if (isRecord(value)) return value;
	throw new SyntaxError('Not a stored object');
}

/** The text of a bound below which something is not known yet: none is as high as `Infinity`, which JSON does not have. */
export const storeBound = (bound: number): number | null => (bound === Infinity ? null : bound);

/** Reads what `storeBound` gave; 0 where nothing was stored. */
export const boundIn = (value: unknown): number =>
	value === null ? Infinity : (optionalNumber(value) ?? 0);
