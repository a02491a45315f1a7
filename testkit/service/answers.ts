import { STATUS_CODES } from 'node:http';
import type { Problems } from './checks.ts';
import type { Settings } from './settings.ts';

/** A complete HTTP response before it is sent, so that a fault can still change it. */
export interface Answer {
	status: number;
	headers: Record<string, string>;
	payload: string;
}

/** Returns a JSON response. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Answer {
	return {
		status,
		headers: { 'content-type': 'application/json', ...headers },
		payload: JSON.stringify(body),
	};
}

/** A page of the web site. */
export function html(status: number, heading: string): Answer {
	return {
		status,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		payload: `<!doctype html><html lang="en"><title>${heading}</title><h1>${heading}</h1></html>\n`,
	};
}

/** A 302, as the web site sends people about. */
export function redirect(location: string): Answer {
	return { status: 302, headers: { location }, payload: '' };
}

/** A refusal with a text of its own (assumption: error statuses). */
export function refusal(status: number, message = STATUS_CODES[status] ?? 'Error'): Answer {
	return json(status, { message, status });
}

/** Assumption: error statuses. Another user's id looks the same as one that never was. */
export function notFound(): Answer {
	return refusal(404, 'Resource not found.');
}

/** A 422 with every bad field, in the family's shape or the framework's (assumption: field errors). */
export function invalid(problems: Problems, shape: Settings['errorShape']): Answer {
	const fields = Object.fromEntries(problems);
	if (shape === 'family') return json(422, { message: fields, status: 422 });
	const [first = '', ...others] = [...problems.values()].flat();
	const more = others.length > 1 ? 'errors' : 'error';
	const message = others.length > 0 ? `${first} (and ${others.length} more ${more})` : first;
	return json(422, { message, errors: fields });
}

/** A request on which the service broke; `exception` says on what, as the framework does in its debug mode. */
export function broken(error: unknown): Answer {
	const exception = error instanceof Error ? error.message : String(error);
	return json(500, { message: 'Server Error', exception });
}
