import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import {
	collectionsOf,
	fieldsIn,
	parametersOf,
} from '../../../../nodes/shared/contract/formLayout';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import { isList, returnsResources } from '../../../../nodes/shared/contract/operations';

const names = (contract: ResourceContract, operation: OperationName) =>
	parametersOf(contract, operation).map(({ name }) => name);

it.each<[operation: OperationName, parameters: string[]]>([
	['create', ['url', 'domainId', 'alias', 'additionalFields']],
	['upsert', ['linkId', 'url', 'domainId', 'alias', 'additionalFields']],
	['sync', ['linkId', 'syncScope', 'url', 'alias', 'additionalFields']],
	['update', ['linkId', 'clearFields', 'updateFields']],
	['getAll', ['returnAll', 'limit', 'filters', 'sorting']],
	['get', ['linkId']],
	['delete', ['linkId']],
])('%s of a link reads %j', (operation, parameters) => {
	expect(names(linkContract, operation)).toEqual(parameters);
});

it('reads no parameter for features that a resource lacks', () => {
	expect(names(pixelContract, 'update')).toEqual(['pixelId', 'updateFields']);
	expect(names(pixelContract, 'create')).toEqual(['name', 'type', 'value']);
});

it('keeps the fields of a place in the order of the table', () => {
	const top = fieldsIn(linkContract, 'upsert', 'top').map(({ name }) => name);
	expect(top).toEqual(['url', 'domainId', 'alias']);
	expect(fieldsIn(linkContract, 'delete', 'top')).toEqual([]);
});

it('returns the collections of an operation', () => {
	expect(collectionsOf(linkContract, 'getAll')).toEqual(['filters', 'sorting']);
	expect(collectionsOf(linkContract, 'delete')).toEqual([]);
});

it('distinguishes the results of operations', () => {
	expect(isList('getAll')).toBe(true);
	expect(isList('get')).toBe(false);
	expect(returnsResources('delete')).toBe(false);
	expect(returnsResources('sync')).toBe(true);
});
