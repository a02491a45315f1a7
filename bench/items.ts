import type { Link } from './results.ts';

const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null;

const isLink = (value: unknown): value is Link =>
	isRecord(value) && typeof value.alias === 'string' && typeof value.url === 'string';

/** The links in output items: as the item itself, as the `data` of an answer, or in a list of such `data`. */
export function linksOf(items: readonly unknown[]): Link[] {
	return items.flatMap((item) => {
		const data = isRecord(item) && 'data' in item ? item.data : item;
		return [data].flat().filter(isLink);
	});
}
