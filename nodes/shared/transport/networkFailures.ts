import { isRecord } from '../contract/values';
import { outcomeUnknown } from './statusFailures';
import type { HttpRequest } from './http';
import type { AbortReason } from './inFlightRequests';
import { maxAnswerSize, tooLargeCode } from './readBody';
import type { Failure } from './serviceError';

type ExplainNetworkError = (
	request: Pick<HttpRequest, 'method' | 'url'>,
) => Pick<Failure, 'advice' | 'cause' | 'isInconsistent' | 'message'>;

const hostOf = ({ url }: Pick<HttpRequest, 'url'>) => new URL(url).host;

const refused: ExplainNetworkError = (request) => ({
	cause: 'connectFailed',
	message: `Cannot connect to ${hostOf(request)}`,
	advice: 'Nothing was sent. Check Base URL in the credential, and whether the service is running.',
});

const unresolved: ExplainNetworkError = (request) => ({
	cause: 'connectFailed',
	message: `The host ${hostOf(request)} cannot be found`,
	advice:
		'Nothing was sent. Check the spelling of Base URL in the credential, and the DNS of this machine.',
});

/** The service sent no complete response within Timeout. */
const timedOut: ExplainNetworkError = (request) => ({
	cause: 'ambiguous',
	message: `The service at ${hostOf(request)} did not respond in time`,
	advice: `${outcomeUnknown(request)} Set a longer Timeout under Options > Requests.`,
});

const certificate: ExplainNetworkError = (request) => ({
	cause: 'rejected',
	message: `The certificate of ${hostOf(request)} is not trusted`,
	advice: 'Nothing was sent. Renew the certificate, or configure n8n to trust its issuer.',
});

const canceled: ExplainNetworkError = (request) => ({
	cause: 'ended',
	message: 'The execution was canceled during the request',
	advice: outcomeUnknown(request),
	isInconsistent: true,
});

/** Explain a request that the node aborted. */
export const abortFailures: Readonly<Record<AbortReason, ExplainNetworkError>> = {
	canceled,
	timedOut,
};

/** A response that is too large to read. */
const answerTooLarge: ExplainNetworkError = (request) => ({
	// A create that is ambiguous is looked up before it is retried.
	cause: request.method === 'POST' ? 'ambiguous' : 'rejected',
	message: `The service at ${hostOf(request)} returned more than ${maxAnswerSize / 2 ** 20} MB`,
	advice: outcomeUnknown(request),
	isInconsistent: true,
});

const broken: ExplainNetworkError = (request) => ({
	cause: 'ambiguous',
	message: `The connection to ${hostOf(request)} broke before the response was complete`,
	advice: outcomeUnknown(request),
});

/** Error codes of Node and of axios, which n8n's helper uses. Every other code is a broken connection. */
const byCode = new Map<string, ExplainNetworkError>(
	Object.entries({
		ECONNREFUSED: refused,
		EHOSTUNREACH: refused,
		ENETUNREACH: refused,
		EAI_AGAIN: unresolved,
		ENOTFOUND: unresolved,
		ECONNABORTED: timedOut,
		ETIMEDOUT: timedOut,
		CERT_HAS_EXPIRED: certificate,
		DEPTH_ZERO_SELF_SIGNED_CERT: certificate,
		ERR_TLS_CERT_ALTNAME_INVALID: certificate,
		SELF_SIGNED_CERT_IN_CHAIN: certificate,
		UNABLE_TO_VERIFY_LEAF_SIGNATURE: certificate,
		[tooLargeCode]: answerTooLarge,
	}),
);

/** Explains the first known code of an error and its causes: n8n wraps the original error. */
function networkExplanation(error: unknown): ExplainNetworkError {
	for (let at = error, depth = 0; isRecord(at) && depth < 5; at = at.cause, depth += 1) {
		const explain = typeof at.code === 'string' ? byCode.get(at.code) : undefined;
		if (explain) return explain;
	}
	return broken;
}

/** Explains why no complete response arrived. Contains no text of the original error, which may contain the request's headers. */
export const networkFailure = (request: HttpRequest, error: unknown): Failure => ({
	...networkExplanation(error)(request),
	host: hostOf(request),
});
