import type { IDataObject } from 'n8n-workflow';
import { byId, type Run } from '../support/service.ts';

/**
 * Returns the parameters of a link that is filled in by hand, in domain 1.
 *
 * @param fields those that have no place of their own are in Additional Fields
 * @param more other parameters, which precede these
 */
export const linkForm = (fields: IDataObject = {}, more: Run['parameters'] = {}) => {
	const { url = 'https://example.com/', domainId = byId(1), alias = '', ...rest } = fields;
	return { url, domainId, alias, additionalFields: rest, ...more } as Run['parameters'];
};
