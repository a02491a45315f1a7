import { join } from 'node:path';
import { readResults as readFile, type Origin, type Results } from '../../bench/results.ts';
import { table } from './tables.ts';

type Burst = Results['bursts'][number];

/** The contestant of the benchmark that is this package's node. Each burst has one other. */
const thisNode = 'this node';

/** Returns a table of webhook calls at once, with one row per load and mode of n8n. */
function bursts(results: readonly Burst[]): string {
	const rows = results
		.filter(({ contestant }) => contestant === thisNode)
		.toSorted((a, b) => a.windowSeconds - b.windowSeconds)
		.map((own) => {
			const isOther = (other: Burst) =>
				other.scenario === own.scenario && other.mode === own.mode && other !== own;
			const pair = [own, ...results.filter(isOther)];
			/** Returns a figure of both contestants: `0/335`. */
			const both = (figure: (burst: Burst) => string) => pair.map(figure).join('/');
			return [
				`${own.calls}/${own.windowSeconds} s, ${own.mode.replace('queue mode, ', '')}`,
				both(({ lost }) => String(lost)),
				both(({ refusedShare }) => `${(refusedShare * 100).toFixed(1)}%`),
				both(({ seconds, optimumSeconds }) => (seconds / optimumSeconds).toFixed(2)),
			];
		});
	return table(['Calls/window', 'Lost', 'Refused', 'Time'], rows);
}

/** Returns which version was measured when, and in which scenarios. */
function origins({ rows, bursts: loads }: Results): string {
	const measured = Map.groupBy([...rows, ...loads], ({ version, date }) => `${version}, ${date}`);
	return table(
		['Version', 'Scenarios'],
		[...measured].map(([origin, results]) => [
			origin,
			[...new Set(results.map(({ scenario }) => `\`${scenario}\``))].join(', '),
		]),
	);
}

/** Reads the results of the benchmark that the repository contains. */
export const readResults = (projectRoot: string) =>
	readFile(join(projectRoot, 'bench', 'results.json'));

/**
 * Returns the tables with the results of the benchmark: the `bursts` of docs/installation.md, and the `origins` of
 * bench/README.md.
 *
 * @param projectRoot the checkout, whose bench/results.json has the results
 */
export function measuredTables(projectRoot: string): Record<string, string> {
	const results = readResults(projectRoot);
	return { bursts: bursts(results.bursts), origins: origins(results) };
}

/**
 * Returns the results that are older than the minor version before the package's version. A release raises the version
 * after the results were measured, so results of that minor version are accepted.
 */
export function outdated<T extends Origin>(results: readonly T[], version: string): T[] {
	const numbers = (text: string) => text.split('.').map(Number);
	const [major = 0, minor = 0] = numbers(version);
	return results.filter((result) => {
		const [ownMajor = 0, ownMinor = 0] = numbers(result.version);
		if (ownMajor === major) return ownMinor < minor - 1;
		return ownMajor < major - 1 || minor > 0;
	});
}
