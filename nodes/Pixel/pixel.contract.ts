import { line } from '../shared/contract/codecs/scalar';
import {
	listFields,
	onList,
	operationEntries,
	scopeFields,
} from '../shared/description/tableParts';
import { newestFirst } from '../shared/contract/endpoints';
import type { Field } from '../shared/contract/fieldTypes';
import type { NameSource } from '../shared/contract/types';
import type { ResourceContract } from '../shared/contract/resourceTypes';
import { placesOf } from '../shared/contract/operations';
import { locatorOf } from '../shared/description/locators';
import { pixelOutput } from './pixel.output';
import { typeCodec, types } from './pixel.types';

/** The operations of pixels (contract 4). */
const operations = operationEntries('pixel', {
	create: {
		description: 'Create a tracking pixel that can be attached to links',
		useWhen:
			'Use this to count the visitors of links in a tracking service, such as Meta or Google Analytics. It returns the ID of the pixel, which links need.',
	},
	upsert: {
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		useWhen: 'Use this to make sure that a pixel with a given name exists.',
	},
	delete: {
		description: 'Delete a tracking pixel permanently',
		useWhen: 'Use this only to remove a pixel permanently. It needs the ID.',
	},
	get: {
		description: 'Retrieve a tracking pixel by its ID',
		useWhen: 'Use this to read the name, type or tracking ID of a pixel, if you know its ID.',
	},
	getAll: {
		description: 'Retrieve a list of tracking pixels',
		useWhen: 'Use this to search or list pixels, or to find the ID of a pixel.',
	},
	sync: {
		description: 'Create, update, and keep or delete pixels so that your pixels match your rows',
		useWhen: 'Use this to create or update one pixel of a scope. Other pixels do not change.',
	},
	update: {
		description: 'Update some fields of a tracking pixel',
		useWhen: 'Use this to change the name, type or tracking ID of a pixel. It needs the ID.',
	},
});

/** The places of the fields of a pixel: all are required to create one. */
const places = placesOf('required');

/** The fields and list parameters of pixels (contract 2.2 and 4.4). */
const fields: Field[] = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. Spring campaign',
		description:
			'The name of the pixel. Most services allow up to 32 characters. Each name is unique.',
		wire: { key: 'name', codec: line, on: places, failsIfDifferent: true },
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
			on: { ...places, ...onList },
			stems: ['pixel type'],
			currentValue: ({ type }) => {
				const name = typeof type === 'string' ? type.toLowerCase() : type;
				// Newer services return the new name of Twitter.
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
			'The ID from the tracking service, such as the ID of a Meta Pixel or the measurement ID of Google Analytics. Most services allow up to 255 letters, digits, - and _.',
		wire: { key: 'value', codec: line, on: places, stems: ['measurement id', 'tracking code'] },
	},
	...listFields(
		'Searches names',
		{ options: [{ name: 'Name', value: 'name' }], fallback: 'name' },
		[
			{ name: 'Date Created', value: 'id' },
			{ name: 'Name', value: 'name' },
		],
	),
];

const path = '/pixels';

/** All pixels of the account, by name. */
export const pixelNames: NameSource = {
	resourceName: 'pixel',
	description: 'pixels of the account',
	listedResources: 'pixels',
	path,
	params: newestFirst,
	toNamed: ({ id, name }) => ({ id, name: String(name ?? '') }),
};

/** Selects a pixel from a searchable list or by its ID. */
export const pixelLocator = locatorOf('pixel', 'searchPixels');

/** The same, but By ID also accepts a name. */
export const pixelFilterLocator = locatorOf('pixel', 'searchPixels', {
	nameHint: 'The ID or the name of the pixel',
});

/** The contract table of pixels (contract 2.2, 4.4 to 4.6). */
export const pixelContract: ResourceContract = {
	name: 'Pixel',
	value: 'pixel',
	path,
	id: {
		displayName: 'Pixel',
		name: 'pixelId',
		required: true,
		...pixelLocator,
		description: 'The pixel, chosen from the list or specified by its ID',
	},
	key: { searchBy: 'name', uniqueBy: ['name'] },
	matchBy: [
		{
			name: 'ID',
			value: 'id',
			description: 'The pixel with the ID in the ID column, which gets the name of the item, too',
		},
		{
			name: 'Name',
			value: 'name',
			description: 'The pixel that has the name of the item',
			fields: { searchBy: 'name', uniqueBy: ['name'] },
		},
	],
	operations,
	fields,
	sync: { scope: scopeFields('pixel', fields, 'name') },
	output: pixelOutput,
};
