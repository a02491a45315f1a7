import type { Problems } from './checks.ts';
import type { Form } from './form.ts';
import type { Window } from './listing.ts';

/** A link or a pixel as it is answered. */
export type Representation = Record<string, unknown>;

/**
 * The names that the contract knows in a form or a query. A name with parts is a list whose elements have these parts.
 */
export type Known = ReadonlyMap<string, readonly string[]>;

/** What links and pixels have in common: contract 4 gives both the same five endpoints. */
export interface Resource {
	name: 'link' | 'pixel';
	knownFields: { create: Known; update: Known; list: Known };
	/** Reads a page, filtered and sorted as the query says. */
	list(query: Form, window: Window): { total: number; rows: Representation[] };
	find(id: number): Representation | undefined;
	/** Every bad field of a form for a create, or, given an id that exists, for an update. */
	check(form: Form, id?: number): Problems;
	/** Both writes take forms that passed the check. */
	create(form: Form): Representation;
	update(id: number, form: Form): Representation;
	remove(id: number): void;
}

/** Names without parts. */
export function names(...plain: string[]): Map<string, readonly string[]> {
	return new Map(plain.map((name) => [name, []]));
}
