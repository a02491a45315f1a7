import { normalize } from './textLimits';
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
import { quote, shorten } from './values';

/** Max length of a name to normalize, in characters. Longer names must match exactly. */
const maxNormalizedLength = 1000;

/** Max number of names that the error for an unknown name lists. */
const maxListedNames = 10;

/**
 * Returns a normalized name, without regard to case and kinds of blanks. The name of a domain may be written as an
 * address.
 */
export const normalizedName = (name: string): string =>
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

/** The entries of a list of names that were read. */
export interface NameList {
	readonly named: readonly NamedResource[];
	/** Whether the service lists no resource at all, so that no name is known. */
	readonly isEmpty?: boolean;
	/** Why the list is incomplete, as a sentence without a full stop; undefined if it is complete. */
	readonly incompleteReason?: string;
}

/** Used for a list that was not read. */
const unreadList: NameList = { named: [], incompleteReason: 'it was not requested' };

/** The names of a list, indexed by text. */
class NameIndex {
	readonly list: NameList;

	private readonly ids: ReadonlySet<string>;

	private readonly exact = new Map<string, Set<string>>();

	private readonly normalized = new Map<string, Set<string>>();

	constructor(list: NameList) {
		this.list = list;
		this.ids = new Set(list.named.map(({ id }) => String(id)));
		const add = (map: Map<string, Set<string>>, name: string, id: string) =>
			map.set(name, (map.get(name) ?? new Set()).add(id));
		for (const { id, name } of list.named) {
			add(this.exact, name, String(id));
			add(this.normalized, normalizedName(name), String(id));
		}
	}

	/**
	 * Returns the IDs that match a text: the text itself if it is an ID, or else the IDs of the name. Exact matches
	 * take precedence.
	 */
	find(text: string): ReadonlySet<string> {
		if (this.ids.has(text)) return new Set([text]);
		return this.exact.get(text) ?? this.normalized.get(normalizedName(text)) ?? new Set();
	}

	/** Returns the first names of the list. */
	firstNames(): string[] {
		const names = [...this.exact.keys()].filter((name) => name.trim() !== '');
		return names.slice(0, maxListedNames);
	}
}

/** Finds the IDs of names in the lists that a run has read. */
export class NameListResolver implements NameResolver {
	private readonly indexes: ReadonlyMap<NameSource, NameIndex>;

	/** Results by list and text. Most rows of a run contain the same names. */
	private readonly resolved = new Map<NameSource, Map<string, Invalid | string>>();

	/** The lists that could not be read, by the reasons that name them. */
	private readonly unread = new Map<string, NameSource>();

	constructor(lists: ReadonlyMap<NameSource, NameList>) {
		this.indexes = new Map([...lists].map(([source, list]) => [source, new NameIndex(list)]));
	}

	lookupFor(source: NameSource, property: FormParameter): NameLookup {
		const results = this.resolved.get(source) ?? new Map<string, Invalid | string>();
		this.resolved.set(source, results);
		return (text) => {
			const result = results.get(text) ?? this.resolve(source, text, property);
			results.set(text, result);
			return result;
		};
	}

	unreadSource(reason: string): NameSource | undefined {
		return this.unread.get(reason);
	}

	/** Returns the ID of a name, or the text itself if the list has it as an ID. Returns Invalid for any other text. */
	private resolve(source: NameSource, text: string, property: FormParameter): Invalid | string {
		const index = this.indexes.get(source) ?? new NameIndex(unreadList);
		const { isEmpty, incompleteReason } = index.list;
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
			const why = `the list of ${source.resourceName}s could not be read: ${incompleteReason}`;
			const reason = `${quoted} cannot be looked up, because ${why}; use the ID`;
			this.unread.set(reason, source);
			return new Invalid([reason]);
		}
		if (isEmpty) {
			const why = `You have no ${source.listedResources} yet, so names are unknown`;
			return new Invalid([`${quoted} cannot be looked up. ${why}. Use the ID`]);
		}
		const names = index.firstNames().map((name) => shorten(name));
		const remedy = names.length > 0 ? `use the ID, or one of: ${names.join(', ')}` : 'use the ID';
		return new Invalid([`${quoted} was not found among the ${source.description}; ${remedy}`]);
	}
}
