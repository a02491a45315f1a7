import type { INodeProperties } from 'n8n-workflow';
import { normalize } from './longTexts';
import { nearest } from './nearest';
import {
	Invalid,
	type EncodeOptions,
	type Field,
	type FindsIds,
	type IdOf,
	type Named,
	type NameSource,
} from './types';
import { quote, shorten } from './values';

/** A longer name is compared to the letter, in characters. */
const longestName = 1000;

/** A name as it is compared: case and kinds of blanks count for nothing. That of a domain may be written as an address. */
const normalized = (name: string): string =>
	name.length > longestName
		? name
		: normalize(name, 'NFKC')
				.replace(/\s+/g, ' ')
				.trim()
				.toLowerCase()
				.replace(/^https?:\/\//, '')
				.replace(/\/$/, '');

/** Whether a text is an ID and no name. Digits always are. */
export const isNumber = (text: string): boolean => /^\d{1,999}$/.test(text);

/** Whether a text is no name that people would give: a UUID or the like. */
export const looksLikeId = (text: string): boolean =>
	/^(?=[\w-]{0,998}\d)[\w-]{16,999}$/.test(text);

/** What takes names in place of the IDs of a field; undefined where none are known. */
export function idFinder(field: Field, { names }: Pick<EncodeOptions, 'names'>): IdOf | undefined {
	const source = field.wire.names;
	return source && names && ((name) => names.idOf(source, name, field));
}

/** What a list has shown, ready to be looked up. */
class NameIndex {
	readonly names: readonly string[];

	private readonly ids: ReadonlySet<string>;

	private readonly exact = new Map<string, Set<string>>();

	private readonly folded = new Map<string, Set<string>>();

	constructor(named: readonly Named[]) {
		this.names = named.map(({ name }) => name);
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

/** The IDs of names, as far as they are known. */
export class Names implements FindsIds {
	/** The names that were asked for and whose list is not read yet, by the list. */
	readonly wanted = new Map<NameSource, Set<string>>();

	/** How often a name was asked for whose list is not read yet. */
	asked = 0;

	private readonly known = new Map<NameSource, NameIndex>();

	/** What was found out, by the list and the text: most rows of a run have the same names. */
	private readonly found = new Map<NameSource, Map<string, Invalid | string>>();

	/** Why lists could not be read. */
	private readonly unreadable = new Map<NameSource, string>();

	/** Whether a list has shown an ID that is no number. */
	private hasOtherIds = false;

	/**
	 * Takes over what a list showed.
	 *
	 * @param ids of the resources of the list
	 */
	learn(source: NameSource, named: readonly Named[], ids: readonly unknown[]): void {
		const all = [...ids, ...named.map(({ id }) => id)];
		this.hasOtherIds ||= all.some((id) => !isNumber(String(id)));
		this.known.set(source, new NameIndex(named));
		this.found.set(source, new Map());
		this.wanted.delete(source);
	}

	/**
	 * Refuses every name of a list that could not be read.
	 *
	 * @param reason one sentence without a full stop
	 */
	refuse(source: NameSource, reason: string): void {
		this.unreadable.set(source, reason);
		this.wanted.delete(source);
	}

	/** Whether all of some texts are names, or IDs, that a list has shown. */
	static areAmong(named: readonly Named[], texts: Iterable<string>): boolean {
		const index = new NameIndex(named);
		return [...texts].every((text) => index.find(text).size > 0);
	}

	/**
	 * The ID of a name; the text itself where it is an ID, or may be one because those of the service are no numbers.
	 * Undefined, and the name is wanted, where the list is not read. Invalid if the list could not be read.
	 *
	 * @param property that holds it
	 */
	idOf(source: NameSource, text: string, property: INodeProperties): Invalid | string | undefined {
		const reason = this.unreadable.get(source);
		if (reason !== undefined && looksLikeId(text)) return text;
		if (reason !== undefined) {
			const sought = `${quote(text, property)} cannot be looked up; use the ID`;
			return new Invalid([`${sought}. The list of ${source.thing}s could not be read: ${reason}`]);
		}
		const index = this.known.get(source);
		if (!index) {
			this.asked += 1;
			this.wanted.set(source, (this.wanted.get(source) ?? new Set()).add(text));
			return undefined;
		}
		const found = this.found.get(source)?.get(text) ?? this.lookUp(index, source, text, property);
		this.found.get(source)?.set(text, found);
		return found;
	}

	private lookUp(
		index: NameIndex,
		{ thing, known }: NameSource,
		text: string,
		property: INodeProperties,
	): Invalid | string {
		const ids = index.find(text);
		const [id] = ids;
		if (id !== undefined && ids.size === 1) return id;
		if (ids.size === 0 && (this.hasOtherIds || looksLikeId(text))) return text;
		const quoted = quote(text, property);
		if (ids.size > 1) {
			const all = shorten([...ids].join(', '));
			return new Invalid([
				`${quoted} is the name of several ${thing}s (IDs ${all}); use the ID of one`,
			]);
		}
		const likely = nearest(text, index.names)
			.map((name) => shorten(name))
			.map((name) => (name.includes(',') ? JSON.stringify([name]) : name));
		const remedy = likely.length > 0 ? `use ${likely.join(' or ')}, or the ID` : 'use its ID';
		return new Invalid([`${quoted} is none of the ${known}; ${remedy}`]);
	}
}
