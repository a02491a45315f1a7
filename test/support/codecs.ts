import type { INodeProperties } from 'n8n-workflow';
import { reasonText } from '../../nodes/shared/contract/values';
import { type Codec, type CodecContext, Invalid } from '../../nodes/shared/contract/types';

export const propertyLike = (more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'Field',
	name: 'field',
	type: 'string',
	default: '',
	...more,
});

/**
 * What a codec sends for a value, as `suffix=text`, or `suffix=name text`, or the reasons why it refuses it, each after a `!`.
 */
export function encodedBy(
	codec: Codec,
	value: unknown,
	property: INodeProperties = propertyLike(),
	context?: CodecContext,
): string[] {
	const encoded = codec(value, property, context);
	return encoded instanceof Invalid
		? encoded.reasons.map((reason) => `!${reasonText(reason)}`)
		: encoded.map(([suffix, text, isName]) => `${suffix}=${isName ? 'name ' : ''}${text}`);
}
