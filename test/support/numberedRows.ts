import type { IDataObject } from 'n8n-workflow';

/** Returns rows whose aliases have the same length, so that no alias contains another. */
export const rowsOf = (count: number, from = 1000): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		alias: `row-${from + index}`,
		url: `https://example.com/${from + index}`,
	}));
