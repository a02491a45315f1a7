/**
 * The oracle: `docs/service-interface.md`, transcribed by hand. It imports nothing, so that an error in the package's own
 * tables cannot repeat itself here. Section numbers are those of that document.
 *
 * The names of node parameters and the places where they stand are this package's own; they are written down here too,
 * because saved workflows depend on them.
 */

/** The operations of the interface that carry fields, under the names that the nodes give them. */
export type SpecOperation = 'create' | 'getAll' | 'update';

/** The operations that the nodes make of those of the interface. Where nothing else is said, they have what create has. */
export type SpecOwnOperation = 'sync' | 'upsert';
export const ownOperations: readonly SpecOwnOperation[] = ['sync', 'upsert'];

/** What is written down by operation. */
type ByOperation<T> = Readonly<Partial<Record<SpecOperation | SpecOwnOperation, T>>>;

export type SpecPlace = 'additionalFields' | 'filters' | 'sorting' | 'top' | 'updateFields';

export interface SpecEndpoint {
	readonly operation: SpecOperation | 'delete' | 'get';
	readonly method: 'DELETE' | 'GET' | 'POST' | 'PUT';
	/** Relative to the base URL. */
	readonly path: string;
}

export interface SpecField {
	/** Name on the wire. */
	readonly key: string;
	/** Name of the node parameter. */
	readonly param: string;
	/** The operations that accept the field, and where the node shows it on each. */
	readonly on: ByOperation<SpecPlace>;
	readonly requiredOnCreate?: true;
	/** Whether the operations of the nodes' own find a resource by it, so that they require it. */
	readonly isKey?: true;
	/** Whether it is sent without the spaces around it. The interface is silent; this is the nodes' own way. */
	readonly isTrimmed?: true;
	/** The only values that are allowed, as they are written on the wire. */
	readonly values?: readonly string[];
	/** The stated default, as it is written on the wire. */
	readonly default?: string;
	/** What the form sends by default, if it differs from the stated default. */
	readonly formDefault?: readonly string[];
	/**
	 * What stands for nothing on an update: the parts of the name behind the key, each with an empty value. The interface is
	 * silent; these are the ways of `docs/service-behavior.md`.
	 */
	readonly empty?: readonly string[];
	/** `key[]` for every entry. */
	readonly array?: true;
	/** `key[index][part]` for every rule. */
	readonly rule?: {
		readonly parts: readonly ('key' | 'value')[];
		/** The allowed rule keys, where they are stated. */
		readonly keys?: readonly string[];
		/** The target type that the rules belong to. */
		readonly targetType: string;
	};
}

export interface SpecResource {
	readonly name: 'link' | 'pixel';
	/** The node parameter whose value stands for `{id}`. */
	readonly idParam: string;
	readonly endpoints: readonly SpecEndpoint[];
	readonly fields: readonly SpecField[];
	/** Parameters of the package's own beside those of the fields, by operation and place. */
	readonly helpers: ByOperation<Readonly<Partial<Record<SpecPlace, readonly string[]>>>>;
	/** The parameters that a scope of Sync is made of. */
	readonly scope: readonly string[];
	/** What Sync can do with the resources of its scope that are in no row; the first one is the default. */
	readonly unmatchedActions: readonly string[];
	/** The choices of Match By: the default, those that need no key of a create, and those by an identifier. */
	readonly matchBy: {
		readonly key: string;
		readonly others: string[];
		readonly identifiers: string[];
	};
}

/** Sections 4.1, 4.4 and 8, smallest first. */
export const pageSizes: readonly number[] = [10, 25, 50, 100];

/** Where the form shows a field: at the top, in a collection, or in those of a list. */
const top = { create: 'top', update: 'updateFields' } as const;
const optional = { create: 'additionalFields', update: 'updateFields' } as const;
const filter = { getAll: 'filters' } as const;
const sorting = { getAll: 'sorting' } as const;

/** Sections 4 and 4.6. */
const endpointsOf = (list: string): SpecEndpoint[] => [
	{ operation: 'getAll', method: 'GET', path: list },
	{ operation: 'get', method: 'GET', path: `${list}/{id}` },
	{ operation: 'create', method: 'POST', path: list },
	{ operation: 'update', method: 'PUT', path: `${list}/{id}` },
	{ operation: 'delete', method: 'DELETE', path: `${list}/{id}` },
];

/** The parts of a rule with a key, and the params that clear such rules. */
const keyedRules = (targetType: string, keys?: readonly string[]) =>
	({
		rule: { parts: ['key', 'value'], targetType, keys },
		empty: ['[0][key]', '[0][value]'],
	}) as const;

/** Section 2.2. */
const pixelTypes = [
	...['adroll', 'bing', 'facebook', 'google-ads', 'google-analytics', 'google-tag-manager'],
	...['linkedin', 'pinterest', 'quora', 'twitter'],
];

/** Section 2.1. */
const platforms = ['iOS', 'Android', 'Windows', 'OS X', 'Linux', 'Ubuntu', 'Chrome OS'];

