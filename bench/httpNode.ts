import { httpRequest, only, type Access, type Contestant, type Settings } from './contestants.ts';
import type { Node } from './workflow.ts';

export const http = (
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

/** The built-in node, set up for the same request. */
export const httpCreate = (
	name: string,
	options: object = {},
	settings?: Settings,
): Contestant => ({
	name,
	steps: (access) =>
		only(
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
		),
});

/** Batches as large as the service's window, each as long after the other as the window lasts. */
export const batching = (batchSize: number, windowSeconds: number): object => ({
	batching: { batch: { batchSize, batchInterval: windowSeconds * 1000 } },
});

/** The built-in node with its own pagination. It returns one item for each page, with the links inside. */
export const httpPages = (access: Access, settings?: Settings): Node =>
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
		settings,
	);

export const httpList = (): Contestant => ({
	name: httpRequest,
	steps: (access) => only(httpPages(access)),
});
