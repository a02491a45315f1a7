import { choice, line } from '../shared/contract/codecs/scalar';
import { onList, onSorting, searchField, sortDirection } from '../shared/contract/listFields';
import { newestFirst } from '../shared/contract/endpoints';
import type { Field } from '../shared/contract/fieldTypes';
import type { NameSource } from '../shared/contract/types';
import type { OperationEntry, ResourceContract } from '../shared/contract/resourceTypes';
import { locatorOf } from '../shared/description/locators';
import { pixelOutput } from './pixel.output';
import { typeCodec, types } from './pixel.types';

/** What can be done with pixels (contract 4), one row each. */
const operations: OperationEntry[] = [
	{
		name: 'Create',
		value: 'create',
		action: 'Create pixel',
		description: 'Create a tracking pixel that can be attached to links',
		useWhen:
			'Use this when visitors of links should be counted by a tracking service, such as Meta or Google Analytics. It answers with the ID that links take.',
	},
	{
		name: 'Create or Update',
		value: 'upsert',
		action: 'Create or update pixel',
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		useWhen:
			'Use this when a pixel with a certain name should exist, whether or not it does already.',
	},
	{
		name: 'Delete',
		value: 'delete',
		action: 'Delete pixel',
		description: 'Delete a tracking pixel by its ID',
		useWhen: 'Use this only when someone asks to remove a pixel for good.',
	},
	{
		name: 'Get',
		value: 'get',
		action: 'Get pixel',
		description: 'Look up one tracking pixel by its ID',
		useWhen: 'Use this when the ID is known and the name, type or tracking ID is asked for.',
	},
	{
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many pixels',
		description: 'List tracking pixels, or search and filter them',
		useWhen: 'Use this to find the ID of a pixel, or when someone asks which pixels there are.',
	},
	{
		name: 'Sync',
		value: 'sync',
		action: 'Sync pixels',
		description:
			'Make the pixels of a scope match the rows: create, update, and keep or delete the others',
		useWhen:
			'Use this when one pixel of a scope should be as given. The others of the scope stay as they are.',
	},
	{
		name: 'Update',
		value: 'update',
		action: 'Update pixel',
		description: 'Change some fields of a tracking pixel and leave the others as they are',
		useWhen: 'Use this when the name, type or tracking ID of a pixel is wrong. Find its ID first.',
	},
];

/** A pixel's own fields are asked for on create and offered on update. */
const onWrites = { create: 'top', sync: 'top', update: 'updateFields', upsert: 'top' } as const;

/** The pixel's fields and list parameters (contract 2.2 and 4.4), one literal each. */
const fields: Field[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Spring campaign',
		description:
			'Name of the pixel. Services commonly allow 32 characters and want each name once.',
		wire: { key: 'name', codec: line, on: onWrites, failsOnMismatch: true },
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		required: true,
		options: types,
		default: 'facebook',
		description: 'The tracking service that the pixel belongs to',
		wire: {
			key: 'type',
			codec: typeCodec,
			on: { ...onWrites, ...onList },
			asFilter: { description: 'Only pixels of this type' },
			currentValue: ({ type }) => {
				const name = typeof type === 'string' ? type.toLowerCase() : type;
				// Newer services call it by its new name.
				return name === 'x' ? 'twitter' : name;
			},
		},
	},
	{
		displayName: 'Tracking ID',
		name: 'value',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. 1234567890',
		description:
			'ID that the tracking service gave, such as the ID of the Meta Pixel or the measurement ID of Google Analytics. Services commonly take up to 255 letters, digits, - and _.',
		wire: { key: 'value', codec: line, on: onWrites },
	},
	searchField('Looks in names'),
	{
		displayName: 'Search By',
		name: 'searchBy',
		type: 'options',
		options: [{ name: 'Name', value: 'name' }],
		default: 'name',
		description: 'The field that Search looks in',
		wire: { key: 'search_by', codec: choice, on: onList },
	},
	sortDirection,
	{
		displayName: 'Sort By',
		name: 'sortBy',
		type: 'options',
		options: [
			{ name: 'Date Created', value: 'id' },
			{ name: 'Name', value: 'name' },
		],
		default: 'id',
		description: 'What the list is ordered by',
		wire: { key: 'sort_by', codec: choice, on: onSorting },
	},
];

const path = '/pixels';

/** All pixels by name. */
export const pixelNames: NameSource = {
	resourceName: 'pixel',
	description: 'pixels of the account',
	path,
	params: newestFirst,
	toNamed: ({ id, name }) => ({ id, name: String(name ?? '') }),
};

/** A pixel, found by its name. */
export const pixelLocator = locatorOf('pixel', 'searchPixels');

/** A pixel that can be named under By ID as well. */
export const pixelFilterLocator = locatorOf('pixel', 'searchPixels', {
	nameHint: 'The ID that the service shows, or the name',
});

/** All that this package knows of pixels (contract 2.2, 4.4 to 4.6). */
export const pixelContract: ResourceContract = {
	name: 'Pixel',
	value: 'pixel',
	path,
	id: {
		displayName: 'Pixel',
		name: 'pixelId',
		required: true,
		...pixelLocator,
		description: 'The pixel to work on, chosen from the list or by its ID',
	},
	key: { searchBy: 'name', uniqueBy: ['name'] },
	matchBy: [
		{
			name: 'ID',
			value: 'id',
			description: 'The pixel with the ID in the ID column. Its name is a value to write.',
		},
		{
			name: 'Name',
			value: 'name',
			description: 'The pixel with the name of the row',
			fields: { searchBy: 'name', uniqueBy: ['name'] },
		},
	],
	operations,
	fields,
	sync: {
		scope: [
			{
				displayName: 'Name Starts With',
				name: 'nameStartsWith',
				type: 'string',
				default: '',
				placeholder: 'e.g. Spring',
				description: 'Only pixels whose name begins so, upper and lower case as written',
				scope: { field: 'name', isPrefix: true },
			},
			{
				displayName: 'Type',
				name: 'type',
				type: 'options',
				options: types,
				default: 'facebook',
				description: 'Only pixels of this type. Rows without a type take it.',
				scope: { field: 'type' },
			},
		],
	},
	output: pixelOutput,
};
