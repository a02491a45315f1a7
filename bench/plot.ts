import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import type { Result } from './results.ts';

/** What is drawn of each result: a title, its value, and how many digits of it. */
const metrics: [string, (result: Result) => number, number][] = [
	['seconds', ({ seconds }) => seconds, 2],
	['peak memory in MB', ({ peakRssMb }) => peakRssMb, 0],
	['CPU milliseconds per row', ({ cpuMsPerRow }) => cpuMsPerRow, 2],
];

/** One small bar chart with a scale of its own. The labels of the times also tell what was lost. */
function chartOf(results: readonly Result[], [title, value, digits]: (typeof metrics)[number]) {
	const bars = results.map((result) => {
		const lost = title === 'seconds' && result.lost > 0 ? `, ${result.lost} lost` : '';
		return {
			contestant: result.contestant,
			value: value(result),
			label: `${value(result).toFixed(digits)}${lost}`,
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
				field: 'contestant',
				type: 'nominal' as const,
				sort: null,
				title: null,
				// Named once for each row of charts, and as wide in each of them.
				axis: title === 'seconds' ? { minExtent: 295, labelLimit: 400 } : null,
			},
			x: {
				field: 'value',
				type: 'quantitative' as const,
				title: null,
				axis: { tickCount: 4 },
				// Room for the label of the longest bar.
				scale: { domain: [0, longest * 1.4] },
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
				title: { text: `${scenario}: ${shown[0]?.rows} rows`, anchor: 'start' },
				hconcat: metrics.map((metric) => chartOf(shown, metric)),
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
