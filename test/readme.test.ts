import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { IDataObject, INode, INodeProperties } from 'n8n-workflow';
import { linkContract } from '../nodes/Link/link.contract';
import { linkTrigger } from '../nodes/LinkTrigger/linkTrigger.events';
import { pixelContract } from '../nodes/Pixel/pixel.contract';
import { endpointOf } from '../nodes/shared/contract/endpoints';
import type { ResourceContract, Schema } from '../nodes/shared/contract/types';
import { output, outputFields } from '../nodes/shared/description/output';
import { propertiesOf } from '../nodes/shared/description/properties';
import { itemsOf } from '../nodes/shared/execute/items';
import { apiPrefix } from '../nodes/shared/transport/baseUrl';
import type { Failure } from '../nodes/shared/transport/serviceError';

const root = join(__dirname, '..');
const read = (file: string) => readFileSync(join(root, file), 'utf8');
const packageJson = JSON.parse(read('package.json'));

/** A Markdown table without the padding that the formatter adds. */
const unpadded = (text: string) => text.replaceAll(/ +\|/g, ' |').replaceAll(/-{3,}/g, '---');
const readme = unpadded(read('README.md'));

const operationNames = { create: 'Create', update: 'Update', getAll: 'Get Many' } as const;

/** The values that a field takes, where it has a list that fits into a table. */
function valuesOf({ options = [], type }: INodeProperties): string {
	const choices = options.filter((option) => 'value' in option);
	if (choices.length > 0) {
		return choices
			.map(({ name, value }) => (name === value ? name : `${name} (\`${value}\`)`))
			.join(', ');
	}
	return (
		{
			fixedCollection: 'rules',
			boolean: 'yes or no',
			multiOptions: 'IDs',
			resourceLocator: 'ID',
			number: 'number',
		}[type as string] ?? 'text'
	);
}

