import type { Compared, Field, Resource } from './types';

/** What a resource holds of a field: undefined where its description does not tell, null where it holds nothing. */
export const fromResponse = ({ wire }: Field, resource: Resource, compared: Compared): unknown =>
	wire.fromResponse ? wire.fromResponse(resource, compared) : resource[wire.key];
