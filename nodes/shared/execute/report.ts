import { NodeApiError, NodeOperationError, type IDataObject, type INode } from 'n8n-workflow';
import type { Problem } from '../contract/encodeRow';
import type { ResourceContract } from '../contract/types';
import { shorten } from '../contract/values';
import type { Failure } from '../transport/serviceError';
import { fieldErrorText } from './fieldErrors';
import type { FailedRow, RowState } from './outcome';
import type { Row } from './readRows';

/**
 * Whether a node runs as a tool of an AI agent. n8n gives each tool variant this name; its `isToolExecution` says no for
 * the tools of the present AI Agent, which n8n's engine runs like ordinary nodes.
 */
export const isTool = ({ type }: INode): boolean => type.endsWith('Tool');

/** What a model is told of an empty list; n8n would hand it an empty text, which may mean anything. */
export const nothingFound = ({ name }: ResourceContract): IDataObject => ({
	message: `No ${name.toLowerCase()} was found. Search for another text, or in another field.`,
});

/** So many rows are written out; a sheet of thousands of bad rows would drown the sentence that helps. */
const maxListed = 10;

/** So much of one row is written out, in characters. */
const maxLine = 200;

/** What the errors of a run are told by. */
export interface ReportContext {
	readonly node: INode;
	readonly contract: ResourceContract;
}

/** So much of a name stands beside a row's number, in characters. */
const maxName = 40;

/** `Row 7 (spring-7): `. People count rows from 1. A tool is called for one at a time, and a model knows of no rows. */
function rowLabel({ node }: ReportContext, { index, row }: FailedRow): string {
	if (isTool(node)) return '';
	const name = row?.name;
	return name === undefined
		? `Row ${index + 1}: `
		: `Row ${index + 1} (${shorten(name, maxName)}): `;
}

const sentence = ({ field, reason }: Problem) => `${field} ${reason}`;

/** The problems of one row as the failure that a failing row hands on. */
export function invalidRow(row: Row, problems: readonly Problem[]): FailedRow {
	const keys = [...new Set(problems.map(({ key }) => key))];
	const of = (key: string) => problems.filter((problem) => problem.key === key).map(sentence);
	return {
		index: row.index,
		row,
		failure: {
			cause: 'rejected',
			message: problems.map(sentence).join('. '),
			advice: 'Nothing was sent for this row.',
			fieldErrors: Object.fromEntries(keys.map((key) => [key, of(key)])),
		},
	};
}

/** The one sentence about a failed row: which row, what happened, and the service's words on each field. */
export function messageOf(context: ReportContext, failed: FailedRow): string {
	const { failure, row, subject } = failed;
	const named =
		failure.statusCode !== undefined && failure.fieldErrors
			? `: ${fieldErrorText(context.contract, row, failure.fieldErrors)}`
			: '';
	const of = subject ? `${subject.name}: ` : rowLabel(context, failed);
	return `${failure.isOfRun ? '' : of}${failure.message}${named}`;
}

/**
 * n8n swaps a message that happens to hold an error code's letters for a text of its own; this puts ours back. Of an
 * error n8n hands a model the message only, so that for a tool the remedy stands there too.
 */
function worded<E extends NodeApiError | NodeOperationError>(
	error: E,
	node: INode,
	message: string,
): E {
	error.message = isTool(node)
		? `${message.replace(/\.$/, '')}. ${error.description ?? ''}`.trim()
		: message;
	return error;
}

/**
 * The error that stops a run before anything was sent: all bad rows together. Like all errors here it has no item index:
 * the editor would write it behind the message, counted from 0.
 */
export function invalidRowsError(
	context: ReportContext,
	rows: readonly FailedRow[],
	total: number,
): NodeOperationError {
	const lines = rows.map((row) => `${rowLabel(context, row)}${row.failure.message}.`);
	const listed = lines
		.slice(0, maxListed)
		.map((line) => (line.length > maxLine ? `${line.slice(0, maxLine - 1)}…` : line));
	const more = lines.length > maxListed ? [`… and ${lines.length - maxListed} more rows.`] : [];
	const [first] = lines;
	const single = rows.length === 1 && first !== undefined;
	const message = single ? first.slice(0, -1) : `${rows.length} of ${total} rows cannot be sent`;
	const description = [...(single ? [] : [...listed, ...more]), 'Nothing was sent.'].join('\n');
	const { node } = context;
	const error = new NodeOperationError(node, message, { description });
	const told = rows.slice(0, single ? 1 : maxListed);
	error.context.data = { rows: told.map(({ index, failure }) => ({ row: index + 1, ...failure })) };
	return worded(error, node, message);
}

/** Row numbers as people write them: `1–4, 6`. */
function ranges(indexes: readonly number[]): string {
	const runs: Array<{ from: number; to: number }> = [];
	for (const index of indexes) {
		const last = runs.at(-1);
		if (last?.to === index - 1) last.to = index;
		else runs.push({ from: index, to: index });
	}
	return runs
		.map(({ from, to }) => (from === to ? `${from + 1}` : `${from + 1}–${to + 1}`))
		.join(', ');
}

/** Where the run stood when a row stopped it, so that nobody sends the finished rows again. */
export function standOf(states: readonly RowState[]): string {
	if (states.length === 1) return '';
	const rows = new Map<RowState, number[]>([
		['done', []],
		['not sent', []],
		['failed', []],
		['unknown', []],
	]);
	states.forEach((state, index) => rows.get(state)?.push(index));
	const told = [...rows].filter(([state, indexes]) => state === 'done' || indexes.length > 0);
	return told.map(([state, indexes]) => ` Rows ${state}: ${ranges(indexes) || 'none'}.`).join('');
}

/** Whether running the same row again can help and does no harm. */
const isRetryable = ({ cause, outcome }: Failure): boolean =>
	cause !== 'rejected' && outcome !== 'unknown';

/** What a workflow can decide by after a failure. */
export const errorDataOf = (failure: Failure) => ({
	outcome: failure.outcome ?? 'failed',
	retryable: isRetryable(failure),
	...(failure.statusCode === undefined ? {} : { statusCode: failure.statusCode }),
	...(failure.fieldErrors ? { fieldErrors: { ...failure.fieldErrors } } : {}),
});

/**
 * The error of a row for n8n, with the number of the row, the status code and the field errors as data.
 *
 * @param stand where the run stood, as `standOf` tells
 */
export function rowError(context: ReportContext, row: FailedRow, stand: string): NodeApiError {
	const { node } = context;
	const { statusCode, advice, isOfRun } = row.failure;
	const message = messageOf(context, row);
	const number = isOfRun || row.subject ? {} : { row: row.index + 1 };
	const data = { ...number, statusCode: null, fieldErrors: {}, ...errorDataOf(row.failure) };
	const error = new NodeApiError(node, JSON.parse(JSON.stringify(data)), {
		message,
		description: `${advice}${stand}`,
		httpCode: statusCode === undefined ? undefined : String(statusCode),
	});
	error.context.data = data;
	return worded(error, node, message);
}
