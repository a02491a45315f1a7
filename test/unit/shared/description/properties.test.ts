import { NodeHelpers, type INodeParameters, type INodeProperties } from 'n8n-workflow';
import { linkContract } from '../../../../nodes/Link/link.contract';
import { pixelContract } from '../../../../nodes/Pixel/pixel.contract';
import type { OperationName } from '../../../../nodes/shared/contract/types';
import type { ResourceContract } from '../../../../nodes/shared/contract/resourceTypes';
import { choicesOf } from '../../../../nodes/shared/contract/values';
import { optionsOf } from '../../../../nodes/shared/description/nodeOptions';
import { outputSchema } from '../../../../nodes/shared/description/output';
import { propertiesOf } from '../../../../nodes/shared/description/properties';
import { switchings } from '../../../support/operationNames.ts';

/** Returns the properties that n8n's form shows for the given parameters. The others have their defaults. */
function shownProperties(properties: INodeProperties[], parameters: INodeParameters) {
	const values = NodeHelpers.getNodeParameters(properties, parameters, true, false, null, null);
	return properties.filter((property) =>
		NodeHelpers.displayParameter(values ?? parameters, property, null, null),
	);
}

/** Returns the names in a form from top to bottom, required ones with an asterisk. */
const formOf = (operation: string, more: INodeParameters = {}): string =>
	shownProperties(propertiesOf(linkContract), {
		...{ operation, mappingColumnMode: 'defineBelow', ...more },
	})
		.map(({ name, required }) => `${name}${required ? '*' : ''}`)
		.join(' ');

const sync = 'syncScope scopeNotice unmatchedLinks matchBy';
const fields = 'additionalFields output options';

it.each([
	['create', `url* domainId alias mappingColumnMode ${fields}`],
	['upsert', `matchBy url* domainId alias* mappingColumnMode ${fields}`],
	['update', 'linkId* mappingColumnMode updateFields clearFields output options'],
	['sync', `${sync} url* alias* mappingColumnMode ${fields}`],
	['get', 'linkId* output options'],
	['getAll', 'returnAll limit filters sorting output options'],
	['delete', 'linkId* options'],
	...switchings.map((operation) => [operation, 'linkId* mappingColumnMode output options']),
])('the form of %s for links, filled in by hand', (operation, names) => {
	expect(formOf(operation)).toBe(`resource operation ${names}`);
});

it.each(switchings)('%s says what it does, and that it does nothing else', (operation) => {
	const entry = linkContract.operations.find(({ value }) => value === operation);
	expect(entry?.action).toBe(`${operation.charAt(0).toUpperCase()}${operation.slice(1)} link`);
	expect(entry?.useWhen).toContain('It changes nothing else');
});

const optionLabels = (operation: string) =>
	shownProperties(propertiesOf(linkContract), { operation })
		.find(({ name }) => name === 'options')
		?.options?.map((option) => ('displayName' in option ? option.displayName : option.name));

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
	expect(optionLabels(operation)).toEqual(labels);
});

it.each([
	[{}, true],
	[{ domainId: { __rl: true, mode: 'list', value: '' } }, true],
	[{ domainId: { __rl: true, mode: 'list', value: 1 } }, false],
	[{ aliasStartsWith: '={{ $json.prefix }}' }, false],
])('asks for a scope until %j has a value: %s', (syncScope, isShown) => {
	const names = formOf('sync', { syncScope });
	expect(names.includes('scopeNotice')).toBe(isShown);
});

it('shows Not Set and From Column only while a field may stay empty', () => {
	const typeOf = (values: INodeParameters) => {
		const shown = shownProperties(propertiesOf(pixelContract), { operation: 'upsert', ...values });
		const [type, ...more] = shown.filter(({ name }) => name === 'type');
		expect(more).toEqual([]);
		return [
			type?.required,
			choicesOf(type ?? { displayName: '', name: '' }).find(({ value }) => value === '')?.name,
		];
	};
	expect(typeOf({ matchBy: 'name' })).toEqual([true, undefined]);
	expect(typeOf({ matchBy: 'id' })).toEqual([undefined, 'Not Set']);
	expect(typeOf({ mappingColumnMode: 'autoMapInputData' })).toEqual([undefined, 'From Column']);
});

it('lists the columns that map: fields with synonyms first, and each group on a line', () => {
	const [notice] = shownProperties(propertiesOf(linkContract), {
		...{ operation: 'upsert', mappingColumnMode: 'autoMapInputData' },
	}).filter(({ name }) => name === 'columnsNotice');
	const lines = [...(notice?.displayName ?? '').matchAll(/<li>(.*?)<\/li>/g)].map(
		([, line]) => line,
	);
	expect(lines).toEqual([
		'Destination URL (long url, original url, destination)',
		'Alias (slug, back-half, short code, custom alias)',
		'Expiration (expires, expires at, expiry, valid until)',
		'Pixels (pixel)',
		expect.stringMatching(/^Country Rules, Disabled, Domain, .*Target Type, UTM Parameters$/),
		expect.stringMatching(/^Expiration Date, Expiration Time, UTM Source, .*, UTM ID$/),
		'Password, Statistics Password, with Map Passwords under Options',
		'ID if Match By is ID',
	]);
});

it.each([linkContract, pixelContract])(
	'turns on each switch that is added ($value)',
	(contract) => {
		const switches = optionsOf(contract).filter(({ type }) => type === 'boolean');
		expect(switches.length).toBeGreaterThan(2);
		for (const option of switches) expect(option).toMatchObject({ default: true });
	},
);

it('describes the items of an operation', () => {
	const simple = linkContract.output.filter(({ isSimple }) => isSimple).map(({ name }) => name);
	const keys = (operation: OperationName) =>
		Object.keys(outputSchema(linkContract, operation).properties);
	expect(keys('get')).toEqual(simple);
	expect(keys('delete')).toEqual(['id', 'deleted']);
	expect(keys('upsert')).toEqual([...simple, 'outcome']);
	expect(outputSchema(linkContract, 'sync').properties.outcome?.enum).toContain('deleted');
});

it.each(['format', 'size'])('shows %s for QR Code of links only', (name) => {
	const operations = (contract: ResourceContract) =>
		propertiesOf(contract)
			.filter((property) => property.name === name)
			.map(({ displayOptions }) => displayOptions?.show?.operation);
	expect(operations(linkContract)).toEqual([['getQrCode']]);
	expect(operations(pixelContract)).toEqual([]);
});
