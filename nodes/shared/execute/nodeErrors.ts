import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import { shorten } from '../contract/values';
import type { Failure } from '../transport/failures';
import { fieldErrorText } from './fieldErrors';
import type { FailedRow, RowState, RowStates } from './outcome';
import { capitalized, type RowNumbers } from './rowNumbers';
import { cutText, limitFieldErrors } from './byteLimits';

/**
 * Returns whether a node runs as a tool of an AI agent. n8n adds `Tool` to the type of each tool variant. Its `isToolExecution`
 * returns false for the tools of the current AI Agent, because n8n's engine runs them like other nodes.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** Returns the tool output for an empty list. n8n would pass an empty text to the model, which is ambiguous. */
export const nothingFound = ({ name }: ResourceContract): IDataObject => ({
	message: `No ${name.toLowerCase()} was found. Search for another text, or in another field.`,
});

/**
 * Max bytes of the message of an error, and of its description without the state of the run. With the field errors, and the
 * message again in the stack, n8n stores less than 4 kB.
 */
export const maxMessage = 750;
const maxAdvice = 600;

/** Returns the error for invalid settings or columns that stop the run. */
export const settingsError = (
	node: INode,
	message: string,
	description = 'Nothing was sent.',
): NodeOperationError =>
	new NodeOperationError(node, cutText(message, maxMessage), { description });

/** The context of the errors of a run. */
export interface ReportContext {
	readonly node: INode;
	readonly contract: ResourceContract;
	readonly numbers: RowNumbers;
}

/** Max number of characters of a name next to the number of a row. */
export const maxShownName = 40;

/**
 * Returns `Item 7 (spring-7): `. Empty if the only item has its values from the form, and for a tool, because a model calls it
 * for one item at a time.
 */
export function rowLabel(
	{ node, numbers }: ReportContext,
	{ index, row }: Pick<FailedRow, 'index' | 'row'>,
): string {
	if (isTool(node) || numbers.isSingle) return '';
	const name = row?.name === undefined ? undefined : shorten(row.name, maxShownName);
	return `${capitalized(numbers.row(index, name))}: `;
}

/** Returns the advice of a failure, as n8n stores it. */
export const adviceOf = ({ advice }: Failure): string => cutText(advice, maxAdvice);

/** Returns the message of a failed row: which row, what happened, and the messages of the service about each field. */
export function messageOf(context: ReportContext, failed: FailedRow): string {
	const { failure, row, removed } = failed;
	const named =
		failure.statusCode !== undefined && failure.fieldErrors
			? `: ${fieldErrorText(context.contract, row, failure.fieldErrors)}`
			: '';
	const of = removed ? `${removed.name}: ` : rowLabel(context, failed);
	return cutText(`${failure.isRunLevel ? '' : of}${failure.message}${named}`, maxMessage);
}

/**
 * Sets the message of an error again, because n8n replaces a message that contains an error code. The message of a tool
 * includes the description, because n8n passes only the message to the model.
 */
export function withMessage<E extends NodeApiError | NodeOperationError>(
	error: E,
	node: INode,
	message: string,
): E {
	error.message = isTool(node)
		? `${message.replace(/\.$/, '')}. ${error.description ?? ''}`.trim()
		: message;
	return error;
}

/** Returns the state of a run that a row stopped, so that the user does not send the finished rows again. */
export function progressText(states: RowStates, numbers: RowNumbers): string {
	if (states.size === 1) return '';
	const rows = new Map<RowState, number[]>([
		['done', []],
		['not sent', []],
		['failed', []],
		['unknown', []],
	]);
	for (const [index, state] of states) rows.get(state)?.push(index);
	const reported = [...rows].filter(([state, indexes]) => state === 'done' || indexes.length > 0);
	const label = capitalized(numbers.plural);
	return reported
		.map(([state, indexes]) => ` ${label} ${state}: ${numbers.ranges(indexes) || 'none'}.`)
		.join('');
}

/** Returns whether it is safe and useful to run the same row again. */
const isRetryable = ({ cause, outcome }: Failure): boolean =>
	cause !== 'rejected' && cause !== 'unsupported' && outcome !== 'unknown';

/**
 * Returns the data of a failure that a workflow can use.
 *
 * @param most max bytes of the field errors
 */
export const errorDataOf = (failure: Failure, most?: number) => ({
	outcome: failure.outcome ?? 'failed',
	retryable: isRetryable(failure),
	...(failure.statusCode === undefined ? {} : { statusCode: failure.statusCode }),
	...(failure.fieldErrors
		? { fieldErrors: { ...limitFieldErrors(failure.fieldErrors, most) } }
		: {}),
});

/**
 * Returns the error of a row for n8n, with the number of the row, the status code and the field errors as data.
 *
 * @param progress the state of the run, from `progressText`
 */
export function rowError(context: ReportContext, row: FailedRow, progress: string): NodeApiError {
	const { node, numbers } = context;
	const { statusCode, isRunLevel } = row.failure;
	const message = messageOf(context, row);
	const number = isRunLevel || row.removed ? {} : numbers.dataOf(row.index);
	const data = { ...number, statusCode: null, fieldErrors: {}, ...errorDataOf(row.failure) };
	const error = new NodeApiError(node, JSON.parse(JSON.stringify(data)), {
		message,
		description: `${adviceOf(row.failure)}${progress}`,
		httpCode: statusCode === undefined ? undefined : String(statusCode),
	});
	error.context.data = data;
	return withMessage(error, node, message);
}
