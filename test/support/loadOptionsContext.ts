import type { IDataObject, IHttpRequestOptions, ILoadOptionsFunctions } from 'n8n-workflow';
import { nodeLike } from './execution.ts';

/** An answer to a request for a list. */
export interface ListAnswer {
	readonly status?: number;
	readonly body: IDataObject;
}

/** A page of a list, as the service answers it. */
export const pageOf = (data: IDataObject[], current_page = 1, last_page = 1): ListAnswer => ({
	body: { data, meta: { current_page, last_page, total: data.length } },
});

let accounts = 0;

/** Returns a context for the lists of the editor, and the queries that they send. Each context has an account of its own. */
export function loadOptionsContext(answer: (query: URLSearchParams) => ListAnswer) {
	const queries: string[] = [];
	accounts += 1;
	const apiKey = `list-key-${accounts}`;
	const context = {
		getNode: () => nodeLike(),
		getCredentials: async () => ({ baseUrl: 'https://short.example', apiKey }),
		getExecutionCancelSignal: () => undefined,
		helpers: {
			httpRequestWithAuthentication: async (_: string, { url }: IHttpRequestOptions) => {
				const { pathname, search, searchParams } = new URL(url);
				queries.push(`${pathname.replace('/api/v1', '')}${decodeURIComponent(search)}`);
				const { status = 200, body } = answer(searchParams);
				const text = Buffer.from(JSON.stringify(body));
				const stream = (async function* () {
					yield text;
				})();
				return { statusCode: status, headers: {}, body: stream };
			},
		},
	};
	return { context: context as unknown as ILoadOptionsFunctions, queries };
}
