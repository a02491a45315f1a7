import type { IDataObject } from 'n8n-workflow';
import type { Method } from '../contract/endpoints';
import { oneLine } from '../contract/text';
import { isRecord, shorten } from '../contract/values';
import { retryAfterOf } from './rateLimitHeaders';

/** Messages of the service, by the contract name of the field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Why a request failed. It decides whether the request may be retried:
 * - `rejected`: a retry would get the same response
 * - `rateLimited`: too many requests; not processed
 * - `maintenance`: the service is not available; not processed
 * - `connectFailed`: there was no connection
 * - `ambiguous`: the service failed, or no complete response arrived; a write may have been carried out
 * - `ended`: the run was stopped or canceled before the request was sent
 * - `unsupported`: the service has a later version; a write may have been carried out without some of its values
 */
export type Cause =
	| 'ambiguous'
	| 'connectFailed'
	| 'ended'
	| 'maintenance'
	| 'rateLimited'
	| 'rejected'
	| 'unsupported';

/** The outcome of a failed row: nothing was changed, or it is unknown. */
export type FailureOutcome = 'failed' | 'unknown';

/** Why a request has no result: Timeout has passed, or its run or row has ended. */
export type AbortReason = 'canceled' | 'timedOut';

/** Why a request failed, and what the user can do. */
export interface Failure {
	/** What happened: one sentence without a period. */
	readonly message: string;
	/** What the user can do, in whole sentences. */
	readonly advice: string;
	readonly cause: Cause;
	/** Default: `failed`. */
	readonly outcome?: FailureOutcome;
	/** Set if the response contradicts itself, so that a refused write may have been carried out. */
	readonly isInconsistent?: true;
	/** The ID and address of a resource that a create made in place of the row's resource. */
	readonly stray?: string;
	/** Set if it is unknown whether a create was carried out. */
	readonly isUnknownCreate?: true;
	/** The resource that a service of a later version has written. */
	readonly written?: IDataObject;
	/** Whether Timeout has passed, so that the service may still process the request. */
	readonly isTimeout?: boolean;
	/** Set if the pages of a list do not fit together. */
	readonly isBrokenList?: true;
	/** Set if the failure stops the whole run and belongs to no row. */
	readonly isRunLevel?: true;
	/** Set if the resource of the row does not exist, as the service itself reports it. */
	readonly isMissing?: true;
	/** The host that the message contains. */
	readonly host?: string;
	/** Set if the response is a web page, which may come from a proxy. */
	readonly isPage?: true;
	/** The HTTP status of the response. */
	readonly statusCode?: number;
	readonly fieldErrors?: FieldErrors;
}

/** The only error that transport and operations throw. Its texts are single lines, because they may contain texts of the service. */
export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		const [message, advice] = [oneLine(failure.message), oneLine(failure.advice)];
		super(message);
		this.name = 'ServiceError';
		this.failure = { ...failure, message, advice };
	}
}

/** A response contains an ID that JSON has rounded. A request with it would address another resource. */
export const roundedId: Failure = {
	cause: 'rejected',
	message:
		'The service has IDs above 9007199254740991, which JSON numbers cannot represent exactly',
	advice:
		'The node never sends a rounded ID. Ask the service to return its IDs as text, or use the HTTP Request node.',
};

/** Returns an error that a retry would not change. */
export const rejection = (message: string, advice: string, more: Partial<Failure> = {}) =>
	new ServiceError({ cause: 'rejected', message, advice, ...more });

/** Resolves with the result of a promise or with its ServiceError. Rejects with any other error. */
export const settled = async <T>(promise: Promise<T>): Promise<ServiceError | T> =>
	await promise.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});

/** Returns milliseconds as text, rounded: `1 second`, `12 seconds`. */
export function inSeconds(milliseconds: number): string {
	const whole = Math.round(milliseconds / 1000);
	return `${whole} ${whole === 1 ? 'second' : 'seconds'}`;
}

/** A request that failed. */
interface FailedRequest {
	readonly method: Method;
	readonly url: string;
}

/** Returns the advice after a request whose outcome is unknown. */
export const outcomeUnknown = ({ method }: Pick<FailedRequest, 'method'>): string =>
	method === 'GET'
		? 'Try again later.'
		: 'The service may have processed the request: check there before you run this item again.';

type Explanation = Pick<Failure, 'advice' | 'cause' | 'message'>;

/** A response with an error status. */
interface Refusal {
	readonly status: number;
	readonly headers: Readonly<Record<string, string>>;
	/** The decoded JSON of the response; undefined if it is not JSON. */
	readonly body: unknown;
	/** The title of the response if it is a web page; empty if the page has none. */
	readonly pageTitle?: string;
	/** Set if the HTTP status reports success. */
	readonly isInconsistent?: true;
}

const rejected = (message: string, advice: string): Explanation => ({
	cause: 'rejected',
	message,
	advice,
});

const checkBaseUrl =
	'Open the credential and check Base URL. It must be the address of the service itself, such as https://links.example.com, without a login page in front of it.';

