import { isTextual } from './values';

/** Whether a text consists of digits, so that it is an ID and no name. */
export const isNumber = (text: string): boolean => /^\d{1,999}$/.test(text);

/** Returns an ID in the form that all ways to write it share: a number without leading zeros. */
export const canonicalId = (id: string): string =>
	isNumber(id) ? id.replace(/^0+(?=\d)/, '') : id.toLowerCase();

/** Whether a text is a UUID. */
export const isUuid = (text: string): boolean =>
	/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/** A longer text is no ID, in characters. */
const maxIdLength = 999;

/** The kinds of characters in a text. */
const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{Ll}\p{Lu}\p{N}]/u];

const kindsIn = (text: string): readonly boolean[] => kinds.map((kind) => kind.test(text));

const separatorsIn = (text: string): string => text.replace(/[\p{L}\p{N}]/gu, '');

/** The letters and the separator that IDs of one kind begin with, such as `spc_`. */
const prefixOf = (text: string): string => /^\p{L}{1,20}[^\p{L}\p{N}\s]/u.exec(text)?.[0] ?? '';

/** Whether all values are the same. */
const areSame = (values: readonly string[]): boolean => new Set(values).size === 1;

/** What IDs of a service's own making have in common. */
class LearnedPattern {
	private readonly minLength: number;

	private readonly maxLength: number;

	/** Of each kind of characters, whether any ID has it, and whether each one does. */
	private readonly kinds: ReadonlyArray<{ readonly any: boolean; readonly each: boolean }>;

	private readonly separators: ReadonlySet<string>;

	/** The separators in their order, if all IDs have the same. */
	private readonly order: string | undefined;

	private readonly prefix: string;

	constructor(ids: readonly string[]) {
		const lengths = ids.map(({ length }) => length);
		this.minLength = lengths.reduce((least, length) => Math.min(least, length), maxIdLength);
		this.maxLength = lengths.reduce((longest, length) => Math.max(longest, length), 0);
		const kindsOfIds = ids.map(kindsIn);
		this.kinds = kinds.map((_, at) => ({
			any: kindsOfIds.some((one) => one[at]),
			each: kindsOfIds.every((one) => one[at]),
		}));
		const orders = ids.map(separatorsIn);
		this.separators = new Set(orders.flatMap((order) => Array.from(order)));
		this.order = areSame(orders) ? orders[0] : undefined;
		const prefixes = ids.map(prefixOf);
		this.prefix = areSame(prefixes) ? (prefixes[0] ?? '') : '';
	}

	matches(text: string): boolean {
		const textKinds = kindsIn(text);
		const separators = separatorsIn(text);
		return (
			text.length >= this.minLength &&
			text.length <= this.maxLength &&
			text.startsWith(this.prefix) &&
			this.kinds.every(({ any, each }, at) => (textKinds[at] ? any : !each)) &&
			(this.order === undefined
				? Array.from(separators).every((separator) => this.separators.has(separator))
				: separators === this.order)
		);
	}
}

/** The form of the IDs that lists have shown. */
export class IdPattern {
	private readonly hasUuids: boolean;

	private readonly learned: LearnedPattern | undefined;

	constructor(listedIds: readonly unknown[]) {
		const ids = listedIds.flatMap((id) =>
			isTextual(id) ? String(id).slice(0, maxIdLength + 1) : [],
		);
		const otherIds = ids.filter((id) => id !== '' && !isNumber(id) && !isUuid(id));
		// If no ID is known, a UUID may be one: it is no name that people give.
		this.hasUuids = ids.length === 0 || ids.some(isUuid);
		this.learned = otherIds.length > 0 ? new LearnedPattern(otherIds) : undefined;
	}

	/** Whether a text consists of digits, or has the form of the IDs. */
	matches(text: string): boolean {
		if (text.length > maxIdLength) return false;
		return (
			isNumber(text) || (this.hasUuids && isUuid(text)) || (this.learned?.matches(text) ?? false)
		);
	}
}
