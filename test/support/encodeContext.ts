import { linkContract } from '../../nodes/Link/link.contract';
import type { EncodeContext } from '../../nodes/shared/contract/encodeContext';
import { encodeOptions } from './encodeOptions.ts';

/** The context of a row of Create without values, and what is reported, as `Alias is missing`. */
export function contextOf(more: Partial<EncodeContext> = {}) {
	const reported: string[] = [];
	const context: EncodeContext = {
		contract: linkContract,
		operation: 'create',
		parameters: {},
		options: encodeOptions,
		report: ({ displayName }, reasons) =>
			reasons.forEach((reason) => reported.push(`${displayName} ${reason}`)),
		guard: (read) => read(),
		...more,
	};
	return { context, reported };
}
