import { runOf, superlinear, type Longest, type NamedWork } from '../support/growth.ts';
import { rowWorks } from '../support/rowWork.ts';
import { textWorks } from '../support/textWork.ts';

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

type Surrounding = readonly [before: string, after: string];

/** Lets a pattern for the end of a text fail behind a run. */
const plain: Surrounding = ['', 'x'];

/** Leads a pattern up to a run in a path. */
const inPath: Surrounding = ['https://e.example/', 'x?a=b'];

/** Lead a pattern up to a run in a date, a host, and a list of rules. */
const others: readonly Surrounding[] = [
	['2030-12-31 10:00', 'x'],
	['https://e', '.example/'],
	['US=https://e.example/,DE=', 'x'],
];

/** Returns which works grow faster than their text, or throw. */
async function failuresOf(
	works: readonly NamedWork[],
	characters: string,
	longest: Longest,
	surroundings: readonly Surrounding[],
): Promise<string[]> {
	const failures: string[] = [];
	for (const [before, after] of surroundings) {
		const textOf = (length: number) => `${before}${runOf(characters, length)}${after}`;
		for (const [name, work] of works) {
			const failure = await superlinear(work, textOf, longest).catch(String);
			if (failure !== undefined) failures.push(`${name}, ${before}…${after}: ${failure}`);
		}
	}
	return failures;
}

describe('work on a text grows with its length, and not faster', () => {
	const cases = runs.map((run) => [JSON.stringify(run.slice(0, 10)), run]);

	// The CPU time of a text and of one eight times as long is compared, see `superlinear`.
	it.each(cases)('of a run of %s', async (_, characters) => {
		const failures = [
			await failuresOf(textWorks, characters, 200_000, [plain]),
			// What needs a beginning shows at an eighth of the length as well.
			await failuresOf(textWorks, characters, 25_000, [inPath, ...others]),
			await failuresOf(rowWorks, characters, 25_000, [plain, inPath]),
		];
		expect(failures.flat()).toEqual([]);
	});
});
