import type { ApiRequest } from '../contract/operations';
import { isRecord, shorten } from '../contract/values';
import {
	inSeconds,
	joinSentences,
	openOutcome,
	tryLater,
	type Cause,
	type Failure,
	type FieldErrors,
} from './failures';
import { retryAfterOf } from './rateLimitHeaders';

/** A request that failed. */
type FailedRequest = Pick<ApiRequest, 'method'> & { readonly url: string };

const checkBaseUrl =
	'Open the credential and check Base URL. It must be the address of the service itself, such as https://links.example.com, without a login page in front of it.';

/** Explains a web page: a firewall answers with the status of an error, and a website with 200. */
const webPage =
	'The service returned a web page instead of data\nA firewall or proxy in front of the service may have answered: ask its administrator to let the requests of n8n through. Or Base URL in the credential is the address of the website.';

/**
 * Explanations by status, and by the first digit of other statuses (assumption: error statuses). Their lines are the
 * message of the failure, its advice and its claim.
 */
const statusTexts: Readonly<Record<number, string>> = {
	2: 'The response of the service is incomplete or not valid JSON',
	3: `The service redirected to another page instead of answering\nThe redirect goes to {location}. ${checkBaseUrl}`,
	4: 'The service refused the request\nCheck the values of this item, and the settings of your account in the service.',
	5: 'The service failed to handle the request',
	401: 'The service did not accept the API key\nOpen the credential and enter a valid API key. Most services show it in the developer settings of your account.',
	403: 'The service does not allow this for the account of the API key\nCheck whether the plan of the account includes API access.',
	404: 'The service found nothing at this address\n{request} was not found. Check Base URL in the credential.',
	407: 'The proxy of n8n requires a login\nSet HTTP_PROXY or HTTPS_PROXY of n8n to the address of the proxy with its user and password, such as http://user:password@proxy.example.com:8080, and restart n8n.\nThe service did not receive the request.',
	408: 'The service waited too long for the request',
	419: `The website responded, not the API\n${checkBaseUrl}`,
	422: 'The service did not accept the values\nCorrect the values, and run the node again.',
	429: 'The service received too many requests\nWait {wait} before you run the node again, and send fewer items at a time.',
	503: 'The service is not available at the moment\nWait {wait} before you run this item again.\nIt did not process the request.',
};

/** The causes of the statuses that are not `rejected`. */
const statusCauses: Readonly<Record<number, Cause>> = {
	2: 'ambiguous',
	5: 'ambiguous',
	408: 'ambiguous',
	429: 'rateLimited',
	503: 'maintenance',
};

/** The statuses that also explain a web page. */
const pageStatuses: readonly number[] = [3, 5, 404, 407, 408, 419, 429, 503];

/** Max size of a response in bytes, after decompression. */
export const maxAnswerSize = 32 * 2 ** 20;

/** The `code` of the error for a larger response. */
export const tooLargeCode = 'ANSWER_TOO_LARGE';

/**
 * Explanations of the errors of Node, of axios, which n8n's helper uses, and of this package. A pattern matches the code and
 * the message of an error, and the first match counts. The reasons of OpenSSL occur only before the connection is secure;
 * others, such as a wrong checksum, also occur after the request was sent. Without a claim, the request was sent.
 */
const networkErrors: ReadonlyArray<readonly [cause: Cause, pattern: RegExp, text: string]> = [
	[
		'connectFailed',
		/^(?:ECONNREFUSED|EHOSTUNREACH|ENETUNREACH) |before secure TLS connection was established/,
		'Cannot connect to {host}\nCheck Base URL in the credential, and whether the service is running.\nNothing was sent.',
	],
	[
		'connectFailed',
		/^(?:EAI_AGAIN|ENOTFOUND) /,
		'The host {host} cannot be found\nCheck the spelling of Base URL in the credential, and the DNS of this machine.\nNothing was sent.',
	],
	[
		'ambiguous',
		/^(?:ECONNABORTED|ETIMEDOUT|timedOut) /,
		'The service at {host} did not respond in time\nSet a longer Timeout under Options > Requests, if the node has it.',
	],
	[
		'ambiguous',
		/^HPE_/,
		'{host} did not respond in HTTP\nCheck the scheme and the port of Base URL in the credential.',
	],
	['ended', /^canceled /, 'The execution was canceled during the request'],
	[
		'rejected',
		new RegExp(`^${tooLargeCode} `),
		`The service at {host} returned more than ${maxAnswerSize / 2 ** 20} MB`,
	],
	[
		'rejected',
		/^(?:[A-Z\d_]*(?:CERT|CRL)|HOSTNAME_MISMATCH |INVALID_CA |INVALID_PURPOSE |PATH_LENGTH_EXCEEDED |UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY |UNABLE_TO_VERIFY_LEAF_SIGNATURE )/,
		'The certificate of {host} is not trusted\nRenew the certificate, install it with its intermediate certificates, configure n8n to trust its issuer, or correct the clock of this machine.\nNothing was sent.',
	],
	[
		'rejected',
		/^(?:EPROTO |ERR_SSL_).*(?:wrong.version.number|packet.length.too.long|http.request|(?:unsupported|unknown).protocol|protocol.version|no.protocols.available|handshake.failure|unrecognized.name|access.denied|unknown.ca|bad.certificate|certificate.required|no.shared.cipher|no.ciphers.available|inappropriate.fallback|unsafe.legacy.renegotiation|key.too.small|insufficient.security)/i,
		'{host} does not accept a secure connection (https)\nCheck the scheme and the port of Base URL in the credential: the port may serve http or something else, or only old versions of TLS.\nNothing was sent.',
	],
];

