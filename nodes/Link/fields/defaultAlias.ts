import type { Parameters } from '../../shared/contract/types';
import type { RawRow } from '../../shared/contract/resourceTypes';
import { operationTable } from '../../shared/contract/operations';
import { isRecord, isUnset } from '../../shared/contract/values';
import { templateAlias } from './aliasTemplate';
import { generatedAlias } from './generateAlias';

/**
 * Returns the parameters with an alias from Alias Template or Generate Alias, if the row has no alias. With an alias, the node
 * can find the link again. Update gets no alias, because it finds its link in another way.
 */
export function defaultAlias(row: RawRow): Parameters {
	const { operation, parameters } = row;
	const { creates, places } = operationTable[operation];
	const collection = places.key === 'top' ? undefined : places.key;
	const value = collection ? parameters[collection] : parameters;
	const fields = isUnset(value) ? {} : value;
	if (!creates || !isRecord(fields) || !isUnset(fields.alias)) return parameters;
	const alias = templateAlias(row) ?? generatedAlias(row);
	if (alias === undefined) return parameters;
	return collection
		? { ...parameters, [collection]: { ...fields, alias } }
		: { ...parameters, alias };
}
