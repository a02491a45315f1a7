/** A name as it is compared: without case, accents, a joining "and", and what is neither letter nor digit. */
export const plainName = (name: string): string =>
	name
		.normalize('NFKD')
		.toLowerCase()
		.replace(/\s(&|and)\s/g, ' ')
		.replace(/\p{M}/gu, '')
		.replace(/[^\p{L}\p{N}]/gu, '');

/** The pairs of letters that stand beside each other, the ends included. */
function pairsOf(name: string): Set<string> {
	const padded = ` ${name} `;
	return new Set(Array.from({ length: padded.length - 1 }, (_, at) => padded.slice(at, at + 2)));
}

/** The pairs of names of lists, which are compared again and again. */
const pairsOfLists = new WeakMap<
	readonly string[],
	ReadonlyArray<readonly [string, Set<string>]>
>();

function pairsIn(names: readonly string[]) {
	const known =
		pairsOfLists.get(names) ??
		[...new Set(names)].map((name) => [name, pairsOf(plainName(name))] as const);
	pairsOfLists.set(names, known);
	return known;
}

/** How much two names have in common, from 0 to 1: the share of their pairs of letters that are in both. */
function likeness(pairs: ReadonlySet<string>, others: ReadonlySet<string>): number {
	const common = [...pairs].filter((pair) => others.has(pair)).length;
	return (2 * common) / (pairs.size + others.size);
}

/** Names that have less in common are not taken for the same one, misspelt. */
const leastLikeness = 0.4;

/** Those of some names that are most like a text, the most alike first; three at most. */
export function nearest(text: string, names: readonly string[]): string[] {
	const wanted = pairsOf(plainName(text));
	return pairsIn(names)
		.map(([name, pairs]) => ({ name, likeness: likeness(wanted, pairs) }))
		.filter((one) => one.likeness >= leastLikeness)
		.sort((one, other) => other.likeness - one.likeness)
		.slice(0, 3)
		.map(({ name }) => name);
}
