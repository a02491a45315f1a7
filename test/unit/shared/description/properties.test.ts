import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import type { ResourceContract } from '../../../../nodes/shared/contract/types';
import { propertiesOf } from '../../../../nodes/shared/description/properties';
import { labelsOf, shownProperties } from '../../../support/shownProperties.ts';

/** Returns the names in a form from top to bottom, required ones with an asterisk. */
const formOf = (contract: ResourceContract, operation: string, mappingColumnMode: string): string =>
	shownProperties(propertiesOf(contract), { operation, mappingColumnMode })
		.map(({ name, required }) => `${name}${required ? '*' : ''}`)
		.join(' ');

const mapped = 'columnsNotice inputsToIgnore';
const sync = 'syncScope scopeNotice unmatchedLinks mappingColumnMode';

it.each([
	['create', 'mappingColumnMode url* domainId additionalFields output options'],
	['upsert', 'mappingColumnMode matchBy url* domainId alias* additionalFields output options'],
	['update', 'mappingColumnMode linkId* updateFields clearFields output options'],
	['sync', `${sync} matchBy url* alias* additionalFields output options`],
	['get', 'linkId* output options'],
	['getAll', 'returnAll limit filters output options sorting'],
	['delete', 'linkId* options'],
])('the form of %s for links, filled in by hand', (operation, names) => {
	expect(formOf(linkContract, operation, 'defineBelow')).toBe(`resource operation ${names}`);
});

it.each([
	['create', `mappingColumnMode ${mapped} url domainId additionalFields output options`],
	[
		'upsert',
		`mappingColumnMode ${mapped} matchBy url domainId alias additionalFields output options`,
	],
	['update', `mappingColumnMode ${mapped} matchBy linkId updateFields clearFields output options`],
	['sync', `${sync} ${mapped} matchBy url alias additionalFields output options`],
])('the form of %s for links demands no field that a column fills', (operation, names) => {
	expect(formOf(linkContract, operation, 'autoMapInputData')).toBe(`resource operation ${names}`);
});

it.each([
	['create', 'mappingColumnMode name* type* value* output options'],
	['update', 'mappingColumnMode pixelId* updateFields output options'],
	['getAll', 'returnAll limit filters output options sorting'],
])('the form of %s for pixels', (operation, names) => {
	expect(formOf(pixelContract, operation, 'defineBelow')).toBe(`resource operation ${names}`);
});

it('sorts the fields of a collection by label, and puts the advanced ones last', () => {
	const fields = shownProperties(propertiesOf(linkContract), { operation: 'update' }).find(
		({ name }) => name === 'updateFields',
	);
	const labels = labelsOf(fields);
	const advanced = ['Expiration Date (Raw)', 'Expiration Time (Raw)', 'Target Type'];
	expect(labels.slice(-3)).toEqual(advanced);
	const common = labels.slice(0, -3);
	expect(common).toEqual(common.toSorted((one, other) => one.localeCompare(other)));
	expect(common).toContain('UTM Parameters');
});

it.each(linkContract.operations.map(({ value }) => value))(
	'describes %s to the model of an AI agent only as a tool',
	(operation) => {
		const properties = propertiesOf(linkContract);
		const texts = (parameters: Record<string, unknown>) =>
			shownProperties(properties, { operation, ...parameters }).filter(
				({ name }) => name === 'toolDescription',
			);
		expect(texts({})).toEqual([]);
		const text = properties.find(
			({ name, displayOptions }) =>
				name === 'toolDescription' && displayOptions?.show?.operation?.includes(operation),
		)?.default;
		const { description, useWhen } =
			linkContract.operations.find(({ value }) => value === operation) ?? {};
		expect(text).toBe(`${description}. ${useWhen}`);
	},
);
