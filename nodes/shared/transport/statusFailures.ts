import { isRecord, shorten } from '../contract/values';
import type { HttpAnswer, HttpRequest } from './http';
import { httpDate, retryAfterOf } from './rateLimitHeaders';
import type { Failure, FieldErrors } from './serviceError';

/** A request and its response with an error status. */
interface Refusal {
	readonly request: HttpRequest;
	readonly answer: HttpAnswer;
}

type ExplainStatus = (refusal: Refusal) => Pick<Failure, 'advice' | 'cause' | 'message'>;

const checkBaseUrl =
	'Open the credential and check Base URL. It must be the address of the service itself, such as https://links.example.com, without a login page in front of it.';

/** Returns the advice after a request whose outcome is unknown. */
export const outcomeUnknown = ({ method }: Pick<HttpRequest, 'method'>) =>
	method === 'GET'
		? 'Try again later.'
		: 'The service may have processed the request: check there before you run this item again.';

const redirect: ExplainStatus = ({ answer }) => ({
	cause: 'rejected',
	message: 'The service redirected to another page instead of answering',
	advice: `The redirect goes to ${shorten(answer.headers.location ?? 'no address', 200)}. ${checkBaseUrl}`,
});

const serverError: ExplainStatus = ({ request }) => ({
	cause: 'ambiguous',
	message: 'The service failed to handle the request',
	advice: outcomeUnknown(request),
});

/** Explanations by status (assumption: error statuses). */
const byStatus: Readonly<Record<number, ExplainStatus>> = {
	401: () => ({
		cause: 'rejected',
		message: 'The service did not accept the API key',
		advice:
			'Open the credential and enter a valid API key. Most services show it in the developer settings of your account.',
	}),
	403: () => ({
		cause: 'rejected',
		message: 'The service does not allow this for the account of the API key',
		advice: 'Check whether the plan of the account includes API access.',
	}),
	404: ({ request }) => ({
		cause: 'rejected',
		message: 'The service found nothing at this address',
		advice: `${request.method} ${shorten(request.url, 300)} was not found. Check Base URL in the credential.`,
	}),
	407: () => ({
		cause: 'rejected',
		message: 'The proxy of n8n requires a login',
		advice:
			'The service did not receive the request. Set HTTP_PROXY or HTTPS_PROXY of n8n to the address of the proxy with its user and password, such as http://user:password@proxy.example.com:8080, and restart n8n.',
	}),
	419: () => ({
		cause: 'rejected',
		message: 'The website responded, not the API',
		advice: checkBaseUrl,
	}),
	422: () => ({
		cause: 'rejected',
		message: 'The service did not accept the values',
		advice: 'Correct the fields in the message, and run the node again.',
	}),
	429: ({ answer }) => ({
		cause: 'rateLimited',
		message: 'The service received too many requests',
		advice: `Wait ${waitOf(answer)} and run the node again; send fewer items at a time.`,
	}),
	503: ({ answer }) => ({
		cause: 'maintenance',
		message: 'The service is not available at the moment',
		advice: `It did not process the request. Wait ${waitOf(answer)} and run this item again.`,
	}),
};

const waitOf = ({ headers }: HttpAnswer) => {
	const after = headers['retry-after']?.trim() ?? '';
	if (httpDate.test(after)) return `until ${after}`;
	const unit = after === '1' ? 'second' : 'seconds';
	return retryAfterOf(headers) === undefined ? 'a minute' : `${after} ${unit}`;
};

const rejected: ExplainStatus = () => ({
	cause: 'rejected',
	message: 'The service refused the request',
	advice: 'Check the values of this item, and the settings of your account in the service.',
});

const statusExplanation = (status: number): ExplainStatus => {
	if (status >= 300 && status < 400) return redirect;
	return byStatus[status] ?? (status >= 500 ? serverError : rejected);
};

/**
 * Adds the message of the service to an advice, if there is one. The code never compares the message, because it is localized.
 *
 * @param hide returns a text without secrets
 */
export function withServiceMessage(
	advice: string,
	body: unknown,
	hide = (text: string): string => text,
): string {
	const message = isRecord(body) && typeof body.message === 'string' ? body.message.trim() : '';
	const shown = hide(message);
	return shown ? `${advice} The service said: ${shorten(shown, 300)}` : advice;
}

const messagesOf = (value: unknown): string[] =>
	(Array.isArray(value) ? value : [value]).filter((text) => typeof text === 'string');

const recordOr = (value: unknown) => (isRecord(value) ? value : {});

/**
 * Returns the field errors of a response; undefined if it names no field. They are in `message` if it is an object, and in the
 * framework's `errors` object (assumption: field errors).
 */
export function fieldErrorsOf(body: unknown): FieldErrors | undefined {
	if (!isRecord(body)) return undefined;
	const named = { ...recordOr(body.message), ...recordOr(body.errors) };
	const entries = Object.entries(named).map(
		([field, value]) => [field, messagesOf(value)] as const,
	);
	const withMessages = entries.filter(([, messages]) => messages.length > 0);
	return withMessages.length > 0 ? Object.fromEntries(withMessages) : undefined;
}

/**
 * Explains a response with a status other than 2xx.
 *
 * @param body the decoded JSON of the response; undefined if it is not JSON
 */
export function statusFailure(request: HttpRequest, answer: HttpAnswer, body: unknown): Failure {
	const { cause, message, advice } = statusExplanation(answer.status)({ request, answer });
	return {
		cause,
		message: `${message} (HTTP ${answer.status})`,
		advice: withServiceMessage(advice, body),
		statusCode: answer.status,
		fieldErrors: fieldErrorsOf(body),
	};
}