/** Explanations by status (assumption: error statuses). */
const byStatus: Readonly<Record<number, Explanation>> = {
	401: rejected(
		'The service did not accept the API key',
		'Open the credential and enter a valid API key. Most services show it in the developer settings of your account.',
	),
	403: rejected(
		'The service does not allow this for the account of the API key',
		'Check whether the plan of the account includes API access.',
	),
	407: rejected(
		'The proxy of n8n requires a login',
		'The service did not receive the request. Set HTTP_PROXY or HTTPS_PROXY of n8n to the address of the proxy with its user and password, such as http://user:password@proxy.example.com:8080, and restart n8n.',
	),
	419: rejected('The website responded, not the API', checkBaseUrl),
	422: rejected(
		'The service did not accept the values',
		'Correct the fields in the message, and run the node again.',
	),
};

const refused = rejected(
	'The service refused the request',
	'Check the values of this item, and the settings of your account in the service.',
);

/** Explains a web page: a firewall answers with the status of an error, and a website with 200. */
function webPage(title: string): Explanation {
	const titled = title === '' ? '' : `The page is titled "${shorten(title, 100)}". `;
	return rejected(
		'The service returned a web page instead of data',
		`${titled}A firewall or proxy in front of the service may have answered: ask its administrator to let the requests of n8n through. Or Base URL in the credential is the address of the website.`,
	);
}

/** Statuses whose explanation also fits a web page. */
const pageStatuses: readonly number[] = [404, 407, 419];

/** Returns how long to wait after a refusal, as the service says; a minute if it says nothing sensible. */
function waitOf(headers: Refusal['headers']): string {
	const after = retryAfterOf(headers);
	const written = headers['retry-after']?.trim() ?? '';
	if (after === undefined) return 'a minute';
	return /^\d+$/.test(written) ? inSeconds(after) : `until ${written}`;
}

function explainStatus(request: FailedRequest, refusal: Refusal): Explanation {
	const { status, headers, pageTitle } = refusal;
	const wait = `Wait ${waitOf(headers)}`;
	if (status >= 300 && status < 400) {
		const goesTo = shorten(headers.location ?? 'no address', 200);
		return rejected(
			'The service redirected to another page instead of answering',
			`The redirect goes to ${goesTo}. ${checkBaseUrl}`,
		);
	}
	if (status === 429) {
		return {
			cause: 'rateLimited',
			message: 'The service received too many requests',
			advice: `${wait} and run the node again; send fewer items at a time.`,
		};
	}
	if (status === 503) {
		return {
			cause: 'maintenance',
			message: 'The service is not available at the moment',
			advice: `It did not process the request. ${wait} and run this item again.`,
		};
	}
	if (status >= 500) {
		const message = 'The service failed to handle the request';
		return { cause: 'ambiguous', message, advice: outcomeUnknown(request) };
	}
	if (pageTitle !== undefined && !pageStatuses.includes(status)) return webPage(pageTitle);
	if (status === 404) {
		return rejected(
			'The service found nothing at this address',
			`${request.method} ${shorten(request.url, 300)} was not found. Check Base URL in the credential.`,
		);
	}
	return byStatus[status] ?? refused;
}

/**
 * Returns a sentence with the message of the service; empty if there is none. The code never compares the message, because it is
 * localized.
 *
 * @param hide returns a text without secrets
 */
export function serviceMessageOf(body: unknown, hide = (text: string): string => text): string {
	const message = isRecord(body) && typeof body.message === 'string' ? body.message.trim() : '';
	const shown = hide(message);
	return shown ? `The service said: ${shorten(shown, 300)}` : '';
}

/**
 * Returns the field errors of a response; undefined if it names no field. They are in `message` if it is an object, and in the
 * framework's `errors` object (assumption: field errors).
 */
export function fieldErrorsOf(body: unknown): FieldErrors | undefined {
	if (!isRecord(body)) return undefined;
	const errors = new Map<string, readonly string[]>();
	for (const named of [body.message, body.errors].filter(isRecord)) {
		for (const [field, value] of Object.entries(named)) {
			const messages = [value].flat().filter((text) => typeof text === 'string');
			if (messages.length > 0) errors.set(field, messages);
		}
	}
	return errors.size > 0 ? Object.fromEntries(errors) : undefined;
}

/** Explains a response with an error status, or a web page. */
export function statusFailure(request: FailedRequest, refusal: Refusal): Failure {
	const { status, body, pageTitle, isInconsistent } = refusal;
	const { cause, message, advice } = explainStatus(request, refusal);
	const isOpen = isInconsistent === true && request.method !== 'GET';
	// Only a rejection leaves something to correct. Others say that the request was not processed, which is not certain.
	const known = isOpen && cause !== 'rejected' ? '' : advice;
	const sentences = [known, isOpen ? outcomeUnknown(request) : '', serviceMessageOf(body)];
	return {
		cause,
		message: `${message} (HTTP ${status})`,
		advice: sentences.filter((sentence) => sentence !== '').join(' '),
		statusCode: status,
		fieldErrors: fieldErrorsOf(body),
		...(pageTitle === undefined ? {} : { isPage: true }),
		isInconsistent,
	};
}

