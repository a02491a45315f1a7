/** Work on a text. */
export type Work = (text: string) => unknown;

/** Work on a text, and what it is called. */
export type NamedWork = readonly [name: string, work: Work];

/** Length of the longest run of characters. */
export type Longest = 25_000 | 200_000;

/**
 * Less CPU time is never compared, in milliseconds. Linear work on 200,000 characters takes a few milliseconds, and a
 * quadratic pattern takes hundreds on 25,000. What lies between is garbage collection, compilation, and the other threads of
 * the process.
 */
const floor = 150;

/** Work on eight times the text may take this many times as long: linear work takes 8 times as long, quadratic work 64 times. */
const mostGrowth = 32;

/** Number of measurements of which the least counts if the first one looks wrong, because noise only adds to it. */
const tries = 3;

/** Returns the CPU time of some work in milliseconds. */
async function cpuTime(work: () => unknown): Promise<number> {
	const before = process.cpuUsage();
	await work();
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
}

async function leastTime(work: () => unknown): Promise<number> {
	let least = Infinity;
	for (let count = 0; count < tries; count += 1) least = Math.min(least, await cpuTime(work));
	return least;
}

/** A text of this many characters that repeats a few of them. */
export const runOf = (characters: string, length: number): string =>
	characters.repeat(Math.ceil(length / characters.length)).slice(0, length);

/**
 * Returns what work takes if it grows faster than the text; undefined if it does not. The first length that shows it is the
 * last one that is measured, so that quadratic work does not hold up the tests.
 *
 * @param textOf makes a text with a run of a number of characters
 * @param longest length of the longest run; the others are an eighth of the next one
 */
export async function superlinear(
	work: Work,
	textOf: (length: number) => string,
	longest: Longest,
): Promise<string | undefined> {
	let before = '';
	for (const length of [3_125, 25_000, 200_000].filter((one) => one <= longest)) {
		const text = textOf(length);
		const took = await cpuTime(async () => await work(text));
		if (before !== '' && took > floor) {
			const short = before;
			const less = await leastTime(async () => await work(short));
			const more = await leastTime(async () => await work(text));
			if (more > floor && more > mostGrowth * less) {
				return `${Math.round(more)} ms of ${length} characters, ${Math.round(less)} ms of ${length / 8}`;
			}
		}
		before = text;
	}
	return undefined;
}
