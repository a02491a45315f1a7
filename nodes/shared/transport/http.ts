import type { Method } from '../contract/endpoints';

/** A request without its bearer header, which `Send` adds. */
export interface HttpRequest {
	readonly method: Method;
	readonly url: string;
	readonly headers: Readonly<Record<string, string>>;
	readonly form?: URLSearchParams;
}

/** A response with any status, and its body as text. Header names are in lower case. */
export interface HttpAnswer {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: string;
}

/**
 * Sends one request. Resolves for every status, follows no redirect, and ends the request if the signal aborts.
 *
 * @throws an error with an errno-like `code`, or with a cause that has one, if no complete response arrived
 */
export type Send = (request: HttpRequest, signal: AbortSignal) => Promise<HttpAnswer>;

/** A service: the address of its API, and a function that sends requests to it. */
export interface Service {
	readonly root: string;
	readonly send: Send;
}
