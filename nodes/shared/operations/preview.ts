import type { IDataObject } from 'n8n-workflow';
import { endpointsOf } from '../contract/endpoints';
import {
	fieldsToCreate,
	paramsOf,
	type EncodedField,
	type EncodedRow,
} from '../contract/encodeRow';
import { httpRequestOf } from '../transport/exchange';

import { mask } from './plan';

const isSecret = ({ field, cleared }: EncodedField) =>
	Boolean(field.typeOptions?.password) && !cleared;

/** Values by name; a name that occurs more than once has a list. Secrets that are set are masked. */
function decoded(fields: readonly EncodedField[]): IDataObject {
	const values = new Map<string, string[]>();
	for (const field of fields) {
		for (const [name, text] of paramsOf([field])) {
			const texts = values.get(name) ?? [];
			texts.push(isSecret(field) ? mask : text);
			values.set(name, texts);
		}
	}
	return Object.fromEntries(
		[...values].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
	);
}

/**
 * The request that a row would make, with its form or query decoded and every secret masked. What depends on an answer
 * of the service stands beside it: values to add or remove, and a short URL whose `{id}` is to be found. Sends nothing.
 *
 * @param root address of the API
 */
export function preview(root: string, row: EncodedRow): IDataObject {
	const { contract, operation, id, reference, change } = row;
	const [{ method, path: template }] = endpointsOf(contract, operation);
	const path = id === undefined ? template : template.replace('{id}', () => encodeURIComponent(id));
	const { url, headers, form } = httpRequestOf(root, { method, path, params: [] });
	const fields = method === 'POST' ? fieldsToCreate(row) : row.fields;
	return {
		method,
		url,
		headers: { ...headers, Authorization: `Bearer ${mask}` },
		[form ? 'form' : 'query']: decoded(fields),
		...(change ? { [change.mode]: decoded([change]) } : {}),
		...(reference ? { shortUrl: reference.text } : {}),
	};
}
