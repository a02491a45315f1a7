import type { INodeParameters } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import { propertiesOf } from '../../../../nodes/shared/description/properties';
import { labelsOf, shownProperties } from '../../../support/shownProperties.ts';

/** Returns the names in a form from top to bottom, required ones with an asterisk. */
const formOf = (
	contract: ResourceContract,
	operation: string,
	mappingColumnMode: string,
	more: INodeParameters = {},
): string =>
	shownProperties(propertiesOf(contract), { operation, mappingColumnMode, ...more })
		.map(({ name, required }) => `${name}${required ? '*' : ''}`)
		.join(' ');

const mapped = 'mappingColumnMode columnsNotice inputsToIgnore';
const sync = 'syncScope scopeNotice unmatchedLinks matchBy';
const fields = 'additionalFields output options';

it.each([
	['create', `url* domainId alias mappingColumnMode ${fields}`],
	['upsert', `matchBy url* domainId alias* mappingColumnMode ${fields}`],
	['update', 'linkId* mappingColumnMode updateFields clearFields output options'],
	['sync', `${sync} url* alias* mappingColumnMode ${fields}`],
	['get', 'linkId* output options'],
	['getAll', 'returnAll limit filters output options sorting'],
	['delete', 'linkId* options'],
])('the form of %s for links, filled in by hand', (operation, names) => {
	expect(formOf(linkContract, operation, 'defineBelow')).toBe(`resource operation ${names}`);
});

it.each([
	['create', `url domainId alias ${mapped} ${fields}`],
	['upsert', `matchBy url domainId alias ${mapped} ${fields}`],
	['update', `matchBy linkId ${mapped} updateFields clearFields output options`],
	['sync', `${sync} url alias ${mapped} ${fields}`],
])('the form of %s for links demands no field that a column fills', (operation, names) => {
	expect(formOf(linkContract, operation, 'autoMapInputData')).toBe(`resource operation ${names}`);
});

it.each([
	['create', 'name* type* value* mappingColumnMode output options'],
	['update', 'pixelId* mappingColumnMode updateFields output options'],
	['getAll', 'returnAll limit filters output options sorting'],
])('the form of %s for pixels', (operation, names) => {
	expect(formOf(pixelContract, operation, 'defineBelow')).toBe(`resource operation ${names}`);
});

/** Returns the labels in a collection of the form. */
const labelsIn = (operation: string, collection: string) =>
	labelsOf(
		shownProperties(propertiesOf(linkContract), { operation }).find(
			({ name }) => name === collection,
		),
	);

const optionalLabels = [
	...['Country Rules', 'Disabled', 'Expiration', 'Expiration Clicks', 'Expiration Redirect URL'],
	...['Language Rules', 'Password', 'Pixel Names or IDs', 'Platform Rules', 'Rotation Rules'],
	...['Space', 'Statistics Password', 'Statistics Privacy', 'Target Type', 'UTM Parameters'],
];

it.each([
	['create', 'additionalFields', []],
	['upsert', 'additionalFields', []],
	['sync', 'additionalFields', ['Domain']],
	['update', 'updateFields', ['Alias', 'Destination URL', 'Pixel Mode']],
])('offers the optional fields of %s by label', (operation, collection, more) => {
	const labels = [...optionalLabels, ...more];
	expect(labelsIn(operation, collection)).toEqual(
		labels.toSorted((one, other) => one.localeCompare(other)),
	);
});

it.each([
	['create', ['Dry Run', 'Generate Alias', 'Include Input', 'Map Passwords', 'Requests']],
	['upsert', ['Dry Run', 'Empty Values', 'Include Input', 'Map Passwords', 'Requests']],
	['update', ['Dry Run', 'Empty Values', 'Include Input', 'Map Passwords', 'Requests']],
	[
		'sync',
		[
			...['Dry Run', 'Empty Values', 'Include Input', 'Map Passwords'],
			...['Max Removal Percentage', 'Max Removals', 'Requests'],
		],
	],
	['delete', ['Dry Run', 'Ignore Missing', 'Include Input', 'Requests']],
	['disable', ['Dry Run', 'Include Input', 'Requests']],
	['get', ['Include Input', 'Requests']],
	['getAll', ['Include Input', 'Requests']],
	['getQrCode', ['Include Input', 'Put Output File in Field', 'Requests']],
])('offers the options of %s by label', (operation, labels) => {
	expect(labelsIn(operation, 'options')).toEqual(labels);
});

it.each([
	[{}, true],
	[{ domainId: { __rl: true, mode: 'list', value: '' } }, true],
	[{ domainId: { __rl: true, mode: 'list', value: 1 } }, false],
	[{ aliasStartsWith: '={{ $json.prefix }}' }, false],
])('asks for a scope until %j has a value: %s', (syncScope, isShown) => {
	const names = formOf(linkContract, 'sync', 'defineBelow', { syncScope });
	expect(names.includes('scopeNotice')).toBe(isShown);
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
		expect(text).toBe(`${description}.\n${useWhen}`);
	},
);

it.each(['domainId', 'spaceId'])('%s says what to do while its list loads slowly', (name) => {
	const field = linkContract.fields.find((each) => each.name === name);
	const [list] = field?.modes ?? [];
	expect(list?.typeOptions?.slowLoadNotice).toEqual({
		message: 'The service is slow, or its rate limit is reached. You can enter an ID instead.',
		timeout: 6_000,
	});
});

it.each(['format', 'size'])('shows %s for QR Code of links only', (name) => {
	const operations = (contract: ResourceContract) =>
		propertiesOf(contract)
			.filter((property) => property.name === name)
			.map(({ displayOptions }) => displayOptions?.show?.operation);
	expect(operations(linkContract)).toEqual([['getQrCode']]);
	expect(operations(pixelContract)).toEqual([]);
});
