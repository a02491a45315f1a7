import type { Method } from '../contract/endpoints';

/** A request on its way out. The bearer header is added by whoever sends it. */
export interface HttpRequest {
	readonly method: Method;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly form?: URLSearchParams;
}

/** An answer with its body as the text that came, whatever its status. Header names are in lower case. */
export interface HttpAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/**
 * Sends one request: n8n's helper in production, undici in tests. Resolves for every status, and follows no redirect. Ends
 * the request if the signal aborts.
 *
 * @throws an error with an errno-like `code`, or with a cause that has one, if no whole answer came
 */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

/** The service to talk to: address of its API, and the way there. */
export interface Service {
	readonly root: string;
	readonly send: Send;
}
