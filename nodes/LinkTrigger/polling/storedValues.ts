import { isRecord } from '../../shared/contract/values';

/**
 * Returns a stored non-negative integer.
 *
 * @throws SyntaxError for any other value
 */
export function storedNumber(value: unknown): number {
	if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
	throw new SyntaxError('Not a stored number');
}

/** Reads a stored value; returns undefined if there is none. */
export const readOptional = <T>(read: (value: unknown) => T, value: unknown): T | undefined =>
	value === undefined ? undefined : read(value);

/** The highest page number. A service may misread a higher number, so that polls would fail forever. */
export const maxPageNumber = 1_000_000;

/**
 * Returns a stored page number.
 *
 * @throws SyntaxError for any other value
 */
export function storedPage(value: unknown): number {
	const number = storedNumber(value);
	if (number >= 1 && number <= maxPageNumber) return number;
	throw new SyntaxError('Not a stored page number');
}

/**
 * Returns a stored text.
 *
 * @throws SyntaxError for any other value
 */
export function storedText(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new SyntaxError('Not a stored text');
}

/**
 * Returns a stored object.
 *
 * @throws SyntaxError for any other value
 */
export function storedObject(value: unknown): Record<string, unknown> {
	if (isRecord(value)) return value;
	throw new SyntaxError('Not a stored object');
}

/** Returns a bound as JSON, which has no `Infinity`. */
export const encodeBound = (bound: number): number | null => (bound === Infinity ? null : bound);

/**
 * Returns the bound that `encodeBound` encoded.
 *
 * @throws SyntaxError for any other value
 */
export const storedBound = (value: unknown): number =>
	value === null ? Infinity : storedNumber(value);
