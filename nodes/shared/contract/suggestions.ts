import { normalize } from './textLimits';

/**
 * Returns a normalized name: without case, accents, a joining "and", and characters other than letters and digits.
 */
export const plainName = (name: string): string =>
	normalize(name, 'NFKD')
		.toLowerCase()
		.replace(/\s(&|and)\s/g, ' ')
		.replace(/\p{M}/gu, '')
		.replace(/[^\p{L}\p{N}]/gu, '');

/** Max length of a text to compare, in characters. */
const maxComparedText = 200;

/** Returns the pairs of adjacent characters, including the ends. */
function adjacentPairs(name: string): Set<string> {
	const padded = ` ${name} `;
	return new Set(Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2)));
}

/** A name with its index in the list and its number of pairs. */
interface ListedName {
	readonly name: string;
	readonly place: number;
	readonly size: number;
}

/** The names by pair. */
type PairIndex = ReadonlyMap<string, readonly ListedName[]>;

/** Indexes by list, because lists are searched repeatedly. */
const indexes = new WeakMap<readonly string[], PairIndex>();

function pairIndexOf(names: readonly string[]): PairIndex {
	const cached = indexes.get(names);
	if (cached) return cached;
	const index = new Map<string, ListedName[]>();
	for (const [place, name] of [...new Set(names)].entries()) {
		const pairs = adjacentPairs(plainName(name.slice(0, maxComparedText)));
		for (const pair of pairs) {
			const listed = index.get(pair) ?? [];
			listed.push({ name, place, size: pairs.size });
			index.set(pair, listed);
		}
	}
	indexes.set(names, index);
	return index;
}

/** Min share of common pairs for a name to be a suggestion. */
const leastLikeness = 0.4;

/** Returns up to three names that are most similar to a text, the most similar first. */
export function suggestionsFor(text: string, names: readonly string[]): string[] {
	const pairs = adjacentPairs(plainName(text.slice(0, maxComparedText)));
	const shared = new Map<number, { listed: ListedName; common: number }>();
	for (const listed of [...pairs].flatMap((pair) => pairIndexOf(names).get(pair) ?? [])) {
		const { common = 0 } = shared.get(listed.place) ?? {};
		shared.set(listed.place, { listed, common: common + 1 });
	}
	return [...shared.values()]
		.map(({ listed, common }) => ({
			...listed,
			likeness: (2 * common) / (pairs.size + listed.size),
		}))
		.filter(({ likeness }) => likeness >= leastLikeness)
		.sort((a, b) => b.likeness - a.likeness || a.place - b.place)
		.slice(0, 3)
		.map(({ name }) => name);
}
