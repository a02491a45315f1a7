import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import { shorten } from '../contract/values';
import type { Failure } from '../transport/serviceError';
import { fieldErrorText } from './fieldErrors';
import type { FailedRow, RowState, RowStates } from './outcome';
import { capitalized, type RowNumbers } from './rowNumbers';
import { cutText, limitFieldErrors } from './byteLimits';

/**
 * Whether a node runs as a tool of an AI agent. n8n gives each tool variant this name; its `isToolExecution` says no for
 * the tools of the present AI Agent, which n8n's engine runs like ordinary nodes.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** What a model is told of an empty list; n8n would hand it an empty text, which may mean anything. */
export const nothingFound = ({ name }: ResourceContract): IDataObject => ({
	message: `No ${name.toLowerCase()} was found. Search for another text, or in another field.`,
});

/**
 * Max bytes of an error's message, and of its description apart from the state of the run. With its field errors, and its
 * message a second time in its stack, n8n stores less than 4 kB of an error.
 */
export const maxMessage = 750;
const maxAdvice = 600;

/** Returns the error of what the node is set to, or of columns, with which nothing can be done. */
export const settingsError = (
	node: INode,
	message: string,
	description = 'Nothing was sent.',
): NodeOperationError =>
	new NodeOperationError(node, cutText(message, maxMessage), { description });

/** What the errors of a run are told by. */
export interface ReportContext {
	readonly node: INode;
	readonly contract: ResourceContract;
	readonly numbers: RowNumbers;
}

/** So much of a name stands beside a row's number, in characters. */
export const maxName = 40;

/**
 * Returns `Row 7 (spring-7): `. Empty if the only row was typed into the form, and for a tool, which is called for one row at a
 * time: a model knows of no rows.
 */
export function rowLabel(
	{ node, numbers }: ReportContext,
	{ index, row }: Pick<FailedRow, 'index' | 'row'>,
): string {
	if (isTool(node) || numbers.isSingle) return '';
	const name = row?.name === undefined ? undefined : shorten(row.name, maxName);
	return `${capitalized(numbers.row(index, name))}: `;
}

/** Returns the advice of a failure, as n8n stores it. */
export const adviceOf = ({ advice }: Failure): string => cutText(advice, maxAdvice);

/** The one sentence about a failed row: which row, what happened, and the service's words on each field. */
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
 * n8n swaps a message that happens to hold an error code's letters for a text of its own; this puts ours back. Of an
 * error n8n hands a model the message only, so that for a tool the remedy stands there too.
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

/** Where the run stood when a row stopped it, so that nobody sends the finished rows again. */
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

/** Whether running the same row again can help and does no harm. */
const isRetryable = ({ cause, outcome }: Failure): boolean =>
	cause !== 'rejected' && outcome !== 'unknown';

/**
 * What a workflow can decide by after a failure.
 *
 * @param most bytes of the field errors
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
 * The error of a row for n8n, with the number of the row, the status code and the field errors as data.
 *
 * @param stand where the run stood, as `standOf` tells
 */
export function rowError(context: ReportContext, row: FailedRow, stand: string): NodeApiError {
	const { node, numbers } = context;
	const { statusCode, isRunLevel } = row.failure;
	const message = messageOf(context, row);
	const number = isRunLevel || row.removed ? {} : numbers.dataOf(row.index);
	const data = { ...number, statusCode: null, fieldErrors: {}, ...errorDataOf(row.failure) };
	const error = new NodeApiError(node, JSON.parse(JSON.stringify(data)), {
		message,
		description: `${adviceOf(row.failure)}${stand}`,
		httpCode: statusCode === undefined ? undefined : String(statusCode),
	});
	error.context.data = data;
	return withMessage(error, node, message);
}
