import type { IDataObject } from 'n8n-workflow';
import { requestOf } from '../client/call';
import { pairsOf, type EncodedField, type PlannedRequest } from '../contract/encode';

const masked = '••••••';

const isSecret = ({ field }: EncodedField) => Boolean(field.typeOptions?.password);

/** The request that a row would make, with its form or query decoded and every secret masked. Sends nothing. */
export function dryRun(root: string, plan: PlannedRequest): IDataObject {
	const { method, url, headers } = requestOf(root, { ...plan, pairs: [] });
	const values = plan.fields.flatMap((encoded) =>
		pairsOf(encoded).map(
			([name, text], index) => [name, isSecret(encoded) ? masked : text, index] as const,
		),
	);
	const form: IDataObject = {};
	for (const [name, text] of values) {
		const before = form[name];
		form[name] = before === undefined ? text : ([before, text].flat() as string[]);
	}
	const part = method === 'POST' || method === 'PUT' ? 'form' : 'query';
	return { method, url, headers: { ...headers, Authorization: `Bearer ${masked}` }, [part]: form };
}
