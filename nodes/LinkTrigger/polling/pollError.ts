import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { forEditor } from '../../shared/contract/escape';
import { ServiceError, type Failure } from '../../shared/transport/failures';

/** n8n's names for the cause of a failed poll. Its durable engine chooses the delay until the next poll by them. */
const causeOf = ({ cause, statusCode }: Failure) => {
	if (cause === 'unsupported') return 'configuration-invalid';
	return statusCode === 401 || statusCode === 403
		? 'credential-invalid'
		: 'temporarily-unavailable';
};

/** The part of an error that n8n's durable engine reads. */
const withCause = <E extends Error>(error: E, cause: string): E =>
	Object.assign(error, { failure: { cause } });

function serviceError(node: INode, failure: Failure): NodeApiError {
	const { message, advice, statusCode } = failure;
	const httpCode = statusCode === undefined ? undefined : String(statusCode);
	const error = new NodeApiError(node, {}, { message, description: advice, httpCode });
	// n8n replaces a message that contains an error code.
	error.message = message;
	return error;
}

/** Returns the error of a poll for n8n, with the `failure` that its durable engine reads. */
export function pollError(node: INode, error: unknown): unknown {
	if (error instanceof ServiceError) {
		return withCause(forEditor(serviceError(node, error.failure)), causeOf(error.failure));
	}
	return error instanceof NodeOperationError
		? withCause(forEditor(error), 'configuration-invalid')
		: error;
}
