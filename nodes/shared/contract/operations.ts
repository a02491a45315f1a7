/** The collections of the form that contain optional fields. */
export type CollectionName = 'additionalFields' | 'filters' | 'sorting' | 'updateFields';

/** Where the form shows a field: as a parameter of its own, or in a collection. */
export type FormPlace = 'top' | CollectionName;

/** The endpoints that each resource has (contract 4). */
export type Endpoint = 'create' | 'delete' | 'get' | 'list' | 'update';

/**
 * Kinds of fields, as an operation shows them:
 * - `required`: each create needs the field
 * - `key`: the field finds the resource, and a create does without it
 * - `createOnly`: the field never changes after the create (contract 4.3)
 * - `optional`: any other field that is written
 * - `filter`, `sorting`: query parameters of a list (contract 4.1, 4.4)
 */
type FieldKind = 'createOnly' | 'filter' | 'key' | 'optional' | 'required' | 'sorting';

/** The outcomes of rows, in the order of the summary. */
export const outcomes = [
	...(['created', 'updated', 'unchanged', 'disabled', 'enabled'] as const),
	...(['deleted', 'missing', 'refused', 'read'] as const),
] as const;

export type Outcome = (typeof outcomes)[number];

/** Everything that the layers need to know about an operation, apart from its code and its texts. */
export interface Operation {
	/** The endpoints that it calls. If there are several, it reads from the first and writes to the others. */
	readonly endpoints: readonly [Endpoint, ...Endpoint[]];
	/** How a row identifies its resource: by ID, by alias or name, by the filters of a list, or by alias or name in a scope. */
	readonly addressedBy: 'id' | 'key' | 'list' | 'scope';
	/** Whether a row creates a resource; with `ifMissing` only if the row finds none. */
	readonly creates?: 'always' | 'ifMissing';
	/** Whether a row changes some fields of a resource that exists, and leaves the others as they are. */
	readonly isPartial?: true;
	/** Whether a row deletes a resource, so that the output has no resource. */
	readonly deletes?: true;
	/** Whether it disables a resource; false if it enables it. Undefined if its rows decide. */
	readonly disables?: boolean;
	/** Whether it returns the QR code of the resource. */
	readonly drawsQrCode?: true;
	/** Whether the columns of a row can fill its fields, or the fields of Match By. */
	readonly acceptsColumns?: true;
	/**
	 * Whether Match By finds the resources of the rows: of all rows, or with `ifMapped` only if columns fill the fields. These
	 * resources must exist.
	 */
	readonly matchBy?: 'always' | 'ifMapped';
	/** Where the form shows the fields of each kind. */
	readonly places: Readonly<Partial<Record<FieldKind, FormPlace>>>;
	/**
	 * The outcomes that an output item can have in its `outcome` field; undefined if it has no such field. The first one is that
	 * of an update.
	 */
	readonly outcomes?: readonly Outcome[];
	/** The operation to suggest if this operation refuses a row because its resource exists. */
	readonly ifExists?: string;
}

const reconciled = ['updated', 'created', 'unchanged'] as const;

/** An update of the field that disables a resource. Columns only find the resource. */
const switching = {
	endpoints: ['update'],
	addressedBy: 'id',
	acceptsColumns: true,
	matchBy: 'ifMapped',
	places: {},
} as const satisfies Operation;

const table = {
	create: {
		endpoints: ['create'],
		addressedBy: 'key',
		creates: 'always',
		acceptsColumns: true,
		places: { required: 'top', key: 'top', createOnly: 'top', optional: 'additionalFields' },
		ifExists: 'upsert',
	},
	delete: { endpoints: ['delete'], addressedBy: 'id', deletes: true, places: {} },
	disable: { ...switching, disables: true, outcomes: ['disabled', 'unchanged'] },
	enable: { ...switching, disables: false, outcomes: ['enabled', 'unchanged'] },
	get: { endpoints: ['get'], addressedBy: 'id', places: {} },
	getAll: {
		endpoints: ['list'],
		addressedBy: 'list',
		places: { filter: 'filters', sorting: 'sorting' },
	},
	getQrCode: { endpoints: ['get'], addressedBy: 'id', drawsQrCode: true, places: {} },
	sync: {
		endpoints: ['list', 'create', 'update', 'delete'],
		addressedBy: 'scope',
		creates: 'ifMissing',
		acceptsColumns: true,
		matchBy: 'always',
		// The scope gives new resources the fields that never change.
		places: {
			required: 'top',
			key: 'top',
			createOnly: 'additionalFields',
			optional: 'additionalFields',
		},
		outcomes: [...reconciled, 'disabled', 'deleted', 'missing'],
	},
	update: {
		endpoints: ['update'],
		addressedBy: 'id',
		isPartial: true,
		acceptsColumns: true,
		matchBy: 'ifMapped',
		places: { required: 'updateFields', key: 'updateFields', optional: 'updateFields' },
	},
	upsert: {
		endpoints: ['list', 'create', 'update'],
		addressedBy: 'key',
		creates: 'ifMissing',
		acceptsColumns: true,
		matchBy: 'always',
		places: { required: 'top', key: 'top', createOnly: 'top', optional: 'additionalFields' },
		outcomes: reconciled,
	},
} as const satisfies Record<string, Operation>;

