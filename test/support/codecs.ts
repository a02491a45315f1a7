import type { INodeProperties } from 'n8n-workflow';
import {
	Invalid,
	type Codec,
	type CodecContext,
	type NameLookup,
} from '../../nodes/shared/contract/types';

export const propertyLike = (more: Partial<INodeProperties> = {}): INodeProperties => ({
	displayName: 'Field',
	name: 'field',
	type: 'string',
	default: '',
	...more,
});

/** What a codec sends for a value, as `suffix=text`, or the reasons why it refuses it, each after a `!`. */
export function encodedBy(
	codec: Codec,
	value: unknown,
	property: INodeProperties = propertyLike(),
	context?: CodecContext,
): string[] {
	const encoded = codec(value, property, context);
	return encoded instanceof Invalid
		? encoded.reasons.map((reason) => `!${reason}`)
		: encoded.map(([suffix, text]) => `${suffix}=${text}`);
}

/** Finds the IDs of some names. Without an entry, a text is not in the list. */
export const namesLike =
	(ids: Readonly<Record<string, string>>): NameLookup =>
	(name) =>
		ids[name] ?? new Invalid([`"${name}" is not in the list`]);
