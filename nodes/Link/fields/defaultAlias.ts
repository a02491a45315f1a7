import type { Parameters } from '../../shared/contract/types';
import type { RawRow } from '../../shared/contract/resourceTypes';
import { isRecord, isUnset } from '../../shared/contract/values';
import { templateAlias } from './aliasTemplate';
import { generatedAlias } from './generateAlias';
import { createAndUpdate } from './places';

/**
 * Gives a row without an alias one, where an option asks for it: what has an alias can be found again. Update names its
 * link otherwise.
 */
export function defaultAlias(row: RawRow): Parameters {
	const { operation, parameters } = row;
	const place = operation === 'create' ? createAndUpdate.create : 'top';
	const held = place === 'top' ? parameters : (parameters[place] ?? {});
	const given = isUnset(held) ? {} : held;
	const writes = ['create', 'sync', 'upsert'].includes(operation);
	if (!writes || !isRecord(given) || !isUnset(given.alias)) return parameters;
	const alias = templateAlias(row) ?? generatedAlias(row);
	if (alias === undefined) return parameters;
	return place === 'top'
		? { ...parameters, alias }
		: { ...parameters, [place]: { ...given, alias } };
}
