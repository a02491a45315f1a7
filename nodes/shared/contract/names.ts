import { distinct } from './codecs/id';
import {
	type FormParameter,
	type NamedResource,
	type NameSource,
	type ReportProblem,
	type WireValue,
	Invalid,
	allValid,
} from './types';
import type { EncodedField } from './resourceTypes';
import { canonicalId, isNumber, shorten, refused } from './values';
import { asciiHost, normalize } from './text';

/** Max number of names that the error for an unknown name lists. */
const maxListedNames = 10;

/**
 * Returns a normalized name, without regard to case and kinds of blanks. The name of a domain may be written as an
 * address.
 */
export const normalizedName = (name: string): string =>
	asciiHost(
		normalize(name, 'NFKC')
			.replace(/\s+/g, ' ')
			.trim()
			.toLowerCase()
			.replace(/^https?:\/\//, '')
			.replace(/\/$/, ''),
	);

/** The names that rows contain in place of IDs, by list. */
export type RequestedNames = Map<NameSource, Set<string>>;

/** Adds the names in the fields of a row. */
export function collectNames(fields: readonly EncodedField[], requested: RequestedNames): void {
	for (const { field, values } of fields) {
		const { nameSource } = field.wire;
		for (const [, text, isName] of nameSource ? values : []) {
			if (!isName || !nameSource) continue;
			requested.set(nameSource, (requested.get(nameSource) ?? new Set()).add(text));
		}
	}
}

/** The entries of a list of names that were read. */
export interface NameList {
	readonly named: readonly NamedResource[];
	/** Why the list is incomplete, as a sentence without a full stop; undefined if it is complete. */
	readonly incompleteReason?: string;
}

/** Returns the IDs of a list by the text that `textOf` returns for the name. */
function idsBy(list: NameList, textOf: (name: string) => string): Map<string, Set<string>> {
	const ids = new Map<string, Set<string>>();
	for (const { id, name } of list.named) {
		const text = textOf(name);
		ids.set(text, (ids.get(text) ?? new Set()).add(String(id)));
	}
	return ids;
}

/** Returns the IDs of a list: by themselves, by exact names and by normalized names. */
const indexOf = (list: NameList) => ({
	list,
	ids: new Set(list.named.map(({ id }) => String(id))),
	exact: idsBy(list, (name) => name),
	normalized: idsBy(list, normalizedName),
});

/** Returns why no ID is known for a name. */
function unknownName(list: NameList, source: NameSource, name: string, property: FormParameter) {
	const { named, incompleteReason } = list;
	if (incompleteReason !== undefined) {
		const what = `cannot be looked up, because the list of ${source.resourceName}s could not be read: ${incompleteReason}; use the ID`;
		return refused(name, property, what, { unreadNames: source });
	}
	const names = new Set(named.map((entry) => entry.name).filter((listed) => listed.trim() !== ''));
	const shown = [...names].slice(0, maxListedNames).map((listed) => shorten(listed));
	const others = shown.length > 0 ? `, or one of: ${shown.join(', ')}` : '';
	const what = `was not found among the ${source.description}; use the ID${others}`;
	return refused(name, property, what);
}

/** Returns a function that finds names in the lists of a run. A text that is an ID of the list is this ID. */
export function nameFinder(lists: ReadonlyMap<NameSource, NameList>) {
	const indexes = new Map([...lists].map(([source, list]) => [source, indexOf(list)]));
	return (source: NameSource, name: string, property: FormParameter): Invalid | string => {
		const index = indexes.get(source) ?? indexOf({ named: [] });
		if (index.ids.has(name)) return name;
		const ids = index.exact.get(name) ?? index.normalized.get(normalizedName(name)) ?? new Set();
		const [id] = ids;
		if (id === undefined) return unknownName(index.list, source, name, property);
		if (ids.size === 1) return id;
		const several = `${source.resourceName}s (IDs ${shorten([...ids].join(', '))})`;
		return refused(name, property, `is the name of several ${several}; use an ID instead`);
	};
}

/** Finds the ID of a name in a list; Invalid if there is none, or several. */
export type FindName = ReturnType<typeof nameFinder>;

/** Returns encoded fields with the IDs of their names. Reports names without an ID, and leaves their fields out. */
export const replaceNames = <T extends EncodedField & { readonly property?: FormParameter }>(
	fields: readonly T[],
	find: FindName,
	report: ReportProblem,
): T[] =>
	fields.flatMap((encoded) => {
		const { field, values, property = field } = encoded;
		const { nameSource } = field.wire;
		if (!nameSource || values.every(([, , isName]) => !isName)) return [encoded];
		const resolved = allValid(
			values.map(([suffix, text, isName]): Invalid | WireValue => {
				const id = isName ? find(nameSource, text, property) : text;
				return id instanceof Invalid ? id : [suffix, isNumber(id) ? canonicalId(id) : id];
			}),
		);
		if (!(resolved instanceof Invalid)) return [{ ...encoded, values: distinct(resolved) }];
		report(property, resolved.reasons);
		return [];
	});
