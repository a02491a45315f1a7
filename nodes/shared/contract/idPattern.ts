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
	private readonly shortest: number;

	private readonly longest: number;

	/** Of each kind of characters, whether any ID has it, and whether each one does. */
	private readonly kinds: ReadonlyArray<{ readonly any: boolean; readonly each: boolean }>;

	private readonly separators: ReadonlySet<string>;

	/** The separators in their order, if all IDs have the same. */
	private readonly order: string | undefined;

	private readonly prefix: string;

	constructor(ids: readonly string[]) {
		const lengths = ids.map(({ length }) => length);
		this.shortest = lengths.reduce((least, one) => Math.min(least, one), maxIdLength);
		this.longest = lengths.reduce((most, one) => Math.max(most, one), 0);
		const found = ids.map(kindsIn);
		this.kinds = kinds.map((_, at) => ({
			any: found.some((one) => one[at]),
			each: found.every((one) => one[at]),
		}));
		const orders = ids.map(separatorsIn);
		this.separators = new Set(orders.flatMap((order) => Array.from(order)));
		this.order = areSame(orders) ? orders[0] : undefined;
		const prefixes = ids.map(prefixOf);
		this.prefix = areSame(prefixes) ? (prefixes[0] ?? '') : '';
	}

	matches(text: string): boolean {
		const found = kindsIn(text);
		const separators = separatorsIn(text);
		return (
			text.length >= this.shortest &&
			text.length <= this.longest &&
			text.startsWith(this.prefix) &&
			this.kinds.every(({ any, each }, at) => (found[at] ? any : !each)) &&
			(this.order === undefined
				? Array.from(separators).every((one) => this.separators.has(one))
				: separators === this.order)
		);
	}
}

/** The form of the IDs that lists have shown. */
export class IdPattern {
	private readonly hasUuids: boolean;

	private readonly own: LearnedPattern | undefined;

	constructor(shown: readonly unknown[]) {
		const ids = shown.flatMap((id) => (isTextual(id) ? String(id).slice(0, maxIdLength + 1) : []));
		const others = ids.filter((id) => id !== '' && !isNumber(id) && !isUuid(id));
		// If no ID is known, a UUID may be one: it is no name that people give.
		this.hasUuids = ids.length === 0 || ids.some(isUuid);
		this.own = others.length > 0 ? new LearnedPattern(others) : undefined;
	}

	/** Whether a text consists of digits, or has the form of the IDs. */
	matches(text: string): boolean {
		if (text.length > maxIdLength) return false;
		return isNumber(text) || (this.hasUuids && isUuid(text)) || (this.own?.matches(text) ?? false);
	}
}
