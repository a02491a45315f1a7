import type { WireValue } from '../types';

/** What a service takes for nothing, by the shape of the field (assumption: clearing). */
export const emptyText: readonly WireValue[] = [['', '']];
export const emptyList: readonly WireValue[] = [['[]', '']];
export const emptyKeyedRules: readonly WireValue[] = [
	['[0][key]', ''],
	['[0][value]', ''],
];
export const emptyRules: readonly WireValue[] = [['[0][value]', '']];
