import { isRecord } from '../../shared/contract/values';

/**
 * Returns a number from 0 on that was stored.
 *
 * @throws SyntaxError for any other value
 */
export function storedNumber(value: unknown): number {
	if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value);
	throw new SyntaxError('Not a stored number');
}

/** Returns what a reader makes of a stored value, or undefined if none was stored. */
export const optional = <T>(read: (value: unknown) => T, value: unknown): T | undefined =>
	value === undefined ? undefined : read(value);

/** No list has a page with a higher number. A service may take such a number for another one, so that polls would fail forever. */
export const maxPageNumber = 1_000_000;

/**
 * Returns the number of a page that was stored.
 *
 * @throws SyntaxError for any other value
 */
export function storedPage(value: unknown): number {
	const number = storedNumber(value);
	if (number >= 1 && number <= maxPageNumber) return number;
	throw new SyntaxError('Not a stored page number');
}

/**
 * Returns a text that was stored.
 *
 * @throws SyntaxError for any other value
 */
export function storedText(value: unknown): string {
	if (typeof value === 'string') return value;
	throw new SyntaxError('Not a stored text');
}

/**
 * Returns an object that was stored.
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
