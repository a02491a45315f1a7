import type { Address, Field, Method, ResourceKey, Task, WireValue } from './types';

/** One name and value of a query or form, in the order in which it is sent. */
export type Pair = readonly [name: string, text: string];

/** One field as it was encoded. */
export interface EncodedField {
	readonly field: Field;
	readonly values: readonly WireValue[];
	/** Whether the values stand for nothing, to empty the field. */
	readonly cleared?: boolean;
}

/** Values that are added to what a resource has, or removed from it. */
export interface Merge extends EncodedField {
	readonly mode: 'add' | 'remove';
}

/** A request as the contract describes it, without base URL, headers or pages. */
export interface PlannedRequest {
	readonly task: Task;
	readonly method: Method;
	/** Path under the API prefix, with the id filled in and percent-encoded, or `{id}` where it is to be found first. */
	readonly path: string;
	/** The id as it was given, where the path names one. */
	readonly id?: string;
	/** What was given in place of an id. */
	readonly address?: Address;
	/** Query of a GET, form of a POST or PUT. */
	readonly pairs: readonly Pair[];
	/** The fields that the pairs were made of. */
	readonly fields: readonly EncodedField[];
	/** The field whose values depend on what the resource has; it is none of `fields`. */
	readonly merge?: Merge;
	/** What the resource can be found by again. */
	readonly key: ResourceKey;
	/** How many results of a list are wanted; Infinity for all. */
	readonly limit: number;
}

/** What is wrong with one field of one row: its display name and contract name, and a clause that ends with the remedy. */
export interface Problem {
	readonly field: string;
	readonly key: string;
	readonly reason: string;
}

/** The pairs of a field, as they are sent. */
export const pairsOf = ({ field, values }: EncodedField): Pair[] =>
	values.map(([suffix, text]) => [`${field.wire.key}${suffix}`, text]);
