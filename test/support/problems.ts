import type { EncodedRow } from '../../nodes/shared/contract/encodedRow';
import type { Problem } from '../../nodes/shared/contract/types';
import { reasonText } from '../../nodes/shared/contract/values';

/** A problem with its reason as one text. */
export interface ProblemText {
	readonly field: string;
	readonly key: string;
	readonly reason: string;
	readonly isRunLevel?: true;
}

/** The problems of a row with their reasons as texts; an encoded row as it is. */
export const told = (
	encoded: EncodedRow | readonly Problem[],
): EncodedRow | readonly ProblemText[] =>
	'contract' in encoded
		? encoded
		: encoded.map(({ field, key, isRunLevel, ...reason }) => ({
				field,
				key,
				reason: reasonText(reason),
				...(isRunLevel ? { isRunLevel } : {}),
			}));
