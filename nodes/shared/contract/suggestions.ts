import { normalize } from './textLimits';

/** A name as it is compared: without case, accents, a joining "and", and what is neither letter nor digit. */
export const plainName = (name: string): string =>
	normalize(name, 'NFKD')
		.toLowerCase()
		.replace(/\s(&|and)\s/g, ' ')
		.replace(/\p{M}/gu, '')
		.replace(/[^\p{L}\p{N}]/gu, '');

/** The rest of a longer text is not compared, in characters. */
const maxLength = 200;

/** The pairs of letters that stand beside each other, the ends included. */
function pairsOf(name: string): Set<string> {
	const padded = ` ${name} `;
	return new Set(Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2)));
}

/** A name of a list, with its place there and its number of pairs. */
interface ListedName {
	readonly name: string;
	readonly place: number;
	readonly size: number;
}

/** The names that have a pair. */
type PairIndex = ReadonlyMap<string, readonly ListedName[]>;

/** The names of lists, which are searched again and again. */
const indexes = new WeakMap<readonly string[], PairIndex>();

function indexOf(names: readonly string[]): PairIndex {
	const cached = indexes.get(names);
	if (cached) return cached;
	const index = new Map<string, ListedName[]>();
	for (const [place, name] of [...new Set(names)].entries()) {
		const pairs = pairsOf(plainName(name.slice(0, maxLength)));
		for (const pair of pairs) {
			const listed = index.get(pair) ?? [];
			listed.push({ name, place, size: pairs.size });
			index.set(pair, listed);
		}
	}
	indexes.set(names, index);
	return index;
}

/** Names that have less in common are not taken for the same one, misspelt: the share of their pairs that are in both. */
const leastLikeness = 0.4;

/** Those of some names that are most like a text, the most alike first; three at most. */
export function suggestionsFor(text: string, names: readonly string[]): string[] {
	const pairs = pairsOf(plainName(text.slice(0, maxLength)));
	const shared = new Map<number, { listed: ListedName; common: number }>();
	for (const listed of [...pairs].flatMap((pair) => indexOf(names).get(pair) ?? [])) {
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
