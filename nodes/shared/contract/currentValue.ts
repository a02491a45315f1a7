import type { Codec, Resource } from './types';
import type { ComparedRow, Field } from './fieldTypes';

/**
 * Returns the value that a resource has for a field: undefined if the resource does not show it, null if it is empty.
 */
export const currentValueOf = (
	{ wire }: Field,
	resource: Resource,
	compared: ComparedRow,
): unknown => (wire.currentValue ? wire.currentValue(resource, compared) : resource[wire.key]);

/** Encodes a value of a resource. Accepts only the values that the contract lists. */
export const encodeCurrentValue = (field: Field, value: unknown): ReturnType<Codec> =>
	field.wire.codec(value, field, { isAnswer: true });
