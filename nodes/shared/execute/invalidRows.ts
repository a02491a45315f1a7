import { NodeOperationError } from 'n8n-workflow';
import type { Problem } from '../contract/encodedRow';
import { shorten } from '../contract/values';
import type { FailedRow, RowStates } from './outcome';
import type { Row } from './readRows';
import {
	adviceOf,
	errorDataOf,
	maxMessage,
	maxShownName,
	messageOf,
	rowLabel,
	progressText,
	withMessage,
	type ReportContext,
} from './nodeErrors';
import { cutText, joinTexts } from './byteLimits';
import type { RowNumbers } from './rowNumbers';

/** Max number of lines about invalid rows, so that the advice stays visible. */
const maxListed = 10;

/** Max bytes of one line, and of all lines. */
const maxLine = 400;
const maxLines = 2000;

/** Bytes of `Sheet row 5000 (` and a name. */
const maxLabel = 150;

/** Max bytes of the field errors of all listed rows. */
const maxData = 750;

const sentence = ({ field, reason }: Problem) => `${field} ${reason}`;

/** A row that cannot be sent. */
export interface InvalidRow extends Row {
	readonly encoded: readonly Problem[];
}

/** Returns the failure of an invalid row. */
export function invalidRow(row: InvalidRow): FailedRow {
	const { encoded: problems, unreadNames, index } = row;
	const keys = [...new Set(problems.map(({ key }) => key))];
	const of = (key: string) => problems.filter((problem) => problem.key === key).map(sentence);
	return {
		index,
		row,
		failure: {
			cause: unreadNames?.cause ?? 'rejected',
			message: joinTexts(problems.map(sentence), '. ', maxMessage - maxLabel),
			advice: [
				'Nothing was sent for this item.',
				...(unreadNames ? [unreadNames.advice] : []),
			].join(' '),
			fieldErrors: Object.fromEntries(keys.map((key) => [key, of(key)])),
		},
	};
}

/** Max number of ranges of row numbers. */
const maxRanges = 10;

/** Max number of rows that a message lists by name. */
const fewRows = 3;

/** Returns `items 2 (spring-2), 4 (spring-4)`, or ranges such as `items 1–20` for more than a few rows. */
function rowsText({ numbers }: ReportContext, rows: readonly InvalidRow[]): string {
	const indexes = rows.map(({ index }) => index);
	if (rows.length > fewRows) return `${numbers.plural} ${numbers.ranges(indexes, maxRanges)}`;
	const names = rows.map(({ index, name }) =>
		numbers.numbered(index, name === undefined ? undefined : shorten(name, maxShownName)),
	);
	return `${numbers.plural} ${names.join(', ')}`;
}

/** A clause up to its remedy. Quoted values may contain a semicolon. */
const beforeRemedy = /^(?:"(?:[^"\\]|\\.)*"|[^";])*(?=;|$)/s;

/** The value in a clause: the first quoted text, or a number at the start. */
const valueInClause = /^-?\d[\d.e+-]*(?= )|"(?:[^"\\]|\\.)*"/s;

/** A problem of several rows. */
interface Fault {
	/** The problem with the value of the first row. */
	readonly problem: Problem;
	readonly value: string;
	readonly rows: InvalidRow[];
	/** Whether the rows have different values. */
	isVaried: boolean;
}

/** Returns the clause of a reason up to its remedy. */
const clauseOf = (reason: string): string => {
	const [clause = reason] = reason.slice(0, maxLine).match(beforeRemedy) ?? [];
	return clause;
};

/** Returns the value that a reason quotes; an empty text if it quotes none. */
const valueOf = ({ reason }: Problem): string => valueInClause.exec(clauseOf(reason))?.[0] ?? '';

/** Returns a text without a value. A value that is not at the start leaves an ellipsis. */
const withoutValue = (text: string, value: string): string =>
	text.startsWith(value) ? text.slice(value.length).trimStart() : text.replace(value, () => '…');

/**
 * Returns `Destination URL must start with https:// in items 1–20, such as "example.com"; …`. If all rows have the same
 * value, it remains in its place.
 */
function inRows(context: ReportContext, { problem, value, isVaried, rows }: Fault): string {
	const { field, reason } = problem;
	const clause = clauseOf(reason);
	const shown = isVaried ? withoutValue(clause, value) : clause;
	const example = isVaried ? `, such as ${value}` : '';
	return `${field} ${shown} in ${rowsText(context, rows)}${example}${reason.slice(clause.length)}`;
}

