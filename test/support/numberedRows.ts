import type { IDataObject } from 'n8n-workflow';
import { byId } from './service.ts';

/** Returns rows whose aliases have the same length, so that no alias contains another. */
export const rowsOf = (count: number, from = 1000): IDataObject[] =>
	Array.from({ length: count }, (_, index) => ({
		alias: `row-${from + index}`,
		url: `https://example.com/${from + index}`,
	}));

/** Returns parameters that map the columns of all rows automatically. */
export const mapped = (domain?: number, options: IDataObject = {}) => ({
	mappingColumnMode: 'autoMapInputData',
	...(domain === undefined ? {} : { domainId: byId(domain) }),
	options: options as never,
});
