import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { memoryPerRow, secondsPerRow, type Result } from './results.ts';

/** One value that is drawn of each result. */
interface Metric {
	title: string;
	value(result: Result): number;
	digits: number;
}

const seconds: Metric = {
	title: 'seconds',
	value: ({ seconds, extrapolated }) => extrapolated?.seconds ?? seconds,
	digits: 2,
};
const peakMemory: Metric = {
	title: 'peak memory in MB',
	value: ({ peakRssMb }) => peakRssMb,
	digits: 0,
};
const cpuTime: Metric = {
	title: 'CPU milliseconds per row',
	value: ({ cpuMsPerRow }) => cpuMsPerRow,
	digits: 2,
};
const requests: Metric = {
	title: 'requests',
	value: ({ requests = 0, extrapolated }) => extrapolated?.requests ?? requests,
	digits: 0,
};
const timePerRow: Metric = {
	title: 'milliseconds per row',
	value: (result) => secondsPerRow(result) * 1000,
	digits: 2,
};
const ownMemoryPerRow: Metric = {
	title: 'kB per row beside the process',
	value: (result) => memoryPerRow(result) * 1000,
	digits: 1,
};

/** What is drawn of a scenario: what it is about. */
function metricsOf([result]: readonly Result[]): [Metric, ...Metric[]] {
	if (result?.asSheet !== undefined) return [seconds, requests, peakMemory];
	if (result?.baseRssMb !== undefined) return [timePerRow, ownMemoryPerRow, peakMemory];
	return [seconds, peakMemory, cpuTime];
}

/** The numbers of rows that a scenario ran with: those of all contestants that got all. */
const sizesOf = (results: readonly Result[]): number[] => [
	...new Set(results.map(({ rows, extrapolated }) => extrapolated?.rows ?? rows)),
];

const inThousands = (count: number) => count.toLocaleString('en');

/** One small bar chart with a scale of its own. The labels of the first one also tell what was lost. */
function chartOf(results: readonly Result[], { title, value, digits }: Metric, isFirst: boolean) {
	const areSeveral = sizesOf(results).length > 1;
	const bars = results.map((result) => {
		const { contestant, rows, lost, extrapolated, isOutOfMemory } = result;
		const died = isOutOfMemory ? ', then out of memory' : '';
		const left = isFirst && lost > 0 ? `${died}, ${lost} lost` : '';
		const share = isFirst && extrapolated ? `, by ${inThousands(rows)} rows` : '';
		return {
			contestant,
			name: areSeveral ? `${contestant}, ${inThousands(rows)} rows` : contestant,
			value: value(result),
			label: `${value(result).toFixed(digits)}${left}${share}`,
		};
	});
	const longest = Math.max(...bars.map((bar) => bar.value));
	return {
		title: { text: title, fontSize: 11, fontWeight: 'normal' as const, anchor: 'start' as const },
		width: 230,
		height: { step: 18 },
		data: { values: bars },
		encoding: {
			y: {
				field: 'name',
				type: 'nominal' as const,
				sort: null,
				title: null,
				// Named once for each row of charts, and as wide in each of them.
				axis: isFirst ? { minExtent: 295, labelLimit: 400 } : null,
			},
			x: {
				field: 'value',
				type: 'quantitative' as const,
				title: null,
				axis: { tickCount: 4 },
				// Room for the label of the longest bar.
				scale: { domain: [0, longest * 1.5] },
			},
		},
		layer: [
			{
				mark: 'bar' as const,
				encoding: {
					color: { field: 'contestant', type: 'nominal' as const, sort: null, legend: null },
				},
			},
			{
				mark: { type: 'text' as const, align: 'left' as const, dx: 4 },
				encoding: { text: { field: 'label' } },
			},
		],
	};
}

/** A row of charts for each scenario. */
function specOf(results: readonly Result[]): TopLevelSpec {
	const scenarios = [...new Set(results.map(({ scenario }) => scenario))];
	return {
		background: 'white',
		vconcat: scenarios.map((scenario) => {
			const shown = results.filter((result) => result.scenario === scenario);
			return {
				title: { text: `${scenario}: ${sizesOf(shown).join(', ')} rows`, anchor: 'start' },
				hconcat: metricsOf(shown).map((metric, index) => chartOf(shown, metric, index === 0)),
				resolve: { scale: { color: 'shared' } },
			};
		}),
		resolve: { scale: { color: 'shared' } },
	};
}

/** Draws the results as an SVG picture. */
export async function plot(results: readonly Result[]): Promise<string> {
	return await new View(parse(compile(specOf(results)).spec), { renderer: 'none' }).toSVG();
}