/** Section 4.1. */
const linkFilters: readonly SpecField[] = [
	{ key: 'search', param: 'search', on: filter },
	{
		key: 'search_by',
		param: 'searchBy',
		on: filter,
		values: ['title', 'alias', 'url'],
		default: 'title',
		formDefault: ['alias'],
	},
	{ key: 'status', param: 'status', on: filter, values: ['0', '1', '2', '3'], default: '0' },
	{ key: 'pixel_id', param: 'pixelId', on: filter },
	{
		key: 'sort_by',
		param: 'sortBy',
		on: sorting,
		values: ['id', 'clicks', 'title', 'alias', 'url'],
		default: 'id',
	},
	{ key: 'sort', param: 'sort', on: sorting, values: ['desc', 'asc'], default: 'desc' },
];

/** Sections 2.1 and 4.1 to 4.3. */
export const link: SpecResource = {
	name: 'link',
	idParam: 'linkId',
	endpoints: endpointsOf('/api/v1/links'),
	fields: [
		{ key: 'url', param: 'url', on: top, requiredOnCreate: true },
		// Accepted on create only (2.1, 4.3); as a filter in 4.1.
		{
			key: 'domain_id',
			param: 'domainId',
			on: { create: 'top', sync: 'additionalFields', getAll: 'filters' },
		},
		{ key: 'alias', param: 'alias', on: top, isKey: true, isTrimmed: true },
		{ key: 'password', param: 'password', on: optional, empty: [''] },
		{
			key: 'space_id',
			param: 'spaceId',
			on: { create: 'additionalFields', update: 'updateFields', getAll: 'filters' },
			empty: [''],
		},
		{ key: 'pixel_ids', param: 'pixelIds', on: optional, array: true, empty: ['[]'] },
		{ key: 'disabled', param: 'disabled', on: optional, values: ['0', '1'], default: '0' },
		{ key: 'privacy', param: 'privacy', on: optional, values: ['0', '1', '2'], default: '0' },
		{ key: 'privacy_password', param: 'privacyPassword', on: optional, empty: [''] },
		{ key: 'expiration_url', param: 'expirationUrl', on: optional, empty: [''] },
		{
			// The node sends `expiration_date` and `expiration_time` together.
			key: 'expiration',
			param: 'expiration',
			on: optional,
			empty: ['_date', '_time'],
		},
		{ key: 'expiration_clicks', param: 'expirationClicks', on: optional, empty: [''] },
		{
			key: 'target_type',
			param: 'targetType',
			on: optional,
			// 3 = Language is an assumption: the contract has language rules, but lists no target type for them.
			values: ['0', '1', '2', '3', '4'],
		},
		{ key: 'country', param: 'country', on: optional, ...keyedRules('1') },
		{ key: 'platform', param: 'platform', on: optional, ...keyedRules('2', platforms) },
		{ key: 'language', param: 'language', on: optional, ...keyedRules('3') },
		{
			key: 'rotation',
			param: 'rotation',
			on: optional,
			rule: { parts: ['value'], targetType: '4' },
			empty: ['[0][value]'],
		},
		...linkFilters,
	],
	helpers: {
		create: { additionalFields: ['utm'] },
		update: { top: ['clearFields'], updateFields: ['pixelMode', 'utm'] },
	},
	scope: ['aliasStartsWith', 'domainId', 'spaceId'],
	unmatchedActions: ['disable', 'delete', 'keep'],
	matchBy: { key: 'alias', others: ['url'], identifiers: ['id'] },
};

/** Sections 2.2, 4.4 and 4.5. */
export const pixel: SpecResource = {
	name: 'pixel',
	idParam: 'pixelId',
	endpoints: endpointsOf('/api/v1/pixels'),
	fields: [
		{ key: 'name', param: 'name', on: top, requiredOnCreate: true, isKey: true, isTrimmed: true },
		{
			key: 'type',
			param: 'type',
			on: { create: 'top', update: 'updateFields', getAll: 'filters' },
			requiredOnCreate: true,
			values: pixelTypes,
		},
		{ key: 'value', param: 'value', on: top, requiredOnCreate: true, isTrimmed: true },
		{ key: 'search', param: 'search', on: filter },
		{ key: 'search_by', param: 'searchBy', on: filter, values: ['name'], default: 'name' },
		{ key: 'sort_by', param: 'sortBy', on: sorting, values: ['id', 'name'], default: 'id' },
		{ key: 'sort', param: 'sort', on: sorting, values: ['desc', 'asc'], default: 'desc' },
	],
	helpers: {},
	matchBy: { key: 'name', others: [], identifiers: ['id'] },
	scope: ['nameStartsWith', 'type'],
	unmatchedActions: ['keep', 'delete'],
};

/** What holds for an operation; undefined where there is nothing. */
export function entryFor<T>(
	entries: ByOperation<T>,
	operation: SpecEndpoint['operation'] | SpecOwnOperation,
): T | undefined {
	if (operation === 'get' || operation === 'delete') return undefined;
	const isOwn = operation === 'sync' || operation === 'upsert';
	return entries[operation] ?? (isOwn ? entries.create : undefined);
}

/** The fields of a resource that an operation accepts, in no order that matters. */
export function fieldsOn(resource: SpecResource, operation: SpecOperation): SpecField[] {
	return resource.fields.filter((field) => field.on[operation] !== undefined);
}
