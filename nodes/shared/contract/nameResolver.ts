import type { INodeProperties } from 'n8n-workflow';
import { IdPattern, isUuid } from './idPattern';
import { normalize } from './textLimits';
import { suggestionsFor } from './suggestions';
import {
	Invalid,
	type EncodeOptions,
	type NameResolver,
	type NamedResource,
	type NameLookup,
	type NameSource,
} from './types';
import type { Field } from './fieldTypes';
import { quote, separators, shorten } from './values';

/** Of a name with more separators, no more parts are counted. */
const maxParts = 10;

/** A longer name is compared to the letter, in characters. */
const maxNameLength = 1000;

/** A name as it is compared: case and kinds of blanks count for nothing. That of a domain may be written as an address. */
const normalized = (name: string): string =>
	name.length > maxNameLength
		? name
		: normalize(name, 'NFKC')
				.replace(/\s+/g, ' ')
				.trim()
				.toLowerCase()
				.replace(/^https?:\/\//, '')
				.replace(/\/$/, '');

/** What takes names in place of the IDs of a field; undefined where none are known. */
export function nameLookup(
	field: Field,
	{ names }: Pick<EncodeOptions, 'names'>,
): NameLookup | undefined {
	const source = field.wire.nameSource;
	return (
		source &&
		names && {
			idOf: (name) => names.idOf(source, name, field),
			isListed: (text) => names.isListed(source, text),
			maxParts: () => names.maxParts(source),
		}
	);
}

/** The names of a list, by their text. */
class NameIndex {
	readonly names: readonly string[];

	/** The number of parts that separators make of a name. */
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

	/** Returns the IDs that a text may mean: the text itself if it is an ID, or else those of the name. An exact match comes first. */
	find(text: string): ReadonlySet<string> {
		if (this.ids.has(text)) return new Set([text]);
		return this.exact.get(text) ?? this.folded.get(normalized(text)) ?? new Set();
	}
}

/** The entries of a list of names, as far as the list could be read. */
export interface NameList {
	readonly named: readonly NamedResource[];
	/** The IDs of all resources of the list, also of those without a name. */
	readonly ids: readonly unknown[];
	/** Why the list was not read to its end, if it was not: one sentence without a full stop. */
	readonly incompleteReason?: string;
}

/** Returns whether a list contains all of some texts, each as a name or as an ID. */
export function areListed(named: readonly NamedResource[], texts: Iterable<string>): boolean {
	const index = new NameIndex(named);
	return [...texts].every((text) => index.find(text).size > 0);
}

/** A list of names, ready to be searched. */
interface IndexedList {
	readonly index: NameIndex;
	/** The pattern of the IDs in the list; undefined if it has none. */
	readonly idPattern?: IdPattern;
	readonly incompleteReason?: string;
}

/** Stands for a list that was not read. */
const unreadList: IndexedList = {
	index: new NameIndex([]),
	incompleteReason: 'it was not requested',
};

/** Finds the IDs of names in the lists that a run has read. */
export class NameListResolver implements NameResolver {
	private readonly lists: ReadonlyMap<NameSource, IndexedList>;

	/** The pattern of all IDs in all lists, for a list without IDs. */
	private readonly commonPattern: IdPattern;

	/** Results by list and text, because most rows of a run contain the same names. */
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

	/** Returns whether a list contains a text as a name or as an ID; false if the list was not read. */
	isListed(source: NameSource, text: string): boolean {
		return (this.lists.get(source)?.index.find(text).size ?? 0) > 0;
	}

	/** Returns the number of parts that separators make of a name of a list, at most 10. */
	maxParts(source: NameSource): number {
		return this.lists.get(source)?.index.maxParts ?? 1;
	}

	/**
	 * Returns the ID of a name, or the text itself if it is an ID or has the pattern of the account's IDs. Invalid for any
	 * other text, and for a name of a list that could not be read.
	 *
	 * @param property the parameter that contains the text
	 */
	idOf(source: NameSource, text: string, property: INodeProperties): Invalid | string {
		const results = this.resolved.get(source) ?? new Map<string, Invalid | string>();
		this.resolved.set(source, results);
		const result = results.get(text) ?? this.resolve(source, text, property);
		results.set(text, result);
		return result;
	}

	private resolve(source: NameSource, text: string, property: INodeProperties): Invalid | string {
		const { index, idPattern, incompleteReason } = this.lists.get(source) ?? unreadList;
		const ids = index.find(text);
		const [id] = ids;
		if (id !== undefined && ids.size === 1) return id;
		const quoted = quote(text, property);
		if (ids.size > 1) {
			const list = shorten([...ids].join(', '));
			const reason = `${quoted} is the name of several ${source.resourceName}s (IDs ${list})`;
			return new Invalid([`${reason}; use the ID of one`]);
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
