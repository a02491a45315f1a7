import type { Parameters } from '../../shared/contract/types';
import type { RawRow } from '../../shared/contract/resourceTypes';
import { operationTable } from '../../shared/contract/operations';
import { isRecord, isUnset } from '../../shared/contract/values';
import { templateAlias } from './aliasTemplate';
import { generatedAlias } from './generateAlias';

/**
 * Gives a row without an alias one, where an option asks for it: what has an alias can be found again. Update names its
 * link otherwise.
 */
export function defaultAlias(row: RawRow): Parameters {
	const { operation, parameters } = row;
	const { creates, places } = operationTable[operation];
	const place = places.key ?? 'top';
	const held = place === 'top' ? parameters : (parameters[place] ?? {});
	const given = isUnset(held) ? {} : held;
	if (!creates || !isRecord(given) || !isUnset(given.alias)) return parameters;
	const alias = templateAlias(row) ?? generatedAlias(row);
	if (alias === undefined) return parameters;
	return place === 'top'
		? { ...parameters, alias }
		: { ...parameters, [place]: { ...given, alias } };
}
