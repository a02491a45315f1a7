import { encode } from 'uqr';

/** How much of a code may be unreadable: about 7 %, 15 %, 25 % or 30 % (ISO/IEC 18004). */
export type ErrorCorrection = 'H' | 'L' | 'M' | 'Q';

/** The rows of a QR code, without its quiet zone. True is a dark module. */
export type Modules = ReadonlyArray<readonly boolean[]>;

/** Bytes that the largest code contains (ISO/IEC 18004, version 40). */
const capacities: Readonly<Record<ErrorCorrection, number>> = {
	H: 1273,
	L: 2953,
	M: 2331,
	Q: 1663,
};

/**
 * Returns the smallest QR code of an ASCII text; undefined if the text is too long. If a higher level of error correction
 * needs no larger code, the code has the higher level.
 *
 * The build replaces this module by one that contains the encoder, because the package has no runtime dependencies.
 */
export const modulesOf = (text: string, errorCorrection: ErrorCorrection): Modules | undefined =>
	text.length > capacities[errorCorrection]
		? undefined
		: encode(text, { ecc: errorCorrection, boostEcc: true, border: 0 }).data;
