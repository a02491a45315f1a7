/** Returns 128 bits of chance as text. */
export const newSalt = (): string => toText(crypto.getRandomValues(new Uint8Array(16)));

/**
 * Returns a text that is another one for all other texts, and from which none of them can be read. Who has it cannot check a
 * guess against one of another salt. 256 bits.
 */
export async function digest(salt: string, texts: readonly string[]): Promise<string> {
	const bytes = new TextEncoder().encode(JSON.stringify([salt, ...texts]));
	return toText(new Uint8Array(await crypto.subtle.digest('SHA-256', bytes)));
}

const toText = (bytes: Uint8Array): string =>
	btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')).replaceAll('=', '');
