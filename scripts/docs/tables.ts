import type { INodeProperties } from 'n8n-workflow';
import { linkContract } from '../../nodes/Link/link.contract';
import { pixelContract } from '../../nodes/Pixel/pixel.contract';
import { endpointOf, operationTable, operationsWith } from '../../nodes/shared/contract/operations';
import type { NodeOption, ResourceContract } from '../../nodes/shared/contract/resourceTypes';
import { optionsOf as allOptionsOf } from '../../nodes/shared/description/nodeOptions';
import { propertiesOf } from '../../nodes/shared/description/properties';
import { details } from './details.ts';

/** The pages, relative to the root of the project, that have tables to fill. */
export const pages = ['docs/reference.md', 'docs/installation.md', 'bench/README.md'];

/** Returns a Markdown table without padding. A cell is one line and contains no `|`. */
export function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
	const line = (cells: readonly string[]) =>
		`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
	return [columns, columns.map(() => '---'), ...rows].map(line).join('\n');
}

/** Returns the label, and below it the value in a saved workflow, so that the column stays narrow. */
const named = (name: string, value: unknown) => `${name}<br>\`${String(value)}\``;

/** Returns a text as letters and digits alone, to compare a name with its value. */
const plain = (text: unknown) =>
	String(text)
		.toLowerCase()
		.replaceAll(/[^a-z\d]/g, '');

/** Returns the choices of a list, or the parts of a collection, in a sentence. */
function partsOf({ type, options = [] }: INodeProperties): string {
	const parts = options.flatMap((option) => {
		if ('value' in option) {
			const value = `\`${String(option.value)}\``;
			const isNamed = type === 'multiOptions' || plain(option.name).includes(plain(option.value));
			return [isNamed ? value : `${option.name} (${value})`];
		}
		return 'type' in option ? [`${option.displayName} (\`${option.name}\`)`] : [];
	});
	return parts.length === 0 ? '' : `${parts.join(', ')}.`;
}

/** Returns the values of a parameter, and what the form does not say about it. */
const detailsOf = (property: INodeProperties) =>
	[partsOf(property), details[property.name]].filter(Boolean).join(' ');

/** Parameters that have their own section, or that all n8n nodes have. */
const elsewhere = [
	...['resource', 'operation', 'toolDescription', 'mappingColumnMode', 'inputsToIgnore'],
	...['output', 'outputFields', 'options'],
];

/** Returns whether a property is a collection whose entries are listed as separate parameters. */
const isOpened = ({ type, placeholder = '' }: INodeProperties) =>
	type === 'collection' && /^Add (Field|Filter|Sort)/.test(placeholder);

/** A parameter of the form, and the operations that show it. */
interface Shown {
	property: INodeProperties;
	operations: string[];
}

/** Returns the fields in the order of the form, each name once. */
function parametersOf(properties: readonly INodeProperties[]): Shown[] {
	const shown = new Map<string, Shown>();
	for (const property of properties) {
		const operations = property.displayOptions?.show?.operation ?? [];
		const isLeftOut = elsewhere.includes(property.name) || property.type === 'notice';
		const members = isOpened(property) ? (property.options ?? []) : [property];
		for (const member of isLeftOut ? [] : members) {
			if (!('type' in member)) continue;
			const entry = shown.get(member.name) ?? { property: member, operations: [] };
			entry.operations.push(...operations.map(String));
			shown.set(member.name, entry);
		}
	}
	return [...shown.values()];
}

/** The operations that send the values of a row. */
const writes = operationsWith(({ places }) => places.optional);

const lists: readonly string[] = operationsWith(({ addressedBy }) => addressedBy === 'list');

/** Returns the names of operations as the form has them. All that write are an empty text. */
function namesOf({ operations }: ResourceContract, values: readonly string[]): string {
	const named = operations.filter(({ value }) => values.includes(value));
	const isEachWrite =
		named.length === writes.length && writes.every((write) => values.includes(write));
	return isEachWrite ? '' : named.map(({ name }) => name).join(', ');
}

