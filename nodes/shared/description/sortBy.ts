/** Returns a copy of a list, sorted by the English order of a text of each item. */
export const sortBy = <T>(items: readonly T[], textOf: (item: T) => string): T[] =>
	[...items].sort((first, second) => textOf(first).localeCompare(textOf(second), 'en'));
