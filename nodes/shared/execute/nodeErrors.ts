import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { Problem } from '../contract/types';
import { reasonText } from '../contract/values';
import { inputsToIgnore } from '../description/parameters';
import type { Failure } from '../transport/failures';
import { cutText, fittingTexts, joinTexts, limitFieldErrors } from './byteLimits';
import { columnText } from './cells';
import { fieldErrorText } from './fieldErrors';
import {
	type FailedRow,
	type InvalidRow,
	type RowIdentity,
	rowStates,
	type RowStates,
} from './outcome';
import { capitalized, counted, type NodeRun, type RowNumbers } from './sheet';

/**
 * Returns whether a node runs as a tool of an AI agent. n8n adds `Tool` to the type of each tool variant. Its `isToolExecution`
 * returns false for the tools of the current AI Agent, because n8n's engine runs them like other nodes.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/**
 * Max bytes of the message of an error, and of its description without the state of the run. With the field errors, and the
 * message again in the stack, n8n stores less than 4 kB.
 */
const maxMessage = 750;
const maxAdvice = 600;

/** Returns the error for invalid settings or columns that stop the run. */
export const settingsError = (
	node: INode,
	message: string,
	description = 'Nothing was sent.',
): NodeOperationError =>
	new NodeOperationError(node, cutText(message, maxMessage), { description });

/** The context of the errors of a run. */
export type ReportContext = Pick<NodeRun, 'contract' | 'node' | 'numbers'>;

/**
 * Returns `Item 7 (spring-7): `. Empty if the only item has its values from the form, and for a tool, because a model calls it
 * for one item at a time.
 */
const rowLabel = ({ node, numbers }: ReportContext, { index, row }: RowIdentity): string =>
	isTool(node) || numbers.isSingle ? '' : `${capitalized(numbers.row(index, row?.name))}: `;

/** Returns the advice of a failure, as n8n stores it. */
export const adviceOf = ({ advice }: Failure): string => cutText(advice, maxAdvice);

/** Returns the message of a failed row: which row, what happened, and the messages of the service about each field. */
export function messageOf(context: ReportContext, failed: FailedRow): string {
	const { failure, row, removed } = failed;
	const { message, statusCode, fieldErrors, isRunLevel } = failure;
	const fields =
		statusCode !== undefined && fieldErrors
			? `: ${fieldErrorText(context.contract, row, fieldErrors)}`
			: '';
	const label = removed ? `${removed.name}: ` : rowLabel(context, failed);
	return cutText(`${isRunLevel ? '' : label}${message}${fields}`, maxMessage);
}

/**
 * Sets the message of an error again, because n8n replaces a message that contains an error code. The message of a tool
 * includes the description, because n8n passes only the message to the model.
 */
function withMessage<E extends NodeApiError | NodeOperationError>(
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
	const label = capitalized(numbers.plural);
	const texts = rowStates.map((state) => {
		const rows = [...states].flatMap(([index, each]) => (each === state ? [index] : []));
		if (rows.length === 0 && state !== 'done') return '';
		return ` ${label} ${state}: ${numbers.ranges(rows) || 'none'}.`;
	});
	return texts.join('');
}

/**
 * Returns the data of a failure that a workflow can use. `retryable` is whether it is safe and useful to run the row again.
 *
 * @param most max bytes of the field errors
 */
