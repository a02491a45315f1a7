import { linkContract } from '../../nodes/Link/link.contract';
import type { EncodeContext } from '../../nodes/shared/contract/encodeContext';
import { reasonText } from '../../nodes/shared/contract/values';
import { layoutOf } from '../../nodes/shared/contract/formLayout';
import { encodeOptions } from './encodeOptions.ts';

/** The context of a row of Create without values, and what is reported, as `Alias is missing`. */
export function contextOf(more: Partial<EncodeContext> = {}) {
	const reported: string[] = [];
	const context: EncodeContext = {
		contract: linkContract,
		operation: 'create',
		parameters: {},
		options: encodeOptions,
		layout: layoutOf(linkContract, more.operation ?? 'create', more.options ?? {}),
		report: ({ displayName }, reasons) =>
			reasons.forEach((reason) => reported.push(`${displayName} ${reasonText(reason)}`)),
		...more,
	};
	return { context, reported };
}
