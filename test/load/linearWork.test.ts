import { textWorks, type NamedWork } from '../support/textWork.ts';

/** Letters that all differ: a host name takes each by itself. */
const letters = Array.from({ length: 40_000 }, (_, at) => String.fromCodePoint(0x20000 + at)).join(
	'',
);

/** Characters that mean something to a pattern, alone and in turn. */
const runs = [
	...[' ', '\t', '\n', '\u00a0', '\0', '1', 'a', '/', '.', '-', ':', ',', '=', ';', '%', '\\'],
	...['{', '[', '"', '&', '<', '?', '#', '@', '+', '😀', '\ud83d', '\u0301', '\u0323\u0301', 'ﷺ'],
	...['a,', 'a=a:,', 'a.', '%41', '\\u0041', '{a}', '"\\', letters],
];

/**
 * What is around a run: it lets a pattern for the end of a text fail, or leads a pattern up to the run in a path, a date, a
 * host, and a list of rules.
 */
const surroundings = [
	['', 'x'],
	['https://e.example/', 'x?a=b'],
	['2030-12-31 10:00', 'x'],
	['https://e', '.example/'],
	['US=https://e.example/,DE=', 'x'],
];

/** Lengths of the runs that are compared. */
const [short, long] = [3_125, 25_000];

/**
 * CPU time in milliseconds below which nothing is compared. Linear work on 25,000 characters takes a few milliseconds, and a
 * quadratic pattern hundreds. What is between is garbage collection, compilation, and the other threads of the process.
 */
const floor = 150;

/** Work on eight times the text may take this many times as long: linear work takes 8 times as long, quadratic work 64 times. */
const mostGrowth = 32;

/** Returns the CPU time of some work in milliseconds: the least of some measurements, because noise only adds to it. */
async function cpuTime(work: () => unknown, tries: number): Promise<number> {
	let least = Infinity;
	for (let count = 0; count < tries; count += 1) {
		const before = process.cpuUsage();
		await work();
		const { user, system } = process.cpuUsage(before);
		least = Math.min(least, (user + system) / 1000);
	}
	return least;
}

/** Returns how the time grew if work grows faster than the text; undefined if it does not. */
async function superlinear([, work]: NamedWork, textOf: (length: number) => string) {
	const text = textOf(long);
	if ((await cpuTime(async () => await work(text), 1)) <= floor) return undefined;
	const more = await cpuTime(async () => await work(text), 3);
	const less = await cpuTime(async () => await work(textOf(short)), 3);
	if (more <= floor || more <= mostGrowth * less) return undefined;
	return `${Math.round(more)} ms of ${long} characters, ${Math.round(less)} ms of ${short}`;
}

const cases = runs.map((run) => [JSON.stringify(run.slice(0, 10)), run]);

it.each(cases)(
	'work on a text grows with its length, and not faster: a run of %s',
	async (_, characters) => {
		const failures: string[] = [];
		for (const [before, after] of surroundings) {
			const textOf = (length: number) =>
				`${before}${characters.repeat(Math.ceil(length / characters.length)).slice(0, length)}${after}`;
			for (const work of textWorks) {
				const failure = await superlinear(work, textOf).catch(String);
				if (failure !== undefined) failures.push(`${work[0]}, ${before}…${after}: ${failure}`);
			}
		}
		expect(failures).toEqual([]);
	},
);
