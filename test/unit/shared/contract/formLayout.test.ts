import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	collectionsOf,
	fieldsIn,
	isList,
	parametersOf,
	returnsResources,
} from '../../../../nodes/shared/contract/formLayout';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';

const names = (contract: ResourceContract, operation: OperationName) =>
	parametersOf(contract, operation).map(({ name }) => name);

it.each<[operation: OperationName, parameters: string[]]>([
	['create', ['url', 'domainId', 'additionalFields', 'advancedFields']],
	['upsert', ['linkId', 'url', 'domainId', 'alias', 'additionalFields', 'advancedFields']],
	['sync', ['linkId', 'syncScope', 'url', 'alias', 'additionalFields', 'advancedFields']],
	['update', ['linkId', 'clearFields', 'updateFields', 'advancedFields']],
	['getAll', ['returnAll', 'limit', 'filters', 'sorting']],
	['get', ['linkId']],
	['delete', ['linkId']],
])('%s of a link reads %j', (operation, parameters) => {
	expect(names(linkContract, operation)).toEqual(parameters);
});

it('reads no parameter for what a resource does not have', () => {
	expect(names(pixelContract, 'update')).toEqual(['pixelId', 'updateFields']);
	expect(names(pixelContract, 'create')).toEqual(['name', 'type', 'value']);
});

it('keeps the fields of a place in the order of the table', () => {
	const top = fieldsIn(linkContract, 'upsert', 'top').map(({ name }) => name);
	expect(top).toEqual(['url', 'domainId', 'alias']);
	expect(fieldsIn(linkContract, 'delete', 'top')).toEqual([]);
});

it('knows the collections of an operation', () => {
	expect(collectionsOf(linkContract, 'getAll')).toEqual(['filters', 'sorting']);
	expect(collectionsOf(linkContract, 'delete')).toEqual([]);
});

it('knows what operations answer with', () => {
	expect(isList('getAll')).toBe(true);
	expect(isList('get')).toBe(false);
	expect(returnsResources('delete')).toBe(false);
	expect(returnsResources('sync')).toBe(true);
});
