import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { choice, text } from '../contract/codecs/scalar';
import {
	searchKeys,
	sortKeys,
	operationTable,
	operationsWith,
	placesOf,
	type OperationName,
} from '../contract/operations';
import type { Field, OperationEntry, ScopeField } from '../contract/resourceTypes';
import { sortBy } from '../contract/values';
import { optionalField } from './topFields';

/** The labels of operations whose name in the code is not their label. */
const labels: Readonly<Partial<Record<OperationName, string>>> = {
	getAll: 'Get Many',
	getQrCode: 'QR Code',
	upsert: 'Create or Update',
};

/** What an operation does, and when an AI agent should choose it. By default, the action repeats the label. */
type OperationTexts = Pick<OperationEntry, 'description' | 'useWhen'> & { action?: string };

/** Returns the entries of the Operation dropdown, sorted by label. */
export function operationEntries(
	resource: string,
	texts: Readonly<Partial<Record<OperationName, OperationTexts>>>,
): OperationEntry[] {
	const entries = operationsWith(() => true).flatMap((value): OperationEntry | [] => {
		const text = texts[value];
		if (!text) return [];
		const name = labels[value] ?? `${value.charAt(0).toUpperCase()}${value.slice(1)}`;
		const isOfMany = ['list', 'scope'].includes(operationTable[value].addressedBy);
		const nouns = isOfMany ? `${resource}s` : resource;
		const action = `${name.charAt(0)}${name.slice(1).toLowerCase()} ${nouns}`;
		return { name, value, action, ...text };
	});
	return sortBy(entries, ({ name }) => name);
}

/** The form place of a list's filters. */
export const onList = placesOf('filter');

/** Returns a field as a filter. A field that is written, too, describes what it writes. */
export const filter = (resource: string, field: Field): INodeProperties => ({
	...optionalField(field),
	...(field.wire.on.create
		? { description: `Only ${resource}s of this ${field.displayName.toLowerCase()}` }
		: {}),
});

/**
 * Returns the parameters of the scope of Sync: the start of the field that finds a resource, and the filters of the list that
 * are written, too.
 */
export function scopeFields(
	resource: string,
	fields: readonly Field[],
	searchBy: string,
): ScopeField[] {
	const parameters = fields.flatMap((field): ScopeField | [] => {
		const { displayName, name, wire } = field;
		const label = displayName.toLowerCase();
		if (wire.key === searchBy) {
			return {
				displayName: `${displayName} Starts With`,
				name: `${name}StartsWith`,
				type: 'string',
				default: '',
				placeholder: 'e.g. spring-',
				description: `Only ${resource}s whose ${label} starts with this text. Case-sensitive.`,
				scope: { field: name, isPrefix: true },
			};
		}
		if (!wire.on.create || !wire.on.getAll) return [];
		const property = filter(resource, field);
		const description = `${property.description}. Items without a ${label} get it.`;
		return { ...property, description, scope: { field: name } };
	});
	return sortBy(parameters, ({ displayName }) => displayName);
}

/**
 * Returns the fields to search and to sort a list (contract 4.1 and 4.4).
 *
 * @param hint which fields Search searches by default
 */
export const listFields = (
	hint: string,
	{ options, fallback }: { options: INodePropertyOptions[]; fallback: string },
	sortBy: INodePropertyOptions[],
): Field[] => [
	{
		displayName: 'Search',
		name: 'search',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring',
		description: 'The text to search for',
		hint,
		wire: { key: searchKeys.text, codec: text, on: onList },
	},
	{
		displayName: 'Search By',
		name: 'searchBy',
		type: 'options',
		options,
		default: fallback,
		description: 'The field to search',
		wire: { key: searchKeys.by, codec: choice, on: onList },
	},
	{
		displayName: 'Sort Direction',
		name: 'sort',
		type: 'options',
		options: [
			{ name: 'Ascending', value: 'asc' },
			{ name: 'Descending', value: 'desc' },
		],
		default: 'desc',
		description: 'The order in which to sort the list',
		wire: { key: sortKeys.direction, codec: choice, on: placesOf('sorting') },
	},
	{
		displayName: 'Sort By',
		name: 'sortBy',
		type: 'options',
		options: sortBy,
		default: 'id',
		description: 'The field to sort the list by',
		wire: { key: sortKeys.by, codec: choice, on: placesOf('sorting') },
	},
];