/** The table, with what each operation has as literal types. */
export type OperationTable = typeof table;

export type OperationName = keyof OperationTable;

/** The operations by name. What each one does is in the file of the same name in `operations`. */
export const operationTable: Readonly<Record<OperationName, Operation>> = table;

const names = Object.keys(table) as OperationName[];

/** Returns whether an operation writes, so that a dry run can preview it. */
export const writes = ({ endpoints }: Operation): boolean =>
	endpoints.some((endpoint) => endpoint !== 'get' && endpoint !== 'list');

/** Returns the names of the operations that `has` selects, in alphabetical order. */
export const operationsWith = (has: (operation: Operation) => unknown): OperationName[] =>
	names.filter((name) => has(operationTable[name]));

/** Returns where each operation that has fields of a kind shows them. */
export const placesOf = (kind: FieldKind): Readonly<Partial<Record<OperationName, FormPlace>>> =>
	Object.fromEntries(
		operationsWith(({ places }) => places[kind]).map((name) => [
			name,
			operationTable[name].places[kind],
		]),
	);

/** Returns a function that returns whether an operation has what its entry of the table shows. */
const where =
	(has: (operation: Operation) => boolean) =>
	(name: OperationName): boolean =>
		has(operationTable[name]);

/** Whether an operation compares a row with the resource that exists, and writes only the fields that differ. */
export const comparesFirst = where(({ creates }) => creates === 'ifMissing');

/** Whether the columns of a row can fill its fields. */
export const takesColumns = where(({ acceptsColumns }) => acceptsColumns === true);

/** Whether an operation changes some fields of a resource, and leaves the others as they are. */
export const isPartial = where((operation) => operation.isPartial === true);

/** Whether an operation changes a resource that must exist. */
export const changesExisting = where(({ matchBy }) => matchBy === 'ifMapped');

/** Whether an operation compares all resources of a scope with the rows. */
export const hasScope = where(({ addressedBy }) => addressedBy === 'scope');

/** Whether an operation returns resources, and not only their outcome. */
export const returnsResources = where(({ deletes }) => !deletes);

export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** A name and value of a query or form. */
export type Param = readonly [name: string, text: string];

/** Method and path of the five endpoints that each resource has (contract 4). */
const endpoints: Readonly<Record<Endpoint, { method: Method; hasId: boolean }>> = {
	create: { method: 'POST', hasId: false },
	delete: { method: 'DELETE', hasId: true },
	get: { method: 'GET', hasId: true },
	list: { method: 'GET', hasId: false },
	update: { method: 'PUT', hasId: true },
};

/** Returns method and path of an endpoint. By default, the path has `{id}` for the resource's ID. */
export function endpointOf({ path }: { readonly path: string }, endpoint: Endpoint, id = '{id}') {
	const { method, hasId } = endpoints[endpoint];
	return { method, path: hasId ? `${path}/${id}` : path };
}

/**
 * Returns the request for an endpoint.
 *
 * @param params query of a GET, or form of a POST or PUT
 * @param id the resource's ID, which the path has percent-encoded
 */
export const apiRequest = (
	contract: { readonly path: string },
	endpoint: Endpoint,
	params: readonly Param[],
	id = '',
) => ({ ...endpointOf(contract, endpoint, encodeURIComponent(id)), params });

/** A request without base URL and headers. Its path is below the API prefix. */
export type ApiRequest = Readonly<ReturnType<typeof apiRequest>>;

/** The page sizes of all lists, in ascending order (contract 8). */
export const pageSizes = [10, 25, 50, 100] as const;

export const maxPageSize = pageSizes[3];

/** Query parameters of a page. No contract table contains `page` (assumption: page parameter). */
export const pageKeys = { size: 'per_page', number: 'page' } as const;

/** Contract keys of the search text and the field to search (contract 4.1 and 4.4). */
export const searchKeys = { text: 'search', by: 'search_by' } as const;

/** Returns the params that search a list for a text in the field of a contract key. */
export const searchParams = (key: string, text: string): Param[] => [
	[searchKeys.text, text],
	[searchKeys.by, key],
];

/** Contract keys of the sort field and the sort direction (contract 4.1 and 4.4). */
export const sortKeys = { by: 'sort_by', direction: 'sort' } as const;

/** The only sort order that stays stable while resources are created (assumption: stable order). */
export const newestFirst: readonly Param[] = [
	['sort_by', 'id'],
	['sort', 'desc'],
];
