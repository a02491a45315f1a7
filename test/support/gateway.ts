import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

/** A request as it reached the gateway. */
export interface PassedRequest {
	method: string;
	/** Behind `/api/v1`, without query. */
	path: string;
	query: Record<string, string>;
}

/** An answer of the gateway's own; without one the connection hangs. */
export interface OwnAnswer {
	status: number;
	body: unknown;
	headers?: Record<string, string>;
}

/** What a gateway changes. It can be changed while the gateway runs. */
export interface Meddling {
	/** Answers in the service's place; undefined to pass the request on. */
	answer?: (request: PassedRequest) => OwnAnswer | 'drop' | 'hang' | undefined;
	/** Changes the query that is passed on. */
	query?: (query: Record<string, string>, request: PassedRequest) => Record<string, string>;
	/** Changes the JSON of a 200 answer. */
	change?: (body: IDataObject, request: PassedRequest) => unknown;
	/** Told before a request is passed on: something may happen to the links now. */
	before?: (request: PassedRequest) => Promise<void> | void;
	/** Told when its answer has been read, before it is handed over. */
	after?: (request: PassedRequest) => Promise<void> | void;
}

export interface Gateway {
	/** Without a slash at its end. */
	readonly url: string;
	/** In order of arrival. */
	readonly requests: PassedRequest[];
	/** What it changes now. */
	meddling: Meddling;
	stop(): Promise<void>;
}

/** Starts a gateway on a free loopback port: it passes requests on to a service, and meddles with them. */
export async function startGateway(target: string, meddling: Meddling): Promise<Gateway> {
	const requests: PassedRequest[] = [];
	const server = createServer((incoming, outgoing) => {
		void (async () => {
			const { pathname, searchParams } = new URL(incoming.url ?? '', target);
			const request: PassedRequest = {
				method: incoming.method ?? '',
				path: pathname.replace('/api/v1', ''),
				query: Object.fromEntries(searchParams),
			};
			requests.push(request);
			const { answer, before, after, query, change } = gateway.meddling;
			const own = answer?.(request);
			if (own === 'hang') return;
			if (own === 'drop') {
				incoming.socket.destroy();
				return;
			}
			if (own) {
				const text = typeof own.body === 'string' ? own.body : JSON.stringify(own.body);
				outgoing.writeHead(own.status, { 'content-type': 'application/json', ...own.headers });
				outgoing.end(text);
				return;
			}
			await before?.(request);
			const passed = new URLSearchParams(query?.(request.query, request) ?? request.query);
			const url = `${target}${pathname}${passed.size > 0 ? `?${passed}` : ''}`;
			const headers = {
				accept: String(incoming.headers.accept),
				authorization: String(incoming.headers.authorization),
			};
			const response = await fetch(url, { method: request.method, headers });
			const text = await response.text();
			await after?.(request);
			const isChanged = change !== undefined && response.status === 200;
			const body = isChanged ? JSON.stringify(change(JSON.parse(text), request)) : text;
			outgoing.writeHead(response.status, { 'content-type': 'application/json' });
			outgoing.end(body);
		})();
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	const gateway: Gateway = {
		url: `http://127.0.0.1:${port}`,
		requests,
		meddling,
		async stop() {
			server.closeAllConnections();
			await new Promise<void>((resolve) => server.close(() => resolve()));
		},
	};
	return gateway;
}
