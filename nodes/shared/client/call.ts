import type { Pair, PlannedRequest } from '../contract/encode';
import type { HttpAnswer, HttpRequest, Service } from './http';
import { networkFailure } from './networkFailures';
import { ServiceError, type Failure } from './serviceError';
import { outcomeUnknown, statusFailure } from './statusFailures';

const formType = 'application/x-www-form-urlencoded';

const isWrite = ({ operation }: PlannedRequest) =>
	['POST', 'PUT'].includes(operation.endpoint.method);

/** The request of a plan: pairs in the form of a write, in the query of a read. */
function requestOf(service: Service, plan: PlannedRequest, page: readonly Pair[]): HttpRequest {
	const pairs = new URLSearchParams(
		[...plan.pairs, ...page].map(([name, text]): [string, string] => [name, text]),
	);
	const { method } = plan.operation.endpoint;
	const url = `${service.root}${plan.path}`;
	// Accept on writes too: without it an invalid key is answered by a login page (assumption: Accept).
	const headers = { Accept: 'application/json' };
	return isWrite(plan)
		? { method, url, headers: { ...headers, 'Content-Type': formType }, form: pairs }
		: { method, url: pairs.size > 0 ? `${url}?${pairs}` : url, headers };
}

/** The JSON of a body, or undefined where it is none. An empty body is `null`. */
function parse(body: string): unknown {
	try {
		return body.trim() === '' ? null : JSON.parse(body);
	} catch {
		return undefined;
	}
}

/** Explains a 2xx answer whose body is no JSON. */
function unreadable(request: HttpRequest, { status, body }: HttpAnswer): Failure {
	return /^\s*</.test(body)
		? {
				message: `The service answered with a web page instead of data (HTTP ${status})`,
				advice:
					'Open the credential and check Base URL: it points at the web site, or something in front of the service answers in its place.',
				statusCode: status,
			}
		: {
				message: `The service's answer is cut off or no valid JSON (HTTP ${status})`,
				advice: outcomeUnknown(request),
				statusCode: status,
			};
}

/**
 * Makes one request and returns the decoded JSON of its answer, `null` for an empty one.
 *
 * @param page query parameters of a list's page
 * @throws ServiceError for every status but 2xx, for an answer that is no JSON, and where no answer came
 */
export async function call(
	service: Service,
	plan: PlannedRequest,
	page: readonly Pair[] = [],
): Promise<unknown> {
	const request = requestOf(service, plan, page);
	const answer = await service.send(request).catch((error: unknown) => {
		return new ServiceError(networkFailure(request, error));
	});
	if (answer instanceof ServiceError) throw answer;
	const body = parse(answer.body);
	if (answer.status < 200 || answer.status > 299) {
		throw new ServiceError(statusFailure(request, answer, body));
	}
	if (body === undefined) throw new ServiceError(unreadable(request, answer));
	return body;
}