/** A line about invalid rows, and its rows. */
interface Line {
	readonly text: string;
	readonly rows: readonly InvalidRow[];
}

/** Returns the problems of each row with their faults. Problems that differ only in the value have one fault. */
function faultsOf(rows: readonly InvalidRow[]) {
	const faults = new Map<string, Fault>();
	const faultOf = (row: InvalidRow, problem: Problem): Fault => {
		const value = valueOf(problem);
		const key = `${problem.field} ${withoutValue(problem.reason, value)}`;
		const fault = faults.get(key) ?? { problem, value, rows: [], isVaried: false };
		faults.set(key, fault);
		if (fault.rows.at(-1) !== row) fault.rows.push(row);
		fault.isVaried ||= value !== fault.value;
		return fault;
	};
	return rows.map((row) => ({
		row,
		problems: row.encoded.map((problem) => ({ problem, fault: faultOf(row, problem) })),
	}));
}

/** Returns the lines about invalid rows: a line for each fault of several rows, and a line for the other problems of each row. */
function linesOf(context: ReportContext, rows: readonly InvalidRow[]): Line[] {
	return faultsOf(rows).flatMap(({ row, problems }) => {
		const own = problems.filter(({ fault }) => fault.rows.length === 1);
		const sentences = new Set(own.map(({ problem }) => sentence(problem)));
		const faults = new Set(problems.map(({ fault }) => fault));
		const shared = [...faults]
			.filter((fault) => fault.rows.length > 1 && fault.rows[0] === row)
			.map((fault): Line => ({ text: `${inRows(context, fault)}.`, rows: fault.rows }));
		const label = rowLabel(context, { index: row.index, row });
		const text = `${label}${[...sentences].join('. ')}.`;
		return [...(own.length > 0 ? [{ text, rows: [row] }] : []), ...shared];
	});
}

/** Returns a line about the rows that are not listed. */
function unlistedText(lines: readonly Line[], total: number, { noun }: RowNumbers): string[] {
	if (lines.length <= maxListed) return [];
	const listed = new Set(lines.slice(0, maxListed).flatMap(({ rows }) => rows));
	const more = total - listed.size;
	return [more > 0 ? `… and ${more} more ${noun}s.` : `… and more of these ${noun}s.`];
}

/** Returns the description of the error: the invalid rows, unless the message is about a single one, and what to do. */
function descriptionOf(
	{ numbers }: ReportContext,
	lines: readonly Line[],
	rows: readonly InvalidRow[],
	states: RowStates,
) {
	const listed = lines.slice(0, maxListed);
	const mostOfLine = Math.min(maxLine, maxLines / listed.length);
	const isFirstTry = [...states.values()].every((state) => state === 'not sent');
	const advice = new Set(
		rows.flatMap(({ unreadNames }) => (unreadNames ? adviceOf(unreadNames) : [])),
	);
	return [
		...listed.map(({ text }) => cutText(text, mostOfLine)),
		...unlistedText(lines, rows.length, numbers),
		isFirstTry
			? 'Nothing was sent.'
			: `Nothing was sent in this try.${progressText(states, numbers)}`,
		...advice,
	].join('\n');
}

/**
 * Returns the error that stops a run before it sends anything. It lists all invalid rows. It has no item index, because
 * the editor would append it to the message, counted from 0.
 *
 * @param states the states of all rows, because an earlier try of the run may have sent some
 */
export function invalidRowsError(
	context: ReportContext,
	rows: readonly InvalidRow[],
	states: RowStates,
): NodeOperationError {
	const { node, numbers } = context;
	const [first] = rows;
	const single = rows.length === 1 && first ? messageOf(context, invalidRow(first)) : undefined;
	const message = single ?? `${rows.length} of ${numbers.counted(states.size)} cannot be sent`;
	const lines = single === undefined ? linesOf(context, rows) : [];
	const error = new NodeOperationError(node, message, {
		description: descriptionOf(context, lines, rows, states),
	});
	const listed = rows.slice(0, maxListed);
	const mostOfRow = maxData / listed.length;
	const dataOf = (row: InvalidRow) => errorDataOf(invalidRow(row).failure, mostOfRow);
	error.context.data = {
		rows: listed.map((row) => ({ ...numbers.dataOf(row.index), ...dataOf(row) })),
	};
	return withMessage(error, node, message);
}
