import type { Node } from './workflow.ts';

/** Where the service is, and the credentials of an n8n for it. */
export interface Access {
	service: string;
	link: { id: string; name: string };
	bearer: { id: string; name: string };
}

/** A contestant inside n8n: its name in the results, and its node for a given n8n. */
export interface Contestant {
	name: string;
	node(access: Access): Node;
}

export const thisNode = 'this node';
export const httpRequest = 'HTTP Request';
export const barePool = 'undici pool';

type Settings = Pick<Node, 'onError' | 'retryOnFail' | 'maxTries'>;

const link = (
	parameters: Record<string, unknown>,
	{ link: credential }: Access,
	settings: Settings = {},
): Node => ({
	type: 'n8n-nodes-link-management.link',
	typeVersion: 1,
	// As much of each link as the HTTP Request node returns.
	parameters: { resource: 'link', output: 'raw', ...parameters },
	credentials: { linkManagementApi: credential },
	...settings,
});

const http = (
	parameters: Record<string, unknown>,
	{ service, bearer }: Access,
	settings: Settings = {},
): Node => ({
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.5,
	parameters: {
		url: `${service}/api/v1/links`,
		authentication: 'genericCredentialType',
		genericAuthType: 'httpBearerAuth',
		...parameters,
	},
	credentials: { httpBearerAuth: bearer },
	...settings,
});

/** This package's Create, with what the scenario sets under Options. */
export const linkCreate = (options: object, settings?: Settings): Contestant => ({
	name: thisNode,
	node: (access) =>
		link(
			{
				operation: 'create',
				url: '={{ $json.url }}',
				domainId: { __rl: true, mode: 'id', value: '1' },
				additionalFields: { alias: '={{ $json.alias }}' },
				options,
			},
			access,
			settings,
		),
});

/** The built-in node, set up for the same request. */
export const httpCreate = (
	name: string,
	options: object = {},
	settings?: Settings,
): Contestant => ({
	name,
	node: (access) =>
		http(
			{
				method: 'POST',
				sendBody: true,
				contentType: 'form-urlencoded',
				bodyParameters: {
					parameters: [
						{ name: 'url', value: '={{ $json.url }}' },
						{ name: 'domain_id', value: '1' },
						{ name: 'alias', value: '={{ $json.alias }}' },
					],
				},
				options,
			},
			access,
			settings,
		),
});

/** Batches as large as the service's window, each as long after the other as the window lasts. */
export const batching = (batchSize: number, windowSeconds: number): object => ({
	batching: { batch: { batchSize, batchInterval: windowSeconds * 1000 } },
});

/** This package's Get Many with Return All. */
export const linkList = (): Contestant => ({
	name: thisNode,
	node: (access) =>
		link({ operation: 'getAll', returnAll: true, filters: {}, options: {} }, access),
});

/** The built-in node with its own pagination. It returns one item for each page, with the links inside. */
export const httpList = (): Contestant => ({
	name: httpRequest,
	node: (access) =>
		http(
			{
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'per_page', value: '100' }] },
				options: {
					pagination: {
						pagination: {
							paginationMode: 'updateAParameterInEachRequest',
							parameters: {
								parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
							},
							paginationCompleteWhen: 'other',
							completeExpression:
								'={{ $response.body.meta.current_page >= $response.body.meta.last_page }}',
						},
					},
				},
			},
			access,
		),
});