/** The requests of an operation, as `GET /links`, then `POST /links` or `PUT /links/{id}`. */
function requestsOf(endpoints: readonly ReturnType<typeof endpointOf>[]): string {
	const [first, ...others] = endpoints.map(({ method, path }) => `\`${method} ${path}\``);
	const last = others.pop();
	if (first === undefined || last === undefined) return first ?? '';
	const alternatives = others.length > 0 ? `${others.join(', ')} or ${last}` : last;
	return `${first}, then ${alternatives}`;
}

/** The tables on one node. */
function tablesOn(contract: ResourceContract): Record<string, string> {
	const parameters = parametersOf(propertiesOf(contract));
	const { value: resource, operations, output } = contract;
	return {
		[`${resource} operations`]: table(
			['Operation', 'Requests'],
			operations.map(({ name, value }) => [
				name,
				requestsOf(
					operationTable[value].endpoints.map((endpoint) => endpointOf(contract, endpoint)),
				),
			]),
		),
		[`${resource} fields`]: table(
			['Field', 'Operations', 'Values and details'],
			parameters
				.filter(({ operations: values }) => values.some((value) => !lists.includes(value)))
				.map(({ property, operations: values }) => [
					named(property.displayName, property.name),
					namesOf(
						contract,
						values.filter((value) => !lists.includes(value)),
					),
					detailsOf(property),
				]),
		),
		[`${resource} list`]: table(
			['Field', 'Values'],
			parameters
				.filter(({ operations: values }) => values.some((value) => lists.includes(value)))
				// The choices of a field are in its own table.
				.filter(({ operations: values }) => values.every((value) => lists.includes(value)))
				.map(({ property }) => [named(property.displayName, property.name), partsOf(property)])
				.filter(([, choices]) => choices !== ''),
		),
		[`${resource} output`]: table(
			['Output', 'Fields'],
			[
				['Simplified', output.filter(({ isSimple }) => isSimple)] as const,
				['More in Selected Fields', output.filter(({ isSimple }) => !isSimple)] as const,
			]
				.filter(([, fields]) => fields.length > 0)
				.map(([label, fields]) => [label, fields.map(({ name }) => `\`${name}\``).join(', ')]),
		),
	};
}

/** Returns the options of a resource. Requests is listed as the options that it groups. */
const optionsOf = (contract: ResourceContract): NodeOption[] =>
	allOptionsOf(contract)
		.flatMap((option) =>
			option.type === 'fixedCollection'
				? (option.options ?? []).flatMap((group) => ('values' in group ? group.values : []))
				: [option],
		)
		.toSorted((first, second) => first.displayName.localeCompare(second.displayName));

/** The options of all nodes, with what limits each to some operations or to one node. */
function optionTable(): string {
	const shared = optionsOf(pixelContract).map(({ name }) => name);
	return table(
		['Option', 'Default', 'Details'],
		optionsOf(linkContract).map((option) => {
			const operations = option.isFor && operationsWith(option.isFor);
			const limits = [
				...(operations ? [namesOf(linkContract, operations) || 'all that write values'] : []),
				...(shared.includes(option.name) ? [] : ['the Link node']),
			];
			const limit = limits.length > 0 ? ` Only for ${limits.join(' of ')}.` : '';
			return [
				named(option.displayName, option.name),
				option.type === 'boolean'
					? 'off'
					: (typeof option.default === 'object' ? '' : String(option.default)) || 'none',
				`${details[option.name] ?? ''}${limit}`.trim(),
			];
		}),
	);
}

/** Every table by the name that a page calls it by. */
export function tablesOf(): Record<string, string> {
	return {
		...tablesOn(linkContract),
		...tablesOn(pixelContract),
		options: optionTable(),
	};
}

/** Where a page has a table: its name, and the table itself, which the formatter leaves alone. */
const place = /(?<=<!-- npm run docs: ([\w ]+) -->\n\n<!-- prettier-ignore -->\n)(?:\|.*\n)*/g;

/** The names of the tables that a page has. */
export const namesOn = (page: string) => [...page.matchAll(place)].map(([, name = '']) => name);

/** Returns a page with new tables. Tables that are not passed stay as they are. */
export const filled = (page: string, tables: Readonly<Record<string, string>>): string =>
	page.replaceAll(place, (current: string, name: string) => {
		const text = tables[name];
		return text === undefined ? current : `${text}\n`;
	});
