import type { INodeProperties } from 'n8n-workflow';
import { onceFor } from '../contract/formLayout';
import { takesColumns } from '../contract/operations';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { without } from '../contract/values';
import { mappingPath, optionsCollection } from './nodeOptions';
import { operationPath } from './parameters';

/** Returns an option as an operation shows it; undefined if the operation does not have it. */
function optionOf(option: INodeProperties, operation: OperationName): INodeProperties | undefined {
	const { [operationPath]: operations, ...show } = option.displayOptions?.show ?? {};
	if (operations && !operations.includes(operation)) return undefined;
	if (show[mappingPath] && !takesColumns(operation)) return undefined;
	const rest = without(option, 'displayOptions');
	return Object.keys(show).length > 0 ? { ...rest, displayOptions: { show } } : rest;
}

const collections = onceFor<
	Omit<INodeProperties, 'options'> & { readonly options: INodeProperties[] }
>();

/**
 * Returns the Options collection of an operation, with only the options that the operation has. n8n's AI builder gets the
 * options of each operation in full, so options that do not apply would only fill its context.
 */
export const operationOptions = (contract: ResourceContract, operation: OperationName) =>
	collections(contract, operation, () => {
		const { options = [], ...collection } = optionsCollection(contract);
		const all = options.filter((option) => 'type' in option);
		return { ...collection, options: all.flatMap((option) => optionOf(option, operation) ?? []) };
	});
