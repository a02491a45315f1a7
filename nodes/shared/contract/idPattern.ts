import { isTextual } from './values';

/** Returns whether a text consists of digits, so that it is an ID and not a name. */
export const isNumber = (text: string): boolean => /^\d{1,999}$/.test(text);

/** Returns whether a text is a UUID. */
export const isUuid = (text: string): boolean =>
	/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Returns a normalized ID: a number without leading zeros, a UUID in lower case. Case matters in any other ID, because the
 * contract shows no type for IDs (2.1).
 */
export function canonicalId(id: string): string {
	if (isNumber(id)) return id.replace(/^0+(?=\d)/, '');
	return isUuid(id) ? id.toLowerCase() : id;
}

/** Max length of an ID, in characters. */
const maxIdLength = 999;

/** The character classes that patterns compare. */
const kinds = [/\p{Ll}/u, /\p{Lu}/u, /\p{N}/u, /[^\p{Ll}\p{Lu}\p{N}]/u];

const kindsIn = (text: string): readonly boolean[] => kinds.map((kind) => kind.test(text));

const separatorsIn = (text: string): string => text.replace(/[\p{L}\p{N}]/gu, '');

/** Returns the letters and the separator at the start of an ID, such as `spc_`. */
const prefixOf = (text: string): string => /^\p{L}{1,20}[^\p{L}\p{N}\s]/u.exec(text)?.[0] ?? '';

/** Returns the value that all texts have; undefined if they differ. */
const common = (texts: readonly string[]): string | undefined =>
	new Set(texts).size === 1 ? texts[0] : undefined;

/** Returns a function that matches texts similar to some IDs, which are neither numbers nor UUIDs. */
function learnedPattern(ids: readonly string[]): (text: string) => boolean {
	const lengths = ids.map(({ length }) => length);
	const minLength = lengths.reduce((min, length) => Math.min(min, length), maxIdLength);
	const maxLength = lengths.reduce((max, length) => Math.max(max, length), 0);
	const kindsOfIds = ids.map(kindsIn);
	const orders = ids.map(separatorsIn);
	const separators = new Set(orders.flatMap((order) => Array.from(order)));
	const prefix = common(ids.map(prefixOf)) ?? '';
	const order = common(orders);
	const rules = kinds.map((_, at) => ({
		isAllowed: kindsOfIds.some((classes) => classes[at]),
		isRequired: kindsOfIds.every((classes) => classes[at]),
	}));
	return (text) => {
		const textKinds = kindsIn(text);
		const textOrder = separatorsIn(text);
		return (
			text.length >= minLength &&
			text.length <= maxLength &&
			text.startsWith(prefix) &&
			rules.every(({ isAllowed, isRequired }, at) => (textKinds[at] ? isAllowed : !isRequired)) &&
			(order === undefined
				? Array.from(textOrder).every((separator) => separators.has(separator))
				: textOrder === order)
		);
	};
}

/** A pattern that matches texts similar to the IDs in lists. */
export class IdPattern {
	private readonly hasUuids: boolean;

	private readonly isSimilar: ((text: string) => boolean) | undefined;

	constructor(listedIds: readonly unknown[]) {
		const ids = listedIds.flatMap((id) =>
			isTextual(id) ? String(id).slice(0, maxIdLength + 1) : [],
		);
		const otherIds = ids.filter((id) => id !== '' && !isNumber(id) && !isUuid(id));
		// Without any ID, a UUID may be one, because users do not choose UUIDs as names.
		this.hasUuids = ids.length === 0 || ids.some(isUuid);
		this.isSimilar = otherIds.length > 0 ? learnedPattern(otherIds) : undefined;
	}

	/** Returns whether a text consists of digits or matches the IDs. */
	matches(text: string): boolean {
		if (text.length > maxIdLength) return false;
		return isNumber(text) || (this.hasUuids && isUuid(text)) || (this.isSimilar?.(text) ?? false);
	}
}
