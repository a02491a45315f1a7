import type { Node } from './workflow.ts';

/** The address of the service, and the credentials of an n8n for it. */
export interface Access {
	service: string;
	link: { id: string; name: string };
	bearer: { id: string; name: string };
}

/** A contestant inside n8n: its name in the results, and its node. */
export interface Contestant {
	name: string;
	node(access: Access): Node;
}

export const thisNode = 'this node';
export const mappedNode = `${thisNode}, columns mapped`;
export const upsertNode = `${thisNode}, Create or Update`;
export const syncNode = `${thisNode}, Sync`;
export const httpRequest = 'HTTP Request';
export const barePool = 'undici pool';

/** n8n's On Error and Retry On Fail settings of a node. */
export type Settings = Pick<Node, 'onError' | 'retryOnFail' | 'maxTries' | 'waitBetweenTries'>;

/** A failed row does not stop the other rows. */
export const continuesOnError: Settings = { onError: 'continueRegularOutput' };

/** In addition, n8n runs a failed node again as often as it allows. */
export const retriesOnFail: Settings = { ...continuesOnError, retryOnFail: true, maxTries: 5 };

/** Returns the Link node. Its output is raw, so that it returns as much of each link as the HTTP Request node does. */
const link = (name: string, parameters: object, settings: Settings = {}): Contestant => ({
	name,
	node: ({ link: credential }) => ({
		type: 'n8n-nodes-link-management.link',
		typeVersion: 1,
		parameters: { resource: 'link', output: 'raw', ...parameters },
		credentials: { linkManagementApi: credential },
		...settings,
	}),
});

/** Returns the built-in HTTP Request node. The parameters can depend on the address of the list of links. */
const http = (
	name: string,
	parametersOf: (links: string) => object,
	settings: Settings = {},
): Contestant => ({
	name,
	node: ({ service, bearer }) => ({
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.5,
		parameters: {
			url: `${service}/api/v1/links`,
			authentication: 'genericCredentialType',
			genericAuthType: 'httpBearerAuth',
			...parametersOf(`${service}/api/v1/links`),
		},
		credentials: { httpBearerAuth: bearer },
		...settings,
	}),
});

/** The only domain of the rows, chosen in the form. */
const domainId = { __rl: true, mode: 'id', value: '1' };

/** Returns Create with expressions. */
export const linkCreate = (options: object, settings?: Settings): Contestant => {
	const values = { url: '={{ $json.url }}', domainId, alias: '={{ $json.alias }}' };
	return link(thisNode, { operation: 'create', ...values, options }, settings);
};

/** Map Automatically, with the fields that the columns fill left empty. */
const mapped = { mappingColumnMode: 'autoMapInputData', url: '', domainId, additionalFields: {} };

/** Returns Create with the columns mapped by their names. */
export const mappedCreate = (options: object): Contestant =>
	link(mappedNode, { operation: 'create', ...mapped, options });

const mappedByAlias = { ...mapped, alias: '', options: {} };

/** Create or Update with the columns mapped. */
export const mappedUpsert = link(
	upsertNode,
	{ operation: 'upsert', ...mappedByAlias },
	continuesOnError,
);

/** Sync of the domain with the columns mapped. */
export const mappedSync = link(
	syncNode,
	{ operation: 'sync', ...mappedByAlias, syncScope: { domainId }, unmatchedLinks: 'keep' },
	continuesOnError,
);

const all = { operation: 'getAll', returnAll: true, filters: {}, options: {} };

/** Get Many with Return All. */
export const linkList = link(thisNode, all);

/** The body of a request of the HTTP Request node. */
const formOf = (fields: Record<string, string>) => ({
	sendBody: true,
	contentType: 'form-urlencoded',
	bodyParameters: { parameters: Object.entries(fields).map(([name, value]) => ({ name, value })) },
});

/** Returns the HTTP Request node with the request of a create. */
export function httpCreate(name: string, options: object = {}, settings?: Settings): Contestant {
	const fields = { url: '={{ $json.url }}', domain_id: '1', alias: '={{ $json.alias }}' };
	return http(name, () => ({ method: 'POST', ...formOf(fields), options }), settings);
}

/** Batches as large as the service's window, with the length of the window between them. */
export const batching = (batchSize: number, windowSeconds: number): object => ({
	batching: { batch: { batchSize, batchInterval: windowSeconds * 1000 } },
});

const pagination = {
	paginationMode: 'updateAParameterInEachRequest',
	parameters: { parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }] },
	paginationCompleteWhen: 'other',
	completeExpression: '={{ $response.body.meta.current_page >= $response.body.meta.last_page }}',
};

/** The HTTP Request node with its own pagination. It outputs one item per page. */
export const httpList = http(httpRequest, () => ({
	sendQuery: true,
	queryParameters: { parameters: [{ name: 'per_page', value: '100' }] },
	options: { pagination: { pagination } },
}));

const [callId, callUrl] = ['{{ $json.body.id }}', '={{ $json.body.url }}'];

/** Update of the link that a webhook call names. */
export const linkUpdate = link(thisNode, {
	operation: 'update',
	linkId: { __rl: true, mode: 'id', value: `=${callId}` },
	updateFields: { url: callUrl },
	options: {},
});

/** The same update. HTTP Request tries as often and waits as long as n8n lets it. */
export const httpUpdate = http(
	`${httpRequest}, Retry On Fail`,
	(links) => ({
		...{ method: 'PUT', url: `=${links}/${callId}` },
		...{ ...formOf({ url: callUrl }), options: {} },
	}),
	{ retryOnFail: true, maxTries: 5, waitBetweenTries: 5000 },
);
