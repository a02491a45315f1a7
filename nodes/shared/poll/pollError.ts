import { NodeApiError, type INode } from 'n8n-workflow';
import type { Failure } from '../transport/serviceError';

/** How n8n names why a poll failed: its durable engine waits accordingly before it polls again. */
const causeOf = ({ statusCode }: Failure) =>
	statusCode === 401 || statusCode === 403 ? 'credential-invalid' : 'temporarily-unavailable';

/** The error of a poll, with the `failure` that n8n's durable engine looks at. */
export function pollError(node: INode, failure: Failure): NodeApiError {
	const { message, advice, statusCode } = failure;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: advice,
			httpCode: statusCode === undefined ? undefined : String(statusCode),
		},
	);
	// n8n swaps a message that happens to hold an error code's letters for a text of its own.
	error.message = message;
	return Object.assign(error, { failure: { cause: causeOf(failure) } });
}
