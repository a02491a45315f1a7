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

/** What a list has shown, ready to be looked up. */
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
			(most, name) => Math.max(most, name.split(separators, maxParts).length),
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

	/** The IDs that a text may mean: itself where it is one, else those of the name, to the letter or else as it is compared. */
	find(text: string): ReadonlySet<string> {
		if (this.ids.has(text)) return new Set([text]);
		return this.exact.get(text) ?? this.folded.get(normalized(text)) ?? new Set();
	}
}

/** What was read of a list of names. */
export interface NameList {
	readonly named: readonly NamedResource[];
	/** Of all resources of the list. */
	readonly ids: readonly unknown[];
	/** Why the list was not read to its end, if it was not: one sentence without a full stop. */
	readonly incompleteReason?: string;
}

/** The IDs of names, as far as they are known. */
export class NameListResolver implements NameResolver {
	/** The names that were asked for and whose list is not read yet, by the list. */
	readonly requested = new Map<NameSource, Set<string>>();

	/** How often a name was asked for whose list is not read yet. */
	requestCount = 0;

	private readonly indexes = new Map<NameSource, NameIndex>();

	/** What was found out, by the list and the text: most rows of a run have the same names. */
	private readonly resolved = new Map<NameSource, Map<string, Invalid | string>>();

	/** Why lists could not be read, or not to their end. */
	private readonly failures = new Map<NameSource, string>();

	/** The form of the IDs that each list has shown of what it names. */
	private readonly forms = new Map<NameSource, IdPattern>();

	/** The IDs that all lists have shown, and their form, for a list that shows none of what it names. */
	private allIds: readonly unknown[] = [];

	private formOfAll = new IdPattern([]);

	/** Takes over what a list showed. */
	addList(source: NameSource, { named, ids, incompleteReason }: NameList): void {
		if (incompleteReason !== undefined) this.failures.set(source, incompleteReason);
		this.allIds = [...this.allIds, ...ids];
		this.formOfAll = new IdPattern(this.allIds);
		const ownIds = named.map(({ id }) => id);
		if (ownIds.length > 0) this.forms.set(source, new IdPattern(ownIds));
		this.indexes.set(source, new NameIndex(named));
		this.resolved.set(source, new Map());
		this.requested.delete(source);
	}

	/**
	 * Refuses every name of a list that could not be read.
	 *
	 * @param reason one sentence without a full stop
	 */
	addFailure(source: NameSource, reason: string): void {
		this.failures.set(source, reason);
		this.requested.delete(source);
	}

	/** Whether all of some texts are names, or IDs, that a list has shown. */
	static areAmong(named: readonly NamedResource[], texts: Iterable<string>): boolean {
		const index = new NameIndex(named);
		return [...texts].every((text) => index.find(text).size > 0);
	}

	/** Returns whether a text is a name or an ID that a list has shown; false as long as the list is not read. */
	isListed(source: NameSource, text: string): boolean {
		return (this.indexes.get(source)?.find(text).size ?? 0) > 0;
	}

	/** Returns the number of parts that separators make of a name of a list, at most 10. */
	maxParts(source: NameSource): number {
		return this.indexes.get(source)?.maxParts ?? 1;
	}

	/**
	 * The ID of a name; the text itself if it is an ID, or has the form of the account's IDs. Undefined, and the name is
	 * wanted, where the list is not read. Invalid if the list could not be read.
	 *
	 * @param property that holds it
	 */
	idOf(source: NameSource, text: string, property: INodeProperties): Invalid | string | undefined {
		const index = this.indexes.get(source);
		if (!index && this.failures.has(source)) return this.resolveWithoutList(source, text, property);
		if (!index) {
			this.requestCount += 1;
			this.requested.set(source, (this.requested.get(source) ?? new Set()).add(text));
			return undefined;
		}
		const found =
			this.resolved.get(source)?.get(text) ?? this.resolve(index, source, text, property);
		this.resolved.get(source)?.set(text, found);
		return found;
	}

	/** Returns a text that may be an ID as it is; Invalid for a name. */
	private resolveWithoutList(
		source: NameSource,
		text: string,
		property: INodeProperties,
	): Invalid | string {
		if (this.forms.get(source)?.matches(text) ?? isUuid(text)) return text;
		const sought = `${quote(text, property)} cannot be looked up; use the ID`;
		const reason = this.failures.get(source) ?? '';
		return new Invalid([
			`${sought}. The list of ${source.resourceName}s could not be read: ${reason}`,
		]);
	}

	private resolve(
		index: NameIndex,
		source: NameSource,
		text: string,
		property: INodeProperties,
	): Invalid | string {
		const { resourceName, description } = source;
		const ids = index.find(text);
		const [id] = ids;
		if (id !== undefined && ids.size === 1) return id;
		if (ids.size === 0 && this.failures.has(source))
			return this.resolveWithoutList(source, text, property);
		const likely = ids.size === 0 ? suggestionsFor(text, index.names) : [];
		if (ids.size === 0 && this.mayBeId(source, text, likely)) return text;
		const quoted = quote(text, property);
		if (ids.size > 1) {
			const all = shorten([...ids].join(', '));
			return new Invalid([
				`${quoted} is the name of several ${resourceName}s (IDs ${all}); use the ID of one`,
			]);
		}
		const likelyTexts = likely.map((name) =>
			shorten(separators.test(name) ? JSON.stringify([name]) : name),
		);
		const remedy = likely.length > 0 ? `use ${likelyTexts.join(' or ')}, or the ID` : 'use its ID';
		return new Invalid([`${quoted} is none of the ${description}; ${remedy}`]);
	}

	/**
	 * Whether a text that a list does not show has the form of the account's IDs.
	 *
	 * @param likely the names that the text may be a misspelling of; a UUID is none
	 */
	private mayBeId(source: NameSource, text: string, likely: readonly string[]): boolean {
		const form = this.forms.get(source) ?? this.formOfAll;
		return form.matches(text) && (isUuid(text) || likely.length === 0);
	}
}
