import type { Codec, Compared, Field, Resource } from './types';

/** What a resource holds of a field: undefined where its description does not tell, null where it holds nothing. */
export const fromResponse = ({ wire }: Field, resource: Resource, compared: Compared): unknown =>
	wire.fromResponse ? wire.fromResponse(resource, compared) : resource[wire.key];

/** Returns what goes on the wire for a value that a resource has: only the contract's own values count. */
export const encodeHeld = (field: Field, held: unknown): ReturnType<Codec> =>
	field.wire.codec(held, field, { isAnswer: true });
