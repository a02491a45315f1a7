import type { Modules } from './encoder';
import type { PngLayout } from './png';

/** Returns the path of a row: a rectangle for each group of dark modules that are next to each other. */
function pathOf(values: readonly boolean[], row: number, quietZone: number): string {
	const parts: string[] = [];
	let start = 0;
	for (const [column, isDark] of values.entries()) {
		if (!isDark) continue;
		if (column === 0 || values[column - 1] !== true) start = column;
		const length = column - start + 1;
		if (values[column + 1] === true) continue;
		parts.push(`M${start + quietZone} ${row + quietZone}h${length}v1h-${length}z`);
	}
	return parts.join('');
}

/** Returns an SVG picture of modules. It has the size of the PNG picture, and stays sharp at any other size. */
export function svgOf(modules: Modules, { scale, quietZone }: PngLayout): string {
	const side = modules.length + 2 * quietZone;
	const dark = modules.map((values, row) => pathOf(values, row, quietZone)).join('');
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${side * scale}" height="${side * scale}" viewBox="0 0 ${side} ${side}" shape-rendering="crispEdges">`,
		`<path fill="#ffffff" d="M0 0h${side}v${side}H0z"/>`,
		`<path fill="#000000" d="${dark}"/></svg>`,
	].join('');
}
