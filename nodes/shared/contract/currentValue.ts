import type { Codec, Resource } from './types';
import type { ComparedRow, Field } from './fieldTypes';

/** What a resource holds of a field: undefined where its description does not tell, null where it holds nothing. */
export const currentValueOf = (
	{ wire }: Field,
	resource: Resource,
	compared: ComparedRow,
): unknown => (wire.currentValue ? wire.currentValue(resource, compared) : resource[wire.key]);

/** Returns what goes on the wire for a value that a resource has: only the contract's own values count. */
export const encodeCurrentValue = (field: Field, value: unknown): ReturnType<Codec> =>
	field.wire.codec(value, field, { isAnswer: true });
