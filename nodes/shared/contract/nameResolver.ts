import { IdPattern, isUuid } from './idPattern';
import { normalize } from './textLimits';
import { suggestionsFor } from './suggestions';
import {
	Invalid,
	type EncodeOptions,
	type FormParameter,
	type NameResolver,
	type NamedResource,
	type NameLookup,
	type NameSource,
} from './types';
import type { Field } from './fieldTypes';
import { quote, separators, shorten } from './values';

/** Max number of parts of a name to count. */
const maxParts = 10;

/** Max length of a name to normalize, in characters. Longer names must match exactly. */
const maxNormalizedLength = 1000;

/**
 * Returns a normalized name, without regard to case and kinds of blanks. The name of a domain may be written as an
 * address.
 */
const normalized = (name: string): string =>
	name.length > maxNormalizedLength
		? name
		: normalize(name, 'NFKC')
				.replace(/\s+/g, ' ')
				.trim()
				.toLowerCase()
				.replace(/^https?:\/\//, '')
				.replace(/\/$/, '');

/**
 * Returns the lookup for a field that accepts names in place of IDs; undefined if the field accepts none or the run
 * has no lists.
 */
export const nameLookup = (
	field: Field,
	{ names }: Pick<EncodeOptions, 'names'>,
): NameLookup | undefined => {
	const { nameSource } = field.wire;
	return nameSource && names?.lookupFor(nameSource, field);
};

/** The names of a list, indexed by text. */
class NameIndex {
	readonly names: readonly string[];

	/** The highest number of parts that separators split a name into. */
	readonly maxParts: number;

	private readonly ids: ReadonlySet<string>;

	private readonly exact = new Map<string, Set<string>>();

	private readonly folded = new Map<string, Set<string>>();

	constructor(named: readonly NamedResource[]) {
		this.names = named.map(({ name }) => name);
		this.maxParts = this.names.reduce(
			(max, name) => Math.max(max, name.split(separators, maxParts).length),
			1,
		);
		this.ids = new Set(named.map(({ id }) => String(id)));
		const add = (map: Map<string, Set<string>>, name: string, id: string) =>
			map.set(name, (map.get(name) ?? new Set()).add(id));
		for (const { id, name } of named) {
			add(this.exact, name, String(id));
			add(this.folded, normalized(name), String(id));
		}
	}

	/**
	 * Returns the IDs that match a text: the text itself if it is an ID, or else the IDs of the name. Exact matches
	 * take precedence.
	 */
	find(text: string): ReadonlySet<string> {
		if (this.ids.has(text)) return new Set([text]);
		return this.exact.get(text) ?? this.folded.get(normalized(text)) ?? new Set();
	}
}

/** The entries of a list of names that were read. */
export interface NameList {
	readonly named: readonly NamedResource[];
	/** The IDs of all resources in the list, including resources without a name. */
	readonly ids: readonly unknown[];
	/** Why the list is incomplete, as a sentence without a full stop; undefined if it is complete. */
	readonly incompleteReason?: string;
}

/** Returns whether a list contains all texts as names or IDs. */
export function areListed(named: readonly NamedResource[], texts: Iterable<string>): boolean {
	const index = new NameIndex(named);
	return [...texts].every((text) => index.find(text).size > 0);
}

/** A list of names, ready for lookups. */
interface IndexedList {
	readonly index: NameIndex;
	/** The pattern of the list's IDs; undefined if it has none. */
	readonly idPattern?: IdPattern;
	readonly incompleteReason?: string;
}

/** Used for a list that was not read. */
const unreadList: IndexedList = {
	index: new NameIndex([]),
	incompleteReason: 'it was not requested',
};

/** Finds the IDs of names in the lists that a run has read. */
export class NameListResolver implements NameResolver {
	private readonly lists: ReadonlyMap<NameSource, IndexedList>;

	/** The pattern of the IDs in all lists, for a list without IDs. */
	private readonly commonPattern: IdPattern;

	/** Results by list and text. Most rows of a run contain the same names. */
	private readonly resolved = new Map<NameSource, Map<string, Invalid | string>>();

	constructor(lists: ReadonlyMap<NameSource, NameList>) {
		const entries = [...lists].map(([source, { named, incompleteReason }]) => {
			const ids = named.map(({ id }) => id);
			const idPattern = ids.length > 0 ? new IdPattern(ids) : undefined;
			return [source, { index: new NameIndex(named), idPattern, incompleteReason }] as const;
		});
		this.lists = new Map(entries);
		this.commonPattern = new IdPattern([...lists.values()].flatMap(({ ids }) => ids));
	}

	lookupFor(source: NameSource, property: FormParameter): NameLookup {
		const { index } = this.lists.get(source) ?? unreadList;
		return {
			idOf: (name) => this.idOf(source, name, property),
			isListed: (text) => index.find(text).size > 0,
			maxParts: () => index.maxParts,
		};
	}

	/**
	 * Returns the ID of a name, or the text itself if it is an ID or matches the pattern of the account's IDs. Returns
	 * Invalid for any other text, and for a name of a list that could not be read.
	 *
	 * @param property the parameter that contains the text
	 */
	private idOf(source: NameSource, text: string, property: FormParameter): Invalid | string {
		const results = this.resolved.get(source) ?? new Map<string, Invalid | string>();
		this.resolved.set(source, results);
		const result = results.get(text) ?? this.resolve(source, text, property);
		results.set(text, result);
		return result;
	}

	private resolve(source: NameSource, text: string, property: FormParameter): Invalid | string {
		const { index, idPattern, incompleteReason } = this.lists.get(source) ?? unreadList;
		const ids = index.find(text);
		const [id] = ids;
		if (id !== undefined && ids.size === 1) return id;
		const quoted = quote(text, property);
		if (ids.size > 1) {
			const list = shorten([...ids].join(', '));
			const reason = `${quoted} is the name of several ${source.resourceName}s (IDs ${list})`;
			return new Invalid([`${reason}; use an ID instead`]);
		}
		if (incompleteReason !== undefined) {
			if (idPattern?.matches(text) ?? isUuid(text)) return text;
			const reason = `The list of ${source.resourceName}s could not be read: ${incompleteReason}`;
			return new Invalid([`${quoted} cannot be looked up; use the ID. ${reason}`]);
		}
		const suggestions = suggestionsFor(text, index.names);
		// A text that is similar to a name is a misspelled name, unless it is a UUID.
		const mayBeId = isUuid(text) || suggestions.length === 0;
		if (mayBeId && (idPattern ?? this.commonPattern).matches(text)) return text;
		const names = suggestions.map((name) =>
			shorten(separators.test(name) ? JSON.stringify([name]) : name),
		);
		const remedy = names.length > 0 ? `use ${names.join(' or ')}, or the ID` : 'use its ID';
		return new Invalid([`${quoted} was not found among the ${source.description}; ${remedy}`]);
	}
}
