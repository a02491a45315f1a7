import { encode } from 'uqr';

/** The rows of a QR code, without its quiet zone. True is a dark module. */
export type Modules = ReadonlyArray<readonly boolean[]>;

/** Bytes that the largest code with error correction M contains (ISO/IEC 18004, version 40). */
const capacity = 2331;

/**
 * Returns the smallest QR code of an ASCII text with error correction M, which allows 15 % of the code to be unreadable.
 * Returns undefined if the text is too long. If a higher level of error correction needs no larger code, the code has the
 * higher level.
 *
 * The build replaces this module by one that contains the encoder, because the package has no runtime dependencies.
 */
export const modulesOf = (text: string): Modules | undefined =>
	text.length > capacity ? undefined : encode(text, { ecc: 'M', boostEcc: true, border: 0 }).data;
