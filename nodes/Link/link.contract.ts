import type { INodeProperties } from 'n8n-workflow';
import { comparableUrl, url } from '../shared/contract/codecs/url';
import { choice, flag, integer, line, secret } from '../shared/contract/codecs/scalar';
import { isNumber, isRecord, isTextual, isUnset } from '../shared/contract/values';
import { id, idList } from '../shared/contract/codecs/id';
import {
	listFields,
	onList,
	operationEntries,
	scopeFields,
} from '../shared/description/tableParts';
import type { NameSource, Resource } from '../shared/contract/types';
import type { Field, Wire, ResourceContract } from '../shared/contract/resourceTypes';
import { placesOf } from '../shared/contract/operations';
import { pixelFilterLocator, pixelNames } from '../Pixel/pixel.contract';
import { completeLink, generateAlias } from './fields/complete';
import { expiration } from './fields/expiration';
import { compareDestination, destinationSearchTexts, utm } from './fields/destination';
import { shortUrl } from './fields/shortUrl';
import { ruleFields, targetType } from './fields/targeting';
import { withHeadings } from './link.headings';
import {
	domainLocator,
	domainNames,
	linkLocator,
	linkPath,
	spaceLocator,
	spaceNames,
} from './link.locators';
import { linkOutput, linkQrCode } from './link.output';

/** The operations of links (contract 4). */
const operations = operationEntries('link', {
	create: {
		description: 'Create a short link that points to a destination URL',
		useWhen: 'Use this to shorten, brand or track a URL. It returns the short URL.',
	},
	upsert: {
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		useWhen: 'Use this to make sure that a link with a given alias exists.',
	},
	delete: {
		description: 'Delete a link permanently',
		useWhen:
			'Use this only if the short URL must stop working forever. To switch it off, use Disable.',
	},
	disable: {
		description: 'Disable a link so that its short URL stops redirecting',
		useWhen: 'Use this to switch a link off. It changes nothing else, and Enable reverses it.',
	},
	enable: {
		description: 'Enable a link that is disabled',
		useWhen:
			'Use this to switch a link on again. It changes nothing else: an expired link stays expired.',
	},
	get: {
		description: 'Retrieve a link by its ID, short URL or alias',
		useWhen:
			'Use this to read a link, such as its clicks. It needs the ID, the short URL or the alias.',
	},
	getAll: {
		description: 'Retrieve a list of links',
		useWhen: 'Use this to search or list links, or to find the ID of a link.',
	},
	getQrCode: {
		action: 'Get QR code of link',
		description: 'Create a QR code of a link, or of any short URL without a request',
		useWhen:
			'Use this to get a QR code. It needs the ID, the short URL or the alias. It returns the code only if its Format is SVG Text.',
	},
	sync: {
		description: 'Create, update, and disable or delete links so that your links match your rows',
		useWhen: 'Use this to create or update one link of a scope. Other links do not change.',
	},
	update: {
		description: 'Update some fields of a link',
		useWhen:
			'Use this to change fields of a link. It needs the ID, the short URL or the alias. To switch a link off, use Disable.',
	},
});

/** Returns how a link shows a related resource, and how its ID is encoded and compared. */
function related(name: 'domain' | 'space', nameSource: NameSource) {
	const currentId = ({ [name]: shown }: Resource): unknown => (isRecord(shown) ? shown.id : shown);
	return {
		codec: id,
		nameSource,
		currentValue: currentId,
		storedAs: ([value]) => ({ [name]: value ? { id: value[1] } : null }),
		// A name in place of the ID decides nothing.
		compare: (link, [[, sent] = ['', '']]) => {
			const shown = currentId(link);
			const text = isTextual(shown) ? String(shown).trim() : '';
			return text !== '' && isNumber(text) !== isNumber(sent) ? 'unknown' : undefined;
		},
	} satisfies Partial<Wire>;
}

