/** Returns 128 random bits as text. */
export const newSalt = (): string => toText(crypto.getRandomValues(new Uint8Array(16)));

/**
 * Returns the salted SHA-256 hash of texts, as text.
 */
export async function digest(salt: string, texts: readonly string[]): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify([salt, ...texts]));
	return toText(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

const toText = (bytes: Uint8Array): string =>
	btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('=', '');
