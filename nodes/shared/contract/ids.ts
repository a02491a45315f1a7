/** Returns whether a text consists of digits, so that it is an ID and not a name. */
export const isNumber = (text: string): boolean => /^\d{1,999}$/.test(text);

/** Returns whether a text is a UUID. */
export const isUuid = (text: string): boolean =>
	/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Returns a normalized ID: a number without leading zeros, a UUID in lower case. Case matters in any other ID, because the
 * contract shows no type for IDs (2.1).
 */
export function canonicalId(id: string): string {
	if (isNumber(id)) return id.replace(/^0+(?=\d)/, '');
	return isUuid(id) ? id.toLowerCase() : id;
}
