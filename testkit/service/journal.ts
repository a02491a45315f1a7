import type { IncomingHttpHeaders } from 'node:http';

/** An API request as it came over the wire. */
export interface RecordedRequest {
	method: string;
	/** Without query. */
	path: string;
	/** As sent, without the question mark. */
	query: string;
	headers: Record<string, string>;
	/** As sent. */
	body: string;
	/** Of the answer; absent while there is none, and for good when there never was one. */
	status?: number;
}

/** Begins the record of a request; body and status follow as they come. */
export function recordRequest(
	method: string,
	url: string,
	headers: IncomingHttpHeaders,
): RecordedRequest {
	const [path = '', ...query] = url.split('?');
	const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
	return { method, path, query: query.join('?'), headers: Object.fromEntries(texts), body: '' };
}