/** A response with an error status. */
interface Refusal {
	readonly status: number;
	readonly headers: Readonly<Record<string, string | undefined>>;
	/** The decoded JSON of the response; undefined if it is not JSON. */
	readonly body: unknown;
	/** The title of the response if it is a web page; empty if the page has none. */
	readonly pageTitle?: string;
	/** Set if the HTTP status reports success. */
	readonly isInconsistent?: true;
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
	const { status, headers, body, pageTitle, isInconsistent } = refusal;
	const name = status in statusTexts ? status : Math.min(Math.floor(status / 100), 5);
	const isPage = pageTitle === undefined ? undefined : true;
	const isFirewall = isPage && !pageStatuses.includes(name);
	const cause = (!isFirewall && statusCauses[name]) || 'rejected';
	const text = (!isFirewall && statusTexts[name]) || webPage;
	const [message = '', advice = '', claim] = text.split('\n');
	const after = retryAfterOf(headers);
	const texts: Readonly<Record<string, string>> = {
		location: shorten(headers.location || 'no address', 200),
		request: `${request.method} ${shorten(request.url, 300)}`,
		wait: after === undefined ? 'a minute' : inSeconds(after),
	};
	const isOpen = request.method !== 'GET' && isInconsistent === true;
	const mayBeDone = isOpen || cause === 'ambiguous';
	return {
		// A resource that may have been created must not be created again, even if the body says that it was not processed.
		cause: isOpen && request.method === 'POST' && cause !== 'rejected' ? 'ambiguous' : cause,
		message: `${message} (HTTP ${status})`,
		advice: joinSentences(
			isFirewall && pageTitle ? `The page is titled "${shorten(pageTitle, 100)}".` : '',
			advice.replace(/\{(\w+)\}/g, (_, each: string) => texts[each] ?? ''),
			mayBeDone ? tryLater(request) : '',
			serviceMessageOf(body),
		),
		claim,
		...(mayBeDone && openOutcome(request)),
		statusCode: status,
		fieldErrors: fieldErrorsOf(body),
		isPage,
		isInconsistent,
	};
}

/** Finds the first known error of a chain: n8n wraps the original error. */
function findNetworkError(error: unknown): (typeof networkErrors)[number] {
	for (let at = error, depth = 0; isRecord(at) && depth < 5; at = at.cause, depth += 1) {
		const text = `${String(at.code ?? '')} ${String(at.message ?? '').slice(0, 1000)}`;
		const known = networkErrors.find(([, pattern]) => pattern.test(text));
		if (known) return known;
	}
	return ['ambiguous', /^/, 'The connection to {host} broke before the response was complete'];
}

/**
 * Explains why no complete response arrived. Contains no text of the original error, which may contain the request's headers.
 *
 * @param error an error of Node or of axios, or an object with the `code` `canceled` or `timedOut`
 */
export function networkFailure(request: FailedRequest, error: unknown): Failure {
	const [cause, , text] = findNetworkError(error);
	const [message = '', advice = '', claim] = text.split('\n');
	const { host } = new URL(request.url);
	const wasSent = claim === undefined;
	return {
		// A create is looked up before it is retried.
		cause: wasSent && cause === 'rejected' && request.method === 'POST' ? 'ambiguous' : cause,
		message: message.replace('{host}', () => host),
		advice: joinSentences(wasSent ? tryLater(request) : '', advice),
		claim,
		...(wasSent && openOutcome(request)),
		host,
	};
}
