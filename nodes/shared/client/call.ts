import type { Pair, PlannedRequest } from '../contract/plan';
import type { HttpAnswer, HttpRequest, Send } from './http';
import { networkFailure } from './networkFailures';
import { ServiceError, type Failure } from './serviceError';
import { outcomeUnknown, statusFailure } from './statusFailures';

const formType = 'application/x-www-form-urlencoded';

/** The part of a plan that makes one request. */
export type Planned = Pick<PlannedRequest, 'method' | 'pairs' | 'path'>;

/** The request of a plan: pairs in the form of a write, in the query of a read (contract 4). */
export function requestOf(root: string, { method, path, pairs }: Planned): HttpRequest {
	const encoded = new URLSearchParams(pairs.map(([name, text]): Writable<Pair> => [name, text]));
	const url = `${root}${path}`;
	// Accept on writes too: without it an invalid key is answered by a login page (assumption: Accept).
	const headers = { Accept: 'application/json' };
	return method === 'POST' || method === 'PUT'
		? { method, url, headers: { ...headers, 'Content-Type': formType }, form: encoded }
		: { method, url: encoded.size > 0 ? `${url}?${encoded}` : url, headers };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** The JSON of a body, or undefined where it is none. An empty body is `null`. */
function parse(body: string): unknown {
	try {
		return body.trim() === '' ? null : JSON.parse(body);
	} catch {
		return undefined;
	}
}

/** Explains a 2xx answer whose body is no JSON. */
function unreadable(request: HttpRequest, { status, body }: HttpAnswer): Failure {
	return /^\s*</.test(body)
		? {
				cause: 'refused',
				message: `The service answered with a web page instead of data (HTTP ${status})`,
				advice:
					'Open the credential and check Base URL: it points at the web site, or something in front of the service answers in its place.',
				statusCode: status,
			}
		: {
				cause: 'broken',
				message: `The service's answer is cut off or no valid JSON (HTTP ${status})`,
				advice: outcomeUnknown(request),
				statusCode: status,
			};
}

/** What one request came to: the decoded JSON of a 2xx answer, or why there is none, and the answer itself. */
export interface Exchange {
	readonly answer?: HttpAnswer;
	readonly body?: unknown;
	readonly failure?: Failure;
}

/** Makes one request, once. Never rejects. */
export async function call(send: Send, request: HttpRequest): Promise<Exchange> {
	const answer = await send(request).catch(
		(error: unknown) => new ServiceError(networkFailure(request, error)),
	);
	if (answer instanceof ServiceError) return { failure: answer.failure };
	const body = parse(answer.body);
	if (answer.status < 200 || answer.status > 299) {
		return { answer, failure: statusFailure(request, answer, body) };
	}
	return body === undefined ? { answer, failure: unreadable(request, answer) } : { answer, body };
}
