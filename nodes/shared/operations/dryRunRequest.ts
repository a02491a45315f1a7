import type { IDataObject } from 'n8n-workflow';
import { apiRequest, endpointsOf, type ApiRequest } from '../contract/endpoints';
import { fieldsToCreate, paramsOf, type EncodedRow, type ListChange } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { addressNameOf } from '../contract/matchBy';
import { isSecret, isTextual } from '../contract/values';
import { httpRequestOf } from '../transport/httpExchange';
import type { Result } from './types';
import { mask } from './dryRunText';

const isMasked = ({ field, cleared }: EncodedField) => isSecret(field) && !cleared;

/** Values by name; a name that occurs more than once has a list. Secrets that are set are masked. */
function valuesByName(fields: readonly EncodedField[]): IDataObject {
	const values = new Map<string, string[]>();
	for (const field of fields) {
		for (const [name, text] of paramsOf([field])) {
			const texts = values.get(name) ?? [];
			texts.push(isMasked(field) ? mask : text);
			values.set(name, texts);
		}
	}
	return Object.fromEntries(
		[...values].map(([name, texts]) => [name, texts.length === 1 ? texts[0] : texts]),
	);
}

/** Returns the values to add or to remove, by mode. */
function changedValues(changes: readonly ListChange[]): IDataObject {
	const modes = new Set(changes.map(({ mode }) => mode));
	const valuesOf = (mode: string) => valuesByName(changes.filter((change) => change.mode === mode));
	return Object.fromEntries([...modes].map((mode) => [mode, valuesOf(mode)]));
}

/** Returns a request with a decoded form or query, and masked passwords. */
function shownRequest(
	root: string,
	{ method, path }: Pick<ApiRequest, 'method' | 'path'>,
	fields: readonly EncodedField[],
): IDataObject {
	const { url, headers, form } = httpRequestOf(root, { method, path, params: [] });
	return {
		method,
		url,
		headers: { ...headers, Authorization: `Bearer ${mask}` },
		[form ? 'form' : 'query']: valuesByName(fields),
	};
}

/** Returns the values of the filters that the node applies itself, by name. */
const filterValues = ({ filters }: EncodedRow): IDataObject =>
	Object.fromEntries(
		filters.map(({ property, value }) => [property.name, isTextual(value) ? value : String(value)]),
	);

/**
 * Returns the request of a row, with a decoded form or query, and masked passwords. Values that depend on
 * a response are separate: filters that the node applies itself, values to add or remove, and the address whose
 * `{id}` is not known yet. Sends nothing.
 *
 * @param root address of the API
 */
export function plannedRequest(root: string, row: EncodedRow): IDataObject {
	const { contract, operation, id, reference, changes, filters } = row;
	const [{ method, path: template }] = endpointsOf(contract, operation);
	const path = id === undefined ? template : template.replace('{id}', () => encodeURIComponent(id));
	const fields = method === 'POST' ? fieldsToCreate(row) : row.fields;
	return {
		...shownRequest(root, { method, path }, fields),
		...changedValues(changes),
		...(reference
			? { [reference.lookup?.mode.name ?? addressNameOf(contract)]: reference.text }
			: {}),
		...(filters.length > 0 ? { filters: filterValues(row) } : {}),
	};
}

/**
 * Returns a plan whose items have their write as `request`; null if there is none.
 *
 * @param root address of the API
 */
export function withRequest(root: string, { write, ...result }: Result): Result {
	const request = write
		? shownRequest(root, apiRequest(write.contract, write.endpoint, [], write.id), write.fields)
		: null;
	return { ...result, resources: result.resources.map((item) => ({ ...item, request })) };
}