export const errorDataOf = (
	{ cause, outcome = 'failed', statusCode, fieldErrors }: Failure,
	most?: number,
) => ({
	outcome,
	retryable: cause !== 'rejected' && cause !== 'unsupported' && outcome !== 'unknown',
	...(statusCode === undefined ? {} : { statusCode }),
	...(fieldErrors ? { fieldErrors: { ...limitFieldErrors(fieldErrors, most) } } : {}),
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

/** Returns the sentence about a problem, without a full stop. */
function sentenceOf(problem: Problem): string {
	const { field, columns = [] } = problem;
	const names = columns.map(columnText).join(' and ');
	const noun = columns.length === 1 ? 'column' : 'columns';
	const ignore = names && `, or add the ${noun} ${names} to ${inputsToIgnore.displayName}`;
	return `${field} ${reasonText(problem)}${ignore}`;
}

/** Bytes of `Sheet row 5000 (` and a name. */
const maxLabel = 150;

/** Returns the failure of an invalid row. */
export function invalidRow(row: InvalidRow): FailedRow {
	const { encoded: problems, unreadNames, index } = row;
	const fieldErrors: Record<string, string[]> = {};
	for (const problem of problems) (fieldErrors[problem.key] ??= []).push(sentenceOf(problem));
	const advice = ['Nothing was sent for this item.', ...(unreadNames ? [unreadNames.advice] : [])];
	const message = joinTexts(problems.map(sentenceOf), '. ', maxMessage - maxLabel);
	const cause = unreadNames?.cause ?? 'rejected';
	return { index, row, failure: { cause, message, advice: advice.join(' '), fieldErrors } };
}

/** Max number of rows that a line lists by name. */
const fewRows = 3;

/** Problems with the same text apart from their values, and the rows that have them. */
interface Fault {
	readonly problems: Problem[];
	readonly rows: Set<InvalidRow>;
}

/** Returns the problems of all rows, without repeating a problem of several rows. */
function faultsOf(invalid: readonly InvalidRow[]): Iterable<Fault> {
	const faults = new Map<string, Fault>();
	for (const row of invalid) {
		for (const problem of row.encoded) {
			const text = sentenceOf({ ...problem, value: problem.value && '…' });
			const fault = faults.get(text) ?? { problems: [], rows: new Set() };
			faults.set(text, fault);
			fault.problems.push(problem);
			fault.rows.add(row);
		}
	}
	return faults.values();
}

/** Returns `Items 1–20: Destination URL "example.com", … must start with https://`. Names the rows if they are few. */
function sharedText({ numbers }: ReportContext, { problems, rows }: Fault): string {
	const named = [...rows].map(({ index, name }) => numbers.numbered(index, name)).join(', ');
	const shown =
		rows.size > fewRows
			? numbers.rows([...rows].map(({ index }) => index))
			: `${numbers.plural} ${named}`;
	const sentences = problems.slice(0, 1).map((problem) => {
		const isVaried = problems.some(({ value }) => value !== problem.value);
		const more = isVaried && problem.value ? ', …' : '';
		return sentenceOf({ ...problem, value: problem.value && `${problem.value}${more}` });
	});
	return `${capitalized(shown)}: ${sentences.join('')}.`;
}

/** A line about invalid rows, and its rows. */
interface Line {
	readonly text: string;
	readonly rows: ReadonlySet<InvalidRow>;
}

/** Returns the lines about invalid rows: one for the own problems of each row, and one for each problem of several rows. */
function linesOf(context: ReportContext, invalid: readonly InvalidRow[]): Line[] {
	const lines = new Map<Fault | InvalidRow, Line>();
	for (const fault of faultsOf(invalid)) {
		const { problems, rows } = fault;
		const [row] = rows;
		if (rows.size > 1 || !row) {
			lines.set(fault, { text: sharedText(context, fault), rows });
			continue;
		}
		const own = [...new Set(problems.map(sentenceOf))].join('. ');
		const earlier = lines.get(row);
		const start = earlier ? `${earlier.text} ` : rowLabel(context, { index: row.index, row });
		lines.set(row, { text: `${start}${own}.`, rows });
	}
	return [...lines.values()];
}

/** Max number of lines about invalid rows, so that the advice stays visible. */
const maxListed = 20;

/** Max bytes of one line, and of all lines. */
const maxLine = 400;
const maxLines = 2000;

/** Returns the lines about invalid rows, and the number of rows that they leave out. */
function listedLines(context: ReportContext, invalid: readonly InvalidRow[]): string[] {
	const lines = linesOf(context, invalid);
	const texts = lines.slice(0, maxListed).map(({ text }) => cutText(text, maxLine));
	const listed = fittingTexts(texts, '\n', maxLines);
	if (listed.length === lines.length) return listed;
	const shown = new Set(lines.slice(0, listed.length).flatMap(({ rows }) => [...rows]));
	const more = invalid.length - shown.size;
	const { noun } = context.numbers;
	return [
		...listed,
		more > 0 ? `and ${counted(more, `more ${noun}`)}.` : `and more of these ${noun}s.`,
	];
}

/** Max bytes of the field errors of all listed rows. */
const maxData = 750;

/** Max number of rows in the data of an error. */
const maxRowsOfData = 10;

/**
 * Returns the error that stops a run before it sends anything. It lists the invalid rows. It has no item index, because the
 * editor would append it to the message, counted from 0.
 *
 * @param states the states of all rows, because an earlier try of the run may have sent some
 */
export function invalidRowsError(
	context: ReportContext,
	invalid: readonly InvalidRow[],
	states: RowStates,
): NodeOperationError {
	const { node, numbers } = context;
	const failed = invalid.map(invalidRow);
	const [first] = failed;
	const isSingle = failed.length === 1 && first !== undefined;
	const message = isSingle
		? messageOf(context, first)
		: `${failed.length} of ${numbers.counted(states.size)} cannot be sent`;
	const isFirstTry = [...states.values()].every((state) => state === 'not sent');
	const description = [
		...(isSingle ? [] : listedLines(context, invalid)),
		isFirstTry
			? 'Nothing was sent.'
			: `Nothing was sent in this try.${progressText(states, numbers)}`,
		...new Set(invalid.flatMap(({ unreadNames }) => (unreadNames ? adviceOf(unreadNames) : []))),
	].join('\n');
	const error = new NodeOperationError(node, message, { description });
	const shown = failed.slice(0, maxRowsOfData);
	const rows = shown.map(({ index, failure }) => ({
		...numbers.dataOf(index),
		...errorDataOf(failure, maxData / shown.length),
	}));
	error.context.data = { rows };
	return withMessage(error, node, message);
}
