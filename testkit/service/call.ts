import type { IncomingHttpHeaders } from 'node:http';
import { json, redirect, refusal, type Answer } from './answers.ts';
import type { Form } from './form.ts';

/** One API request, decoded. */
export interface Call {
	method: string;
	/** Without query. */
	path: string;
	/** The resource's id in the path, as it was sent. */
	id?: string;
	headers: IncomingHttpHeaders;
	query: Form;
	form: Form;
}

/** Whether the caller asked for JSON; if not, some refusals are redirects (assumption: Accept). */
export function wantsJson({ headers }: Call): boolean {
	return headers.accept?.includes('application/json') ?? false;
}

/** Whether a request has a form as its body. */
export function isForm(headers: IncomingHttpHeaders): boolean {
	const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	return type === 'application/x-www-form-urlencoded';
}

/** The bearer credential of a call (contract 5), when it has one. */
export function bearerOf({ headers }: Call): string | undefined {
	return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Refuses a call without a valid key: in JSON, or with a redirect to the login page (assumption: Accept). */
export function authenticate(call: Call, apiKeys: ReadonlySet<string>): Answer | undefined {
	if (apiKeys.has(bearerOf(call) ?? '')) return undefined;
	return wantsJson(call) ? json(401, { message: 'Unauthenticated.' }) : redirect('/login');
}

/** Strict mode only: refuses a call without the headers of contract 4. */
export function checkHeaders(call: Call): Answer | undefined {
	if (!wantsJson(call)) return refusal(406, 'Accept must contain application/json.');
	const writes = call.method === 'POST' || call.method === 'PUT';
	return writes && !isForm(call.headers)
		? refusal(415, 'Content-Type must be application/x-www-form-urlencoded.')
		: undefined;
}
