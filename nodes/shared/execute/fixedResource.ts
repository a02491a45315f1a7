import type { IExecuteFunctions } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import { isUnset } from '../contract/values';
import { matchBy } from '../description/parameters';
import { hasExpression } from './cells';
import { settingsError } from './nodeErrors';

/**
 * Checks that mapped rows do not all change one resource: without an expression, the ID parameter is the same for all rows.
 *
 * @param count number of rows
 * @throws NodeOperationError if several rows would change one resource
 */
export function checkFixedResource(
	context: IExecuteFunctions,
	contract: ResourceContract,
	count: number,
): void {
	const node = context.getNode();
	const { name, displayName } = contract.id;
	const value: unknown = node.parameters[name];
	if (count < 2 || isUnset(value) || hasExpression(value)) return;
	throw settingsError(
		node,
		`${displayName} is the same for all ${count} items, so they would overwrite one ${contract.value}; clear ${displayName} and choose ${matchBy(contract).displayName}, or enter an expression`,
	);
}
