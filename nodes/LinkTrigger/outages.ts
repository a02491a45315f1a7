import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type IPollFunctions,
} from 'n8n-workflow';
import { forEditor } from '../shared/contract/text';
import { ServiceError, type Failure } from '../shared/transport/failures';

/** Returns a unique name of the node in this process. */
const pollerKey = (context: IPollFunctions): string =>
	`${context.getWorkflow().id} ${context.getNode().id}`;

/**
 * The names of the nodes with a poll in progress. n8n's classic engine can start a poll while the last poll is in progress. The
 * durable engine does so if two poll times of a node are due at once, with separate static data for each poll.
 */
const inProgress = new Set<string>();

/**
 * Whether the last poll of a node failed, by its static data. Has the nodes that are active: one of their polls has succeeded,
 * or n8n itself has just started.
 */
const failing = new WeakMap<IDataObject, boolean>();

/** The nodes whose last poll failed after it read some of the lists. */
const failedInPart = new Set<string>();

/**
 * Polls, unless a poll of the same node is in progress, which finds the same events.
 *
 * @returns the result of `work`; empty if it was not called
 */
export async function pollAlone<T>(context: IPollFunctions, work: () => Promise<T[]>) {
	const staticData = context.getWorkflowStaticData('node');
	const name = pollerKey(context);
	if (inProgress.has(name)) return [];
	inProgress.add(name);
	const result = await work().finally(() => inProgress.delete(name));
	failing.set(staticData, false);
	return result;
}

/**
 * Returns whether a poll throws a failure. n8n retries a failed activation a few times, and each try must fail. When n8n
 * starts, it would deactivate the workflow after these tries. Later, an outage is thrown once in the classic engine. The
 * durable engine starts each poll with separate static data.
 */
export function isThrown(context: IPollFunctions): boolean {
	const staticData = context.getWorkflowStaticData('node');
	const isStart = ['init', 'leadershipChange'].includes(context.getActivationMode());
	const hasFailed = failing.get(staticData);
	if (hasFailed === undefined) {
		// The next poll reports the failure of a start.
		if (isStart) failing.set(staticData, false);
		return !isStart;
	}
	failing.set(staticData, true);
	return !hasFailed;
}

/**
 * Returns whether a failing poll ends without its failure, so that n8n stores what it read: every second poll that has read
 * some of the lists. The durable engine discards the state of a poll that throws, the classic engine keeps it.
 *
 * @param hasRead whether the poll has read some of the lists
 */
export function staysQuiet(context: IPollFunctions, hasRead: boolean): boolean {
	if (failing.has(context.getWorkflowStaticData('node'))) return false;
	const name = pollerKey(context);
	if (failedInPart.delete(name)) return hasRead;
	if (hasRead) failedInPart.add(name);
	return false;
}

/** n8n's names for the cause of a failed poll. Its durable engine chooses the delay until the next poll by them. */
const causeOf = ({ cause, statusCode = 0 }: Failure) => {
	if (cause === 'unsupported') return 'configuration-invalid';
	return [401, 403].includes(statusCode) ? 'credential-invalid' : 'temporarily-unavailable';
};

/** Returns the error of a poll for n8n, with the `failure` that its durable engine reads. */
export function pollError(node: INode, error: unknown): unknown {
	if (error instanceof NodeOperationError) {
		return Object.assign(forEditor(error), { failure: { cause: 'configuration-invalid' } });
	}
	if (!(error instanceof ServiceError)) return error;
	const { message, advice, statusCode } = error.failure;
	const httpCode = statusCode?.toString();
	const apiError = new NodeApiError(node, {}, { message, description: advice, httpCode });
	// n8n replaces a message that contains an error code.
	apiError.message = message;
	return Object.assign(forEditor(apiError), { failure: { cause: causeOf(error.failure) } });
}
