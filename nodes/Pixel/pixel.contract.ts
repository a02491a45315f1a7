import type { INodePropertyOptions } from 'n8n-workflow';
import { choiceByName, line } from '../shared/contract/codecs/scalar';
import { read, simple } from '../shared/contract/readers';
import {
	listFields,
	onList,
	operationEntries,
	scopeFields,
} from '../shared/description/tableParts';
import { newestFirst, placesOf } from '../shared/contract/operations';
import type { NameSource } from '../shared/contract/types';
import type { Field, OutputField, ResourceContract } from '../shared/contract/resourceTypes';
import { locatorOf } from '../shared/description/locators';

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

/** The tracking services of the contract (2.2), under the names of their pixels. */
export const types: INodePropertyOptions[] = [
	{ name: 'AdRoll Pixel', value: 'adroll' },
	{ name: 'Google Ads', value: 'google-ads' },
	{ name: 'Google Analytics', value: 'google-analytics' },
	{ name: 'Google Tag Manager', value: 'google-tag-manager' },
	{ name: 'LinkedIn Insight Tag', value: 'linkedin' },
	{ name: 'Meta Pixel (Facebook)', value: 'facebook' },
	{ name: 'Microsoft UET Tag (Bing)', value: 'bing' },
	{ name: 'Pinterest Tag', value: 'pinterest' },
	{ name: 'Quora Pixel', value: 'quora' },
	{ name: 'X Pixel (Twitter)', value: 'twitter' },
];

/** Encodes a type from its value, its label or another name of the tracking service. */
const typeCodec = choiceByName({
	adroll: 'AdRoll, NextRoll',
	bing: 'Bing, Bing Ads, Bing Pixel, Bing UET, Microsoft, Microsoft Ads, Microsoft Advertising, Microsoft UET, Microsoft UET Tag, UET, UET Tag',
	facebook:
		'Facebook, Facebook Ads, Facebook Pixel, FB, FB Pixel, Meta, Meta Ads, Meta Pixel, Facebook (Meta), Facebook Pixel (Meta), Meta (Facebook)',
	'google-ads': 'AdWords, Google AdWords, Google Ads Tag, Google Ads Pixel',
	'google-analytics': 'Analytics, GA, GA4, Google Analytics 4, Google Analytics (GA4)',
	'google-tag-manager': 'GTM, Tag Manager, Google Tag Manager (GTM)',
	linkedin: 'Insight Tag, LinkedIn, LinkedIn Ads, LinkedIn Insight, LinkedIn Pixel',
	pinterest: 'Pinterest, Pinterest Ads, Pinterest Pixel',
	quora: 'Quora, Quora Ads',
	twitter:
		'Twitter, Twitter Ads, Twitter Pixel, Twitter (X), X, X Ads, X Pixel, X (Twitter), Twitter Pixel (X)',
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

/** The output fields of a pixel (assumption: one resource). */
const output: OutputField[] = [
	simple('id', 'ID of the pixel', read.id('id')),
	simple('name', 'Name of the pixel', read.text('name')),
	simple('type', 'The tracking service that the pixel belongs to', read.text('type')),
	simple('value', 'ID from the tracking service', read.text('value'), 'Tracking ID'),
	simple('createdAt', 'When the pixel was created', read.text('created_at')),
	simple('updatedAt', 'When the pixel was last changed', read.text('updated_at')),
];

const path = '/pixels';

/** All pixels of the account, by name. */
export const pixelNames: NameSource = {
	resourceName: 'pixel',
	description: 'pixels of the account',
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
	output,
};
