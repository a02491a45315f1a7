import type { ApiRequest, Param } from '../contract/endpoints';
import { isRecord, parseJson } from '../contract/values';
import type { HttpAnswer, HttpRequest, Send } from './http';
import { networkFailure } from './networkFailures';
import type { RowSecrets } from './rowSecrets';
import type { Failure } from './serviceError';
import { outcomeUnknown, statusFailure } from './statusFailures';

const formType = 'application/x-www-form-urlencoded';

type Writable<T> = { -readonly [K in keyof T]: T[K] };

/** Returns the HTTP request of an API request. A write has its params in a form, a read in the query (contract 4). */
export function httpRequestOf(root: string, { method, path, params }: ApiRequest): HttpRequest {
	const encoded = new URLSearchParams(params.map(([name, text]): Writable<Param> => [name, text]));
	const url = `${root}${path}`;
	// Writes have an Accept header, too. Without it, the service responds to an invalid key with a login page (assumption: Accept).
	const headers = { Accept: 'application/json' };
	return method === 'POST' || method === 'PUT'
		? { method, url, headers: { ...headers, 'Content-Type': formType }, form: encoded }
		: { method, url: encoded.size > 0 ? `${url}?${encoded}` : url, headers };
}

const isPage = (text: string) => text.startsWith('<');

/** Max number of levels of JSON. Deeper JSON would exceed the stack of recursive functions. */
const maxLevels = 100;

/** Returns whether JSON is safe to use: not too deep, and without members that break the conversion to text. */
function isReadable(value: unknown, levels = maxLevels): boolean {
	if (typeof value !== 'object' || value === null) return true;
	if (levels === 0) return false;
	if (Array.isArray(value)) return value.every((inner) => isReadable(inner, levels - 1));
	if (!isRecord(value) || Object.hasOwn(value, 'toString') || Object.hasOwn(value, 'valueOf')) {
		return false;
	}
	return Object.keys(value).every((key) => isReadable(value[key], levels - 1));
}

/**
 * Returns the JSON of a body; undefined if it is not JSON. An empty body is `null`, and so is the plain text that confirms
 * a delete at some services (assumption: delete response).
 */
function parse({ method }: HttpRequest, body: string): unknown {
	const text = body.replace(/^\uFEFF/, '').trim();
	const isConfirmation = method === 'DELETE' && !isPage(text) && !/^[[{]/.test(text);
	const json = text === '' ? null : parseJson(text);
	if (json === undefined && isConfirmation) return null;
	return isReadable(json) ? json : undefined;
}

/** Explains a 2xx response whose body is not JSON. */
function unreadable(request: HttpRequest, { status, body }: HttpAnswer): Failure {
	return isPage(body.trim())
		? {
				cause: 'rejected',
				message: `The service returned a web page instead of data (HTTP ${status})`,
				advice:
					'Open the credential and check Base URL. It is the address of the website, or a proxy in front of the service returned the page.',
				statusCode: status,
				isInconsistent: true,
			}
		: {
				cause: 'ambiguous',
				message: `The response of the service is incomplete or not valid JSON (HTTP ${status})`,
				advice: outcomeUnknown(request),
				statusCode: status,
			};
}

/** Returns the error status that a body contains, if any (assumption: status in the body). */
function statusIn(body: unknown): number | undefined {
	// A bare resource may have a field with this name.
	const status = isRecord(body) && !('id' in body) ? Number(body.status) : NaN;
	return Number.isInteger(status) && status >= 400 && status <= 599 ? status : undefined;
}

/** The result of one request: the response, and the decoded JSON of a 2xx response or the failure. */
export interface HttpExchange {
	readonly answer?: HttpAnswer;
	readonly body?: unknown;
	readonly failure?: Failure;
}

/** Sends a request once. Never rejects. */
export async function httpExchange(
	send: Send,
	request: HttpRequest,
	signal: AbortSignal,
	secrets: RowSecrets,
): Promise<HttpExchange> {
	try {
		return readExchange(request, await send(request, signal), secrets);
	} catch (error) {
		return { failure: networkFailure(request, error) };
	}
}

function readExchange(request: HttpRequest, answer: HttpAnswer, secrets: RowSecrets): HttpExchange {
	const body = parse(request, answer.body);
	const refusal = (error: HttpAnswer) => {
		const shown = secrets.answer(request, error);
		return statusFailure(request, shown, parse(request, shown.body));
	};
	if (answer.status < 200 || answer.status > 299) {
		return { answer, failure: refusal(answer) };
	}
	if (body === undefined) return { answer, failure: unreadable(request, answer) };
	const status = statusIn(body);
	if (status === undefined) return { answer, body };
	const refused = { ...answer, status };
	const failure: Failure = { ...refusal(refused), isInconsistent: true };
	// A resource that may have been created must not be created again, even if the body says that it was not processed.
	const mayBeCreated = request.method === 'POST' && failure.cause !== 'rejected';
	return { answer: refused, failure: mayBeCreated ? { ...failure, cause: 'ambiguous' } : failure };
}
