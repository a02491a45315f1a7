import type { ApiRequest, Method } from '../contract/operations';
import { isRecord, parseJson } from '../contract/values';
import { maxAnswerSize, networkFailure, statusFailure, tooLargeCode } from './explanations';
import type { Failure } from './failures';
import { fromHtml, omitted, type SecretMask } from './secrets';

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

/** A service: the address of its API, a function that sends requests to it, and a mask for the API key. */
export interface Service {
	readonly root: string;
	readonly send: Send;
	readonly mask: SecretMask;
}

/** The result of one request: the response, and the decoded JSON of a 2xx response or the failure. */
export interface HttpExchange {
	readonly answer?: HttpAnswer;
	readonly body?: unknown;
	readonly failure?: Failure;
}

/**
 * Reads the body of a response as UTF-8 text.
 *
 * @param body a stream of bytes, or a text; anything else counts as an empty body
 * @throws an error with `code` if the body is too large; what the stream throws if it breaks
 */
export async function readBody(body: unknown): Promise<string> {
	// n8n's helper returns a text if it mocks the response, as in evaluations of workflows.
	if (typeof body === 'string') return body;
	if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body)) return '';
	const decoder = new TextDecoder();
	let text = '';
	let size = 0;
	// Leaving the loop destroys the stream, and with it the connection.
	for await (const chunk of body as AsyncIterable<Uint8Array>) {
		size += chunk.byteLength;
		if (size > maxAnswerSize) {
			throw Object.assign(new Error('The response is too large'), { code: tooLargeCode });
		}
		text += decoder.decode(chunk, { stream: true });
	}
	return text + decoder.decode();
}

/** Returns the HTTP request of an API request. A write has its params in a form, a read in the query (contract 4). */
export function httpRequestOf(root: string, { method, path, params }: ApiRequest): HttpRequest {
	const form = new URLSearchParams(params.map(([name, text]): [string, string] => [name, text]));
	// Writes have an Accept header, too. Without it, the service responds to an invalid key with a login page (assumption: Accept).
	const headers = { Accept: 'application/json' };
	const url = `${root}${path}`;
	if (method === 'GET' || method === 'DELETE')
		return { method, url: form.size > 0 ? `${url}?${form}` : url, headers };
	const type = 'application/x-www-form-urlencoded';
	return { method, url, headers: { ...headers, 'Content-Type': type }, form };
}

/** Members that break the conversion of an object to text. */
const unsafeNames = ['toString', 'valueOf'];

/** Returns whether JSON is safe to use: not too deep for the stack of recursive functions, and without unsafe names. */
function isReadable(value: object, levels = 100): boolean {
	if (levels === 0 || unsafeNames.some((name) => Object.hasOwn(value, name))) return false;
	return Object.values(value).every(
		(each) => typeof each !== 'object' || each === null || isReadable(each, levels - 1),
	);
}

/**
 * Returns the JSON of a body; undefined if it is not JSON. An empty body is `null`. The plain text after a delete is an
 * empty object, which confirms nothing (assumption: delete response).
 */
function parse({ method }: HttpRequest, body: string): unknown {
	const text = body.replace(/^\uFEFF/, '').trim();
	// Only an empty body is null.
	const json = text === '' ? null : (parseJson(text) ?? (text === 'null' ? {} : undefined));
	if (json === undefined && method === 'DELETE' && !/^[<[{]/.test(text)) return {};
	return json instanceof Object && !isReadable(json) ? undefined : json;
}

/** Returns the error status that a body contains, if any (assumption: status in the body). */
function statusIn({ method }: HttpRequest, body: unknown): number | undefined {
	// A bare resource may have a field with this name. A delete that is not confirmed is checked by a read.
	const isError = isRecord(body) && (!('id' in body) || (method !== 'DELETE' && body.message));
	const status = isError ? Number(body.status) : NaN;
	return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

/**
 * Sends a request once. Never rejects. If the signal aborts, it ends at once, even if `send` does not. The response shows no API
 * key, and a failure shows no passwords of the row.
 *
 * @param signal the reason of its abort explains the failure, as in `networkFailure`
 * @param passwords masks the passwords of the row
 */
export async function httpExchange(
	{ send, mask }: Service,
	request: HttpRequest,
	signal: AbortSignal,
	passwords: SecretMask,
): Promise<HttpExchange> {
	let onAbort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		onAbort = () => reject(signal.reason);
		signal.addEventListener('abort', onAbort);
	});
	try {
		const answer = await Promise.race([send(request, signal), aborted]);
		const { headers, body: text } = answer;
		const isSuccess = answer.status >= 200 && answer.status <= 299;
		const body = mask.json(parse(request, text), text);
		const status = (isSuccess && statusIn(request, body)) || answer.status;
		if (isSuccess && body !== undefined && status === answer.status) return { answer, body };
		const shown = (each: string) => passwords.text(mask.text(each));
		const isPage = /^\uFEFF?\s*</.test(text);
		const [, title = ''] = text.slice(0, 10_000).match(/<title\b[^<>]*>([^<]*)/i) ?? [];
		const failure = statusFailure(request, {
			status,
			headers: { ...headers, location: headers.location && (shown(headers.location) || omitted) },
			body: passwords.json(body, text, request.form),
			pageTitle: isPage ? shown(fromHtml(title)).trim() : undefined,
			isInconsistent: (isSuccess && (isPage || body !== undefined)) || undefined,
		});
		return { answer: { ...answer, status }, failure };
	} catch (error) {
		return { failure: networkFailure(request, error) };
	} finally {
		signal.removeEventListener('abort', onAbort);
	}
}
