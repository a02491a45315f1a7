import { linkContract } from '../Link/link.contract';
import { domainListLocator, spaceListLocator } from '../Link/link.locators';
import { pixelLocator } from '../Pixel/pixel.contract';
import type { ScopeField } from '../shared/contract/resourceTypes';
import { sortBy } from '../shared/contract/values';

/** Polls do not read names, so these fields have only the modes From List and By ID. */
const listLocators: Readonly<Record<string, Partial<ScopeField>>> = {
	domainId: domainListLocator,
	spaceId: spaceListLocator,
};

const filterFields: ScopeField[] = [
	...linkContract.sync.scope.map((property) => ({
		...property,
		...listLocators[property.name],
		description: (property.description ?? '').replace(/ Items without .*/, ''),
	})),
	{
		displayName: 'Pixel',
		name: 'pixelId',
		...pixelLocator,
		description: 'Only links that this pixel is attached to',
		scope: { field: 'pixelId' },
	},
];

/** The fields of Filters, sorted by label. */
export const filters: readonly ScopeField[] = sortBy(
	filterFields,
	({ displayName }) => displayName,
);
