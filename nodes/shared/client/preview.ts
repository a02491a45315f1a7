import type { IDataObject } from 'n8n-workflow';
import { pairsOf, type EncodedField, type PlannedRequest } from '../contract/plan';
import { requestOf } from './call';

const masked = '••••••';

const isSecret = ({ field }: EncodedField) => Boolean(field.typeOptions?.password);

/** Values by name; a name that occurs more than once has a list. */
function decoded(fields: readonly EncodedField[]): IDataObject {
	const values: Record<string, string[]> = {};
	for (const field of fields) {
		for (const [name, text] of pairsOf(field)) {
			values[name] = [...(values[name] ?? []), isSecret(field) ? masked : text];
		}
	}
	const single = Object.entries(values).map(([name, texts]) => [
		name,
		texts.length === 1 ? texts[0] : texts,
	]);
	return Object.fromEntries(single);
}

/**
 * The request that a plan would make, with its form or query decoded and every secret masked. What depends on an answer
 * of the service stands beside it: values to add or remove, and a short URL whose `{id}` is to be found. Sends nothing.
 */
export function preview(root: string, plan: PlannedRequest): IDataObject {
	const { method, url, headers, form } = requestOf(root, { ...plan, pairs: [] });
	return {
		method,
		url,
		headers: { ...headers, Authorization: `Bearer ${masked}` },
		[form ? 'form' : 'query']: decoded(plan.fields),
		...(plan.merge ? { [plan.merge.mode]: decoded([plan.merge]) } : {}),
		...(plan.address ? { shortUrl: plan.address.text } : {}),
	};
}
