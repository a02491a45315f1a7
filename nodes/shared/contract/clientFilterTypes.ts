import type { INodeProperties } from 'n8n-workflow';
import type { EncodeOptions, Invalid, Resource } from './types';

/** How a client filter tests the resources of a list. */
export interface ResourceTest {
	/** Returns whether a resource passes; undefined if the service does not show the value. */
	readonly passes: (resource: Resource) => boolean | undefined;
	/** Returns whether another interpretation of an ambiguous value would change the result. */
	readonly isDoubtful?: (resource: Resource) => boolean;
	/** Set if the order of the list by date created shows where the resources that pass end. */
	readonly end?: ListEnd;
}

/** Where the resources that pass a filter end, in a list by date created. */
interface ListEnd {
	/** The direction in which all resources after the last match fail. */
	readonly direction: 'asc' | 'desc';
	/** Returns when a resource was created, in ms since 1970; undefined if the service does not show it. */
	readonly createdAt: (resource: Resource) => number | undefined;
}

/** A filter that the service does not have (contract 4.1), so that the node applies it to the list. */
export type ClientFilter = INodeProperties & {
	readonly filter: {
		/** The field of the resource that the filter reads. */
		readonly key: string;
		/** Returns the test for a value of the filter, or why the value is invalid. */
		readonly read: (
			value: unknown,
			property: INodeProperties,
			options: EncodeOptions,
		) => Invalid | ResourceTest;
	};
};

/** A client filter with a value. */
export interface EncodedFilter extends ResourceTest {
	readonly property: ClientFilter;
	readonly value: unknown;
}
