import type { IncomingHttpHeaders } from 'node:http';
import { refusal, type Answer } from './answers.ts';
import { decodeForm, type Form } from './form.ts';

/** One API request, decoded. */
export interface Call {
	method: string;
	/** Without query. */
	path: string;
	/** The resource's id in the path; 0 if it is no id. */
	id?: number;
	headers: IncomingHttpHeaders;
	query: Form;
	form: Form;
}

/** An API request as text. Its address may lack scheme and host. */
type ApiRequest = Pick<Call, 'headers' | 'method'> & Record<'body' | 'url', string>;

/** Returns a decoded request. Only the body of a form is read, as PHP does with a PUT. */
export function callOf({ method, url, headers, body }: ApiRequest): Call {
	const [path = '', ...query] = url.replace(/^https?:\/\/[^/]*/, '').split('?');
	return {
		...{ method, path, headers },
		query: decodeForm(query.join('?')),
		form: isForm(headers) ? decodeForm(body) : {},
	};
}

function isForm(headers: IncomingHttpHeaders): boolean {
	const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
	return type === 'application/x-www-form-urlencoded';
}

/** The bearer credential of a call (contract 5), when it has one. */
export function bearerOf({ headers }: Call): string | undefined {
	return /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
}

/** Strict mode only: refuses a call without the headers of contract 4. */
export function checkHeaders({ method, headers }: Call): Answer | undefined {
	if (!headers.accept?.includes('application/json'))
		return refusal(406, 'Accept must contain application/json.');
	const writes = method === 'POST' || method === 'PUT';
	return writes && !isForm(headers)
		? refusal(415, 'Content-Type must be application/x-www-form-urlencoded.')
		: undefined;
}