function fieldTable({ fields }: ResourceContract): string {
	const rows = fields.map((field) => {
		const on = Object.keys(operationNames).filter((operation) => operation in field.wire.on);
		const operations = on.map(
			(operation) => operationNames[operation as keyof typeof operationNames],
		);
		return `| ${field.displayName} | \`${field.name}\` | \`${field.wire.key}\` | ${operations.join(', ')} | ${valuesOf(field)} |`;
	});
	return [
		'| Field | Parameter | Sent as | Operations | Values |',
		'| --- | --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

function operationTable(contract: ResourceContract): string {
	const rows = contract.operations.map(({ name, value, description }) => {
		const { method, path } = endpointOf(contract, value);
		return `| ${name} | ${description} | \`${method} ${apiPrefix}${path}\` |`;
	});
	return ['| Operation | What it does | Request |', '| --- | --- | --- |', ...rows].join('\n');
}

/** JSON types as a person would call them; what has one type in practice is named by that. */
const typeOf = ({ type }: Schema) => [type].flat()[0]?.replace('integer', 'number');

function outputTable(contract: ResourceContract): string {
	const rows = contract.output.map(
		({ name, displayName, description, isSimple, from }) =>
			`| ${displayName} | \`${name}\` | ${typeOf(from.schema)} | ${isSimple ? 'yes' : 'no'} | ${description} |`,
	);
	return [
		'| Field | Name | Type | Simplified | What it is |',
		'| --- | --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

/** The names of the operations that a property is shown on. */
const operationsOf = ({ operations }: ResourceContract, { displayOptions }: INodeProperties) =>
	operations
		.filter(({ value }) => displayOptions?.show?.operation?.includes(value))
		.map(({ name }) => name)
		.join(', ');

/** What a property does, with its choices, or with what it is made of where it is a collection. */
function meaningOf(property: INodeProperties): string {
	const { description = '', type, options = [] } = property;
	const sentence = description.replace(/\.?$/, '.');
	if (type === 'options') return `${sentence} One of ${valuesOf(property)}.`;
	if (type !== 'collection') return description;
	const parts = options.filter((option) => 'type' in option);
	const names = parts.map(({ displayName, name }) => `${displayName} (\`${name}\`)`);
	return `${sentence} Made of ${names.join(', ')}.`;
}

/**
 * The parameters beside the fields: what says where values come from and what Sync works on, what helps to fill in
 * fields, and what says how an update treats them.
 */
function helperTable(contract: ResourceContract): string {
	const properties = propertiesOf(contract);
	const helpers = [
		...['dataToSend', 'inputsToIgnore', 'scope', 'others']
			.flatMap((name) => properties.filter((property) => property.name === name))
			.map((property) => ({ property, on: operationsOf(contract, property) })),
		...(contract.derivedFields ?? []).map((property) => ({ property, on: 'Create, Update' })),
		...contract.fields
			.flatMap(({ wire }) => wire.merge ?? [])
			.map((property) => ({ property, on: 'Update' })),
		...properties
			.filter(({ name }) => name === 'clearFields')
			.map((property) => ({ property, on: operationsOf(contract, property) })),
	];
	const rows = helpers.map(
		({ property, on }) =>
			`| ${property.displayName} | \`${property.name}\` | ${on} | ${meaningOf(property)} |`,
	);
	return [
		'| Helper | Parameter | Operations | What it does |',
		'| --- | --- | --- | --- |',
		...rows,
	].join('\n');
}

it('lists exactly what can be cleared', () => {
	const choices = propertiesOf(linkContract)
		.filter(({ name }) => name === 'clearFields')
		.flatMap(({ options = [] }) => options.map(({ name }) => name));
	expect(readme.replaceAll('\n', ' ')).toContain(`These can be cleared: ${choices.join(', ')}.`);
});

describe.each([linkContract, pixelContract])('README on the $name node', (contract) => {
	// A failure prints the table that belongs into the README.
	it('lists every operation with its request', () => {
		expect(readme).toContain(operationTable(contract));
	});
	it('lists every field with its parameter, wire key, operations and values', () => {
		expect(readme).toContain(fieldTable(contract));
	});
	it('lists every parameter beside the fields', () => {
		expect(readme).toContain(helperTable(contract));
	});
	it('lists every field of the output', () => {
		expect(readme).toContain(outputTable(contract));
	});
});

it('tells what each event of the trigger costs and promises', () => {
	const capital = (text: string) => `${text[0]?.toUpperCase() ?? ''}${text.slice(1)}`;
	const rows = linkTrigger.events.map(
		({ name, value, description, cost, promise }) =>
			`| ${name} (\`${value}\`) | ${description} | ${capital(cost)} | ${promise} |`,
	);
	expect(unpadded(read('docs/trigger.md'))).toContain(
		['| Event | When | Requests | Promise |', '| --- | --- | --- | --- |', ...rows].join('\n'),
	);
});

it('shows both commands on the first screen, and they exist', () => {
	const firstScreen = read('README.md').split('\n').slice(0, 30).join('\n');
	expect(firstScreen).toContain('npm run demo');
	expect(firstScreen).toContain('npm test');
	expect(Object.keys(packageJson.scripts)).toEqual(
		expect.arrayContaining(['demo', 'test', 'test:e2e']),
	);
});

it('names the versions that are tested', () => {
	const { n8nVersion } = jest.requireActual('../demo/n8n/location.cjs') as { n8nVersion: string };
	expect(readme).toContain(`n8n ${n8nVersion}`);
	expect(packageJson.devDependencies['n8n-core']).toBe(n8nVersion);
});

/** The options that a node offers, in the order of its form. */
const optionsOf = (contract: ResourceContract): INodeProperties[] =>
	propertiesOf(contract)
		.filter(({ name }) => name === 'options')
		.flatMap(({ options = [] }) => options)
		.filter((option) => 'type' in option);

it('lists every option of the Link node with its default', () => {
	const rows = optionsOf(linkContract).map(
		(option) =>
			`| ${option.displayName} | \`${option.name}\` | ${String(option.default) || 'none'} | ${option.description} |`,
	);
	expect(readme).toContain(
		['| Option | Parameter | Default | What it does |', '| --- | --- | --- | --- |', ...rows].join(
			'\n',
		),
	);
});

it('names the options that the Pixel node lacks, and that node has no others', () => {
	const pixelNames = optionsOf(pixelContract).map(({ name }) => name);
	const isShared = ({ name }: INodeProperties) => pixelNames.includes(name);
	const options = optionsOf(linkContract);
	const lacking = options.filter((option) => !isShared(option)).map((one) => one.displayName);
	expect(readme.replaceAll('\n', ' ')).toContain(
		`Only the Link node has ${lacking.slice(0, -1).join(', ')} and ${lacking.at(-1)}.`,
	);
	expect(optionsOf(pixelContract)).toEqual(options.filter(isShared));
});

it('names the choices of Output and its two parameters', () => {
	for (const { displayName, name } of [output, outputFields(linkContract.output)])
		expect(readme).toContain(`**${displayName}** (\`${name}\`)`);
	for (const { name, value } of output.options)
		expect(readme).toContain(`- **${name}** (\`${value}\``);
});

it('describes exactly what a failed item holds', () => {
	const node: INode = {
		...{ id: '1', name: 'Link', type: 'link', typeVersion: 1, position: [0, 0], parameters: {} },
		onError: 'continueRegularOutput',
	};
	const failure: Failure = {
		...{ cause: 'rejected', message: 'Refused', advice: 'Correct it.', statusCode: 422 },
		fieldErrors: { alias: ['Taken.'] },
	};
	const input = { alias: 'a', error: 'old', errorDetails: 'old' };
	const report = { node, contract: linkContract, rows: [{ index: 0, encoded: [], name: 'a' }] };
	const parts = {
		output: (resource: IDataObject) => resource,
		input,
		includesInput: false,
		isAlone: false,
	};
	const [item] = itemsOf(report, { index: 0, failure }, parts);
	const { error, errorDetails, ...columns } = item?.json ?? {};
	expect(error).toBe('Row 1 (a): Refused: Alias: Taken.');
	expect(columns).toEqual({ alias: 'a' });
	const section = readme.split('## When a row fails')[1]?.split('\n## ')[0] ?? '';
	const names = [...section.matchAll(/^\| `(\w+)`/gm)].map(([, name]) => name);
	expect(names).toEqual(Object.keys(Object(errorDetails)));
	expect(section).toContain('`error` with one sentence');
});

it('explains only error texts that the code has', () => {
	const sources = ['transport', 'operations', 'execute']
		.map((folder) => join('nodes/shared', folder))
		.flatMap((folder) => readdirSync(join(root, folder)).map((file) => join(folder, file)))
		.map(read)
		.join('\n')
		.replaceAll(/\$\{[^}]*\}/g, '…');
	const section = read('README.md').split('## Troubleshooting')[1]?.split('\n## ')[0] ?? '';
	const texts = [...section.matchAll(/^\| "([^"]+)"/gm)].map(([, text]) => text ?? '');
	expect(texts.length).toBeGreaterThan(10);
	for (const text of texts) expect(sources).toContain(text);
});

it('lists exactly the assumptions that the code names', () => {
	const files = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' });
	const sources = files
		.filter((file) => file.endsWith('.ts'))
		.map((file) => read(join('nodes', file)));
	const named = sources.flatMap((source) =>
		[...source.matchAll(/\(assumption: ([^)]+)\)/g)].map(([, name]) => name ?? ''),
	);
	const listed = [...read('docs/assumptions.md').matchAll(/^### (.+)$/gm)].map(
		([, name]) => name ?? '',
	);
	expect(listed.toSorted()).toEqual([...new Set(named)].toSorted());
});

it('links only to files that exist', () => {
	for (const file of [
		'README.md',
		'CONTRIBUTING.md',
		'docs/architecture.md',
		'docs/assumptions.md',
		'docs/trigger.md',
	]) {
		const links = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(
			([, path]) => path ?? '',
		);
		for (const link of links)
			expect(() => readFileSync(join(root, file, '..', link))).not.toThrow();
	}
});
