import { linkContract } from '../../../../nodes/Link/link.contract';
import { propertiesOf } from '../../../../nodes/shared/description/properties';
import { reconciliations } from '../../../support/operationNames.ts';
import { shownProperties } from '../../../support/shownProperties.ts';

/** Returns the one property of a name that the form shows. */
function shownOnce(name: string, parameters: Parameters<typeof shownProperties>[1]) {
	const all = shownProperties(propertiesOf(linkContract), parameters);
	const [property, ...more] = all.filter((one) => one.name === name);
	expect(more).toEqual([]);
	return property;
}

it.each([
	['alias', ['url', 'alias']],
	['url', ['url']],
	['id', []],
])('requires of a row that Match By %s finds: %j', (matchBy, names) => {
	for (const operation of reconciliations) {
		const required = ['url', 'alias'].filter(
			(name) => shownOnce(name, { operation, matchBy })?.required,
		);
		expect(required).toEqual(names);
	}
});

it('says that a column fills a field', () => {
	const parameters = { operation: 'create', mappingColumnMode: 'autoMapInputData' };
	expect(shownOnce('url', parameters)?.placeholder).toBe('From Column');
});

it.each([
	['update', 'Leave this empty to find the link of each item by Match By'],
	['delete', undefined],
])('hints in the list of links what an empty choice means (%s)', (operation, hint) => {
	const id = shownOnce('linkId', { operation, mappingColumnMode: 'autoMapInputData' });
	expect(id?.modes?.find(({ type }) => type === 'list')?.hint).toBe(hint);
});
