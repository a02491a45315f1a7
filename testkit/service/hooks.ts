import type { IncomingMessage, ServerResponse } from 'node:http';
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

/** An answer in the service's place. A body that is a text is sent as it is, any other as JSON. */
export interface HookedAnswer {
	status?: number;
	headers?: Record<string, string>;
	body?: unknown;
	/** Milliseconds between the characters of the body. By default the body is sent at once. */
	drip?: number;
}

/** What becomes of a request: an answer, an answer that the function writes, a closed connection, or no answer ever. */
export type Reaction = HookedAnswer | 'drop' | 'hang' | ((response: ServerResponse) => void);

/** Makes the service answer something else than it was asked. The control route has no hooks: they are functions. */
export interface Hooks {
	/** Answers in the service's place. Returns undefined to let the service carry the request out. */
	answer?(request: HookedRequest): Promise<Reaction | undefined> | Reaction | undefined;
	/** Changes the query before the service reads it. */
	query?(query: Form, request: HookedRequest): Form;
	/** Changes the JSON of an answer with status 200. */
	change?(body: Form, request: HookedRequest): unknown;
	/** Runs before the service carries a request out. */
	before?(request: HookedRequest): Promise<void> | void;
	/** Runs after it, before the answer leaves. */
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

/** Writes the answer of a hook. Stops if the connection is closed. */
export async function writeReaction(response: ServerResponse, reaction: Reaction): Promise<void> {
	if (reaction === 'hang') return;
	if (reaction === 'drop') {
		response.socket?.destroy();
		return;
	}
	if (typeof reaction === 'function') {
		reaction(response);
		return;
	}
	const { status = 200, headers = {}, body, drip } = reaction;
	const payload = typeof body === 'string' ? body : JSON.stringify(body ?? null);
	const length = String(Buffer.byteLength(payload));
	response.writeHead(status, {
		'content-type': 'application/json',
		'content-length': length,
		...headers,
	});
	for (const part of drip === undefined ? [payload] : payload) {
		if (response.destroyed) return;
		response.write(part);
		if (drip !== undefined) await new Promise((resolve) => setTimeout(resolve, drip));
	}
	response.end();
}
