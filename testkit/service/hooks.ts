import type { IncomingMessage, ServerResponse } from 'node:http';
import { json } from './answers.ts';
import { deliver } from './delivery.ts';
import type { Form } from './form.ts';

/** A request as hooks see it. */
export interface HookedRequest {
	method: string;
	/** Below `/api/v1`, without query. */
	path: string;
	query: Record<string, string>;
	/** As sent, with percent encoding decoded. */
	body: string;
}

/** A response that replaces the service's own response. A text body is sent unchanged, any other body as JSON. */
export interface HookedAnswer {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/** The outcome of a request: a response, a response that the function writes, a closed connection, or no response. */
export type Reaction = HookedAnswer | 'drop' | 'hang' | ((response: ServerResponse) => void);

/** Functions that change the responses of the service. */
export interface Hooks {
	/** Returns the response to a request; undefined to let the service process the request. */
	answer?(request: HookedRequest): Promise<Reaction | undefined> | Reaction | undefined;
	/** Changes the query before the service reads it. */
	query?(query: Form, request: HookedRequest): Form;
	/** Changes the form before the service reads it. */
	form?(form: Form, request: HookedRequest): Form;
	/** Changes the JSON of a response with status 200 or 201. */
	change?(body: Form, request: HookedRequest): unknown;
	/** Runs before the service carries a request out. */
	before?(request: HookedRequest): Promise<void> | void;
	/** Runs after the request is processed, before the response is sent. */
	after?(request: HookedRequest): Promise<void> | void;
}

/** Returns a request as hooks see it. */
export function hookedRequest(
	{ method = '', url = '' }: IncomingMessage,
	body: string,
): HookedRequest {
	const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
	return {
		method,
		path: pathname.replace('/api/v1', ''),
		query: Object.fromEntries(searchParams),
		body: decodeURIComponent(body.replaceAll('+', ' ')),
	};
}

/** Sends the response of a hook. */
export function deliverReaction(response: ServerResponse, reaction: Reaction): void {
	if (typeof reaction === 'function') reaction(response);
	else if (typeof reaction === 'string') deliver(response, { kind: reaction });
	else {
		const { status = 200, headers = {}, body = null } = reaction;
		const answer = json(status, body, headers);
		if (typeof body === 'string') answer.payload = body;
		deliver(response, { kind: 'answer', answer });
	}
}
