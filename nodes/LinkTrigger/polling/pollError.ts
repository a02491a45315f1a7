import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { forEditor } from '../../shared/contract/escape';
import { ServiceError, type Failure } from '../../shared/transport/serviceError';

/** How n8n names why a poll failed: its durable engine waits accordingly before it polls again. */
const causeOf = ({ statusCode }: Failure) =>
	statusCode === 401 || statusCode === 403 ? 'credential-invalid' : 'temporarily-unavailable';

/** What n8n's durable engine looks at in the error of a poll. */
const withCause = <E extends Error>(error: E, cause: string): E =>
	Object.assign(error, { failure: { cause } });

function serviceError(node: INode, failure: Failure): NodeApiError {
	const { message, advice, statusCode } = failure;
	const httpCode = statusCode === undefined ? undefined : String(statusCode);
	const error = new NodeApiError(node, {}, { message, description: advice, httpCode });
	// n8n swaps a message that happens to hold an error code's letters for a text of its own.
	error.message = message;
	return error;
}

/** The error of a poll for n8n, with the `failure` that its durable engine looks at. */
export function pollError(node: INode, error: unknown): unknown {
	if (error instanceof ServiceError) {
		return withCause(forEditor(serviceError(node, error.failure)), causeOf(error.failure));
	}
	return error instanceof NodeOperationError
		? withCause(forEditor(error), 'configuration-invalid')
		: error;
}