/** The IDs of the attached pixels. A link does not show them if one of them cannot be read. */
const pixelIds = {
	nameSource: pixelNames,
	currentValue: ({ pixels }) => {
		if (!Array.isArray(pixels)) return undefined;
		const ids = pixels.map((pixel: unknown) => (isRecord(pixel) ? pixel.id : pixel));
		return ids.some(isUnset) ? undefined : ids;
	},
} satisfies Partial<Wire>;

/** The pixels of a link, as the form shows them. n8n's lint requires this label. */
const pixelsProperty: INodeProperties = {
	displayName: 'Pixel Names or IDs',
	name: 'pixelIds',
	type: 'multiOptions',
	typeOptions: { loadOptionsMethod: 'getPixels' },
	default: [],
	description:
		'Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>',
};

/** How an update combines its pixels with the pixels of the link. */
const pixelMode: INodeProperties = {
	displayName: 'Pixel Mode',
	name: 'pixelMode',
	type: 'options',
	options: [
		{ name: 'Add', value: 'add', description: 'Attach these pixels and keep the others' },
		{ name: 'Remove', value: 'remove', description: 'Detach these pixels and keep the others' },
		{ name: 'Replace', value: 'replace', description: 'Attach these pixels and detach the others' },
	],
	default: 'replace',
	description: 'How to combine these pixels with the pixels of the link',
};

/** Wires of optional fields: a field that an update can clear, and a field that decides who may open the link. */
const clearable = { on: placesOf('optional'), empty: [''], createDefault: '' };
const decisive = { on: placesOf('optional'), failsIfDifferent: true } as const;
const password = { ...clearable, ...decisive, codec: secret };

/**
 * The fields and list parameters of links (contract 2.1 and 4.1). Only the descriptions mention max lengths and allowed
 * characters, because the service decides about them (assumption: limits).
 */