/** Max size of a response in bytes, after decompression. */
export const maxAnswerSize = 32 * 2 ** 20;

/** The `code` of the error for a larger response. */
export const tooLargeCode = 'ANSWER_TOO_LARGE';

/** An explanation of an error without a response. */
interface NetworkError {
	/** Matches the code and the message of the error. */
	readonly pattern: RegExp;
	readonly cause: Cause;
	/** The cause if the request is a create. */
	readonly createCause?: Cause;
	/** The message, with `{host}` for the host of the request. */
	readonly message: string;
	/** Default: the outcome is unknown. */
	readonly advice?: string;
	/** Added to the advice. */
	readonly hint?: string;
	readonly isInconsistent?: true;
}

/**
 * Explanations of the errors of Node, of axios, which n8n's helper uses, and of this package. The first match counts. The
 * reasons of OpenSSL occur only before the connection is secure; others, such as a wrong checksum, also occur after the
 * request was sent.
 */
const networkErrors: readonly NetworkError[] = [
	{
		pattern:
			/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH) |before secure TLS connection was established/,
		cause: 'connectFailed',
		message: 'Cannot connect to {host}',
		advice:
			'Nothing was sent. Check Base URL in the credential, and whether the service is running.',
	},
	{
		pattern: /^(?:EAI_AGAIN|ENOTFOUND) /,
		cause: 'connectFailed',
		message: 'The host {host} cannot be found',
		advice:
			'Nothing was sent. Check the spelling of Base URL in the credential, and the DNS of this machine.',
	},
	{
		pattern: /^(?:ECONNABORTED|ETIMEDOUT|timedOut) /,
		cause: 'ambiguous',
		message: 'The service at {host} did not respond in time',
		hint: ' Set a longer Timeout under Options > Requests.',
	},
	{
		pattern: /^canceled /,
		cause: 'ended',
		message: 'The execution was canceled during the request',
		isInconsistent: true,
	},
	{
		pattern: new RegExp(`^${tooLargeCode} `),
		cause: 'rejected',
		// A create that is ambiguous is looked up before it is retried.
		createCause: 'ambiguous',
		message: `The service at {host} returned more than ${maxAnswerSize / 2 ** 20} MB`,
		isInconsistent: true,
	},
	{
		pattern:
			/^(?:[A-Z\d_]*(?:CERT|CRL)|HOSTNAME_MISMATCH |INVALID_CA |INVALID_PURPOSE |PATH_LENGTH_EXCEEDED |UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY |UNABLE_TO_VERIFY_LEAF_SIGNATURE )/,
		cause: 'rejected',
		message: 'The certificate of {host} is not trusted',
		advice:
			'Nothing was sent. Renew the certificate, install it with its intermediate certificates, configure n8n to trust its issuer, or correct the clock of this machine.',
	},
	{
		pattern:
			/^(?:EPROTO |ERR_SSL_).*(?:wrong.version.number|packet.length.too.long|http.request|(?:unsupported|unknown).protocol|protocol.version|no.protocols.available|handshake.failure|unrecognized.name|access.denied|unknown.ca|bad.certificate|certificate.required|no.shared.cipher|no.ciphers.available|inappropriate.fallback|unsafe.legacy.renegotiation|key.too.small|insufficient.security)/i,
		cause: 'rejected',
		message: '{host} does not accept a secure connection (https)',
		advice:
			'Nothing was sent. Check the scheme and the port of Base URL in the credential: the port may serve http or something else, or only old versions of TLS.',
	},
];

const brokenConnection: Omit<NetworkError, 'pattern'> = {
	cause: 'ambiguous',
	message: 'The connection to {host} broke before the response was complete',
};

/** Finds the first known error of a chain: n8n wraps the original error. */
function findNetworkError(error: unknown): Omit<NetworkError, 'pattern'> {
	for (let at = error, depth = 0; isRecord(at) && depth < 5; at = at.cause, depth += 1) {
		const text = `${String(at.code ?? '')} ${String(at.message ?? '').slice(0, 1000)}`;
		const known = networkErrors.find(({ pattern }) => pattern.test(text));
		if (known) return known;
	}
	return brokenConnection;
}

/**
 * Explains why no complete response arrived. Contains no text of the original error, which may contain the request's headers.
 *
 * @param error an error of Node or of axios, or an object whose `code` is an AbortReason
 */
export function networkFailure(request: FailedRequest, error: unknown): Failure {
	const known = findNetworkError(error);
	const { cause, createCause = cause, message, hint = '', isInconsistent } = known;
	const { host } = new URL(request.url);
	return {
		cause: request.method === 'POST' ? createCause : cause,
		message: message.replace('{host}', () => host),
		advice: `${known.advice ?? outcomeUnknown(request)}${hint}`,
		host,
		...(isInconsistent ? { isInconsistent } : {}),
	};
}
