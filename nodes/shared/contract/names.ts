import type { INodeProperties } from 'n8n-workflow';
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
import { quote } from './values';

/** A name as it is compared. That of a domain may be written as an address. */
const normalized = (name: string): string =>
	name
		.trim()
		.toLowerCase()
		.replace(/^https?:\/\//, '')
		.replace(/\/$/, '');

/** Whether a text is an ID and no name. Digits always are. */
export const isNumber = (text: string): boolean => /^\d+$/.test(text);

/** What takes names in place of the IDs of a field; undefined where none are known. */
export function idFinder(field: Field, { names }: Pick<EncodeOptions, 'names'>): IdOf | undefined {
	const source = field.wire.names;
	return source && names && ((name) => names.idOf(source, name, field));
}

/** The IDs of names, as far as they are known. */
export class Names implements FindsIds {
	/** The names that were asked for and whose list is not read yet, by the list. */
	readonly wanted = new Map<NameSource, Set<string>>();

	/** How often a name was asked for whose list is not read yet. */
	asked = 0;

	private readonly known = new Map<NameSource, readonly Named[]>();

	/** Takes over what a list showed. */
	learn(source: NameSource, named: readonly Named[]): void {
		this.known.set(source, named);
		this.wanted.delete(source);
	}

	/** Those of some names that have one of the texts. */
	static find(named: readonly Named[], text: string): readonly Named[] {
		const exact = named.filter(({ name }) => name === text.trim());
		const wanted = normalized(text);
		return exact.length > 0 ? exact : named.filter(({ name }) => normalized(name) === wanted);
	}

	/**
	 * The ID of a name; the text itself where it is an ID. Undefined, and the name is wanted, where the list is not read.
	 *
	 * @param property that holds it
	 */
	idOf(source: NameSource, text: string, property: INodeProperties): Invalid | string | undefined {
		const named = this.known.get(source);
		if (!named) {
			this.asked += 1;
			this.wanted.set(source, (this.wanted.get(source) ?? new Set()).add(text));
			return undefined;
		}
		if (named.some(({ id }) => String(id) === text)) return text;
		const ids = new Set(Names.find(named, text).map(({ id }) => String(id)));
		const [id] = ids;
		if (id !== undefined && ids.size === 1) return id;
		// Where the IDs of the service are no numbers, this may be one.
		if (ids.size === 0 && named.some((one) => !isNumber(String(one.id)))) return text;
		const { thing, known } = source;
		if (ids.size > 1) {
			const all = [...ids].join(', ');
			return new Invalid([
				`${quote(text, property)} is the name of several ${thing}s (IDs ${all}); use the ID of one`,
			]);
		}
		const likely = nearest(
			text,
			named.map(({ name }) => name),
		);
		const remedy = likely.length > 0 ? `use ${likely.join(' or ')}, or the ID` : 'use its ID';
		return new Invalid([`${quote(text, property)} is none of the ${known}; ${remedy}`]);
	}
}