const fields: Field[] = [
	{
		displayName: 'Destination URL',
		name: 'url',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. https://example.com/page',
		description: 'The URL that the link redirects to, including https://',
		wire: {
			key: 'url',
			codec: url,
			on: placesOf('required'),
			comparable: comparableUrl,
			searchTexts: destinationSearchTexts,
			compare: compareDestination,
			failsIfDifferent: true,
		},
	},
	{
		displayName: 'Domain',
		name: 'domainId',
		...domainLocator,
		description: 'The domain of the link. Most services require it. You cannot change it later.',
		wire: {
			key: 'domain_id',
			...related('domain', domainNames),
			on: { ...placesOf('createOnly'), ...onList },
		},
	},
	{
		displayName: 'Alias',
		name: 'alias',
		type: 'string',
		default: '',
		placeholder: 'e.g. spring-sale',
		description: 'The last part of the short URL, generated if empty',
		wire: { key: 'alias', codec: line, on: placesOf('key'), failsIfDifferent: true },
	},
	...ruleFields.values(),
	{
		displayName: 'Disabled',
		name: 'disabled',
		type: 'boolean',
		default: false,
		description: 'Whether to disable the link',
		wire: { ...decisive, key: 'disabled', codec: flag, createDefault: '0' },
	},
	expiration,
	{
		displayName: 'Expiration Clicks',
		name: 'expirationClicks',
		type: 'number',
		default: 0,
		description: 'Clicks after which the link expires',
		wire: { ...clearable, key: 'expiration_clicks', codec: integer, createDefault: '0' },
	},
	{
		displayName: 'Expiration Redirect URL',
		name: 'expirationUrl',
		type: 'string',
		default: '',
		placeholder: 'e.g. https://example.com/over',
		description: 'Where the link redirects after it expires',
		wire: { ...clearable, key: 'expiration_url', codec: url, comparable: comparableUrl },
	},
	{
		displayName: 'Password',
		name: 'password',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The password for visitors',
		wire: { ...password, key: 'password', shownAs: 'hasPassword' },
	},
	{
		displayName: 'Pixel',
		name: 'pixelId',
		...pixelFilterLocator,
		description: 'Only links with this pixel',
		wire: { ...pixelIds, key: 'pixel_id', codec: id, on: onList },
	},
	{
		...pixelsProperty,
		displayName: 'Pixels',
		wire: {
			key: 'pixel_ids',
			...clearable,
			...pixelIds,
			codec: idList,
			formLabel: pixelsProperty.displayName,
			empty: ['[]'],
			storedAs: (values) => ({ pixels: values.map(([, id]) => ({ id })) }),
			merge: pixelMode,
		},
	},
	{
		displayName: 'Statistics Privacy',
		name: 'privacy',
		type: 'options',
		options: [
			{ name: 'Password', value: 2, description: 'Visitors who enter the statistics password' },
			{ name: 'Private', value: 1, description: 'Only the account that owns the link' },
			{ name: 'Public', value: 0, description: 'All visitors' },
		],
		default: 0,
		description: 'Who can see the statistics',
		wire: { ...decisive, key: 'privacy', codec: choice, createDefault: '0' },
	},
	{
		displayName: 'Statistics Password',
		name: 'privacyPassword',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'The password, if Statistics Privacy is Password',
		wire: { ...password, key: 'privacy_password', shownAs: 'hasPrivacyPassword' },
	},
	...listFields(
		'Searches aliases unless you set Search By',
		{
			options: [
				{ name: 'Alias', value: 'alias' },
				{ name: 'Destination URL', value: 'url' },
				{ name: 'Title', value: 'title' },
			],
			fallback: 'alias',
		},
		[
			{ name: 'Alias', value: 'alias' },
			{ name: 'Clicks', value: 'clicks' },
			{ name: 'Date Created', value: 'id' },
			{ name: 'Destination URL', value: 'url' },
			{ name: 'Title', value: 'title' },
		],
	),
	{
		displayName: 'Space',
		name: 'spaceId',
		...spaceLocator,
		wire: {
			key: 'space_id',
			...related('space', spaceNames),
			on: { ...placesOf('optional'), ...onList },
			empty: [''],
		},
	},
	{
		displayName: 'Status',
		name: 'status',
		type: 'options',
		options: [
			{ name: 'Active', value: 1 },
			{ name: 'All', value: 0 },
			{ name: 'Disabled', value: 3 },
			{ name: 'Expired', value: 2 },
		],
		default: 0,
		description: 'Only links with this status',
		wire: { key: 'status', codec: choice, on: onList },
	},
	targetType,
];

/** The contract table of links (contract 2.1, 4.1 to 4.3, 4.6). */
export const linkContract: ResourceContract = {
	name: 'Link',
	value: 'link',
	path: linkPath,
	id: {
		displayName: 'Link',
		name: 'linkId',
		required: true,
		...linkLocator,
		description: 'The link, by its ID, short URL or alias',
	},
	key: {
		searchBy: 'alias',
		uniqueBy: ['alias', 'domain_id'],
		address: 'short_url',
		generatedBy: generateAlias.displayName,
	},
	matchBy: [
		{
			name: 'Alias',
			value: 'alias',
			description: 'The link that has the alias and the domain of the item',
			fields: { searchBy: 'alias', uniqueBy: ['alias', 'domain_id'] },
		},
		{
			name: 'Destination URL',
			value: 'url',
			description: 'The only link with the destination URL of the item, which gets its alias, too',
			fields: { searchBy: 'url', uniqueBy: ['url', 'domain_id'] },
		},
		{
			name: 'ID',
			value: 'id',
			description: 'The link with the ID in the ID column, which gets the alias of the item, too',
		},
	],
	operations,
	fields: [...fields.map(withHeadings), utm],
	options: [generateAlias, linkQrCode.outputField],
	complete: completeLink,
	disabledField: 'disabled',
	sync: { scope: scopeFields('link', fields, 'alias') },
	address: shortUrl,
	qrCode: linkQrCode,
	output: linkOutput,
};
