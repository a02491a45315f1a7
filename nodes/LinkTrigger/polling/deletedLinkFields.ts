import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';

/** The state of `DeletedLinkFields`, as JSON. */
export type StoredFields = {
	/** The highest ID of the list at that time. */
	readonly newest: number;
	/** The short URLs without their aliases. */
	readonly bases: string[];
	/** The links from the newest on: alias, and the number of the base or the short URL. Empty for an unknown link. */
	readonly links: string;
};

/** The fields of a link that the trigger reports after its deletion. */
export interface KnownFields {
	readonly alias: string;
	readonly shortUrl: string | null;
}

/** Max number of links whose fields the state has. */
const maxLinks = 5000;

/** Separates links, and the parts of a link. A link with such a character in a field is not stored. */
const [linkSeparator, partSeparator] = [' ', ','];

const isStorable = (text: string) => /^[^\s,"\\\p{C}]*$/u.test(text);

/** Returns the max size of a text in UTF-8 in bytes. */
const sizeOf = (text: string) => text.length + 2 * text.replace(/[\x20-\x7e]/g, '').length;

const readerOf = (name: string) =>
	linkContract.output.find((field) => field.name === name)?.from.read ?? (() => null);

const [readAlias, readShortUrl] = [readerOf('alias'), readerOf('shortUrl')];

/** Alias and short URL of links, for the time after their deletion. */
export class DeletedLinkFields {
	private readonly fields = new Map<number, KnownFields>();

	/**
	 * @param newestFirst the IDs of the list
	 * @param stored what `store` returned for the same list. Any other value counts as no fields.
	 */
	constructor(newestFirst: readonly number[], stored: unknown) {
		const { newest, bases, links } = (stored ?? {}) as Partial<Record<string, unknown>>;
		if (newest !== newestFirst[0] || !Array.isArray(bases) || typeof links !== 'string') return;
		links.split(linkSeparator, maxLinks).forEach((link, index) => {
			const id = newestFirst[index];
			const [alias = '', place = '0'] = link.split(partSeparator);
			if (id === undefined || alias === '') return;
			const base: unknown = /^\d+$/.test(place) ? bases[Number(place)] : undefined;
			const shortUrl = typeof base === 'string' ? base + alias : place || null;
			this.fields.set(id, { alias, shortUrl });
		});
	}

	/** Remembers the fields of a link that was read. */
	note(link: IDataObject, id: number): void {
		const alias = readAlias(link);
		const shortUrl = readShortUrl(link);
		const isKnown = typeof alias === 'string' && alias !== '';
		if (isKnown)
			this.fields.set(id, { alias, shortUrl: typeof shortUrl === 'string' ? shortUrl : null });
	}

	/** Returns the fields of a link as output fields; undefined if they are unknown. */
	of(id: number): IDataObject | undefined {
		const fields = this.fields.get(id);
		return fields && { ...fields };
	}

	/**
	 * Returns the fields of the newest links.
	 *
	 * @param room max size of the state in bytes
	 */
	store(newestFirst: readonly number[], room: number): StoredFields | undefined {
		const [newest] = newestFirst;
		if (newest === undefined) return undefined;
		const bases = new Map<string, number>();
		const links: string[] = [];
		let size = JSON.stringify({ newest, bases: [], links: '' }).length;
		for (const id of newestFirst.slice(0, maxLinks)) {
			const before = bases.size;
			const link = this.encoded(id, bases);
			const added = bases.size > before ? [...bases.keys()].at(-1) : undefined;
			size += sizeOf(link) + 1 + (added === undefined ? 0 : sizeOf(added) + 3);
			if (size > room) {
				if (added !== undefined) bases.delete(added);
				break;
			}
			links.push(link);
		}
		const isEmpty = links.every((link) => link === '');
		return isEmpty
			? undefined
			: { newest, bases: [...bases.keys()], links: links.join(linkSeparator) };
	}

	/** Returns a link as text. Adds the base of its short URL to the bases. */
	private encoded(id: number, bases: Map<string, number>): string {
		const { alias = '', shortUrl = null } = this.fields.get(id) ?? {};
		if (!isStorable(alias + (shortUrl ?? ''))) return '';
		if (shortUrl === null || !shortUrl.endsWith(alias)) {
			return alias === '' ? '' : `${alias}${partSeparator}${shortUrl ?? ''}`;
		}
		const base = shortUrl.slice(0, shortUrl.length - alias.length);
		const place = bases.get(base) ?? bases.size;
		bases.set(base, place);
		return place === 0 ? alias : `${alias}${partSeparator}${place}`;
	}
}
