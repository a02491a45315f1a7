import { NodeOperationError } from 'n8n-workflow';
import { reasonText, shorten } from '../contract/values';
import type { Problem } from '../contract/types';
import { inputsToIgnore } from '../description/parameters';
import { cutText, fittingTexts, joinTexts } from './byteLimits';
import { columnText } from './cells';
import {
	adviceOf,
	errorDataOf,
	maxMessage,
	maxShownName,
	messageOf,
	progressText,
	rowLabel,
	withMessage,
	type ReportContext,
} from './nodeErrors';
import type { FailedRow, RowStates } from './outcome';
import type { Row } from './readRows';
import { capitalized } from './rowNumbers';

/** A row that cannot be sent. */
export interface InvalidRow extends Row {
	readonly encoded: readonly Problem[];
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
	const keys = [...new Set(problems.map(({ key }) => key))];
	const sentencesOf = (key: string) =>
		problems.filter((problem) => problem.key === key).map(sentenceOf);
	const advice = ['Nothing was sent for this item.', ...(unreadNames ? [unreadNames.advice] : [])];
	return {
		index,
		row,
		failure: {
			cause: unreadNames?.cause ?? 'rejected',
			message: joinTexts(problems.map(sentenceOf), '. ', maxMessage - maxLabel),
			advice: advice.join(' '),
			fieldErrors: Object.fromEntries(keys.map((key) => [key, sentencesOf(key)])),
		},
	};
}

/** Max number of ranges of row numbers. */
const maxRanges = 10;

/** Max number of rows that a line lists by name. */
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

/** A problem, and the rows that have it, maybe with other values. */
interface Fault {
	readonly problem: Problem;
	readonly rows: InvalidRow[];
	isVaried: boolean;
}

/** Returns the sentence about a problem without its value, which is the same for all rows with the problem. */
const keyOf = (problem: Problem): string => sentenceOf({ ...problem, value: problem.value && '…' });

/** Returns the problems of all rows. */
function faultsOf(rows: readonly InvalidRow[]): ReadonlyMap<string, Fault> {
	const faults = new Map<string, Fault>();
	for (const row of rows) {
		for (const problem of row.encoded) {
			const fault = faults.get(keyOf(problem)) ?? { problem, rows: [], isVaried: false };
			faults.set(keyOf(problem), fault);
			if (fault.rows.at(-1) !== row) fault.rows.push(row);
			fault.isVaried ||= problem.value !== fault.problem.value;
		}
	}
	return faults;
}

/** A line about invalid rows, and its rows. */
interface Line {
	readonly text: string;
	readonly rows: readonly InvalidRow[];
}

/** Returns `Items 1–20: Destination URL "example.com", … must start with https://`. */
function sharedLine(context: ReportContext, { problem, isVaried, rows }: Fault): Line {
	const value = isVaried && problem.value ? `${problem.value}, …` : problem.value;
	const text = `${capitalized(rowsText(context, rows))}: ${sentenceOf({ ...problem, value })}.`;
	return { text, rows };
}

/** Returns the lines about invalid rows: one for the own problems of each row, and one for each problem of several rows. */
function linesOf(context: ReportContext, rows: readonly InvalidRow[]): Line[] {
	const faults = faultsOf(rows);
	return rows.flatMap((row): Line[] => {
		const isOwn = (problem: Problem) => faults.get(keyOf(problem))?.rows.length === 1;
		const own = [...new Set(row.encoded.filter(isOwn).map(sentenceOf))].join('. ');
		const others = row.encoded.flatMap((problem) => faults.get(keyOf(problem)) ?? []);
		const shared = [...new Set(others)].filter(
			(fault) => fault.rows.length > 1 && fault.rows[0] === row,
		);
		const label = rowLabel(context, { index: row.index, row });
		return [
			...(own ? [{ text: `${label}${own}.`, rows: [row] }] : []),
			...shared.map((fault) => sharedLine(context, fault)),
		];
	});
}

/** Max number of lines about invalid rows, so that the advice stays visible. */
const maxListed = 20;

/** Max bytes of one line, and of all lines. */
const maxLine = 400;
const maxLines = 2000;

/** Returns the lines about invalid rows, and the number of rows that they leave out. */
function listedLines({ numbers: { noun } }: ReportContext, lines: readonly Line[], total: number) {
	const texts = lines.slice(0, maxListed).map(({ text }) => cutText(text, maxLine));
	const listed = fittingTexts(texts, '\n', maxLines);
	if (listed.length === lines.length) return listed;
	const more = total - new Set(lines.slice(0, listed.length).flatMap(({ rows }) => rows)).size;
	return [...listed, more > 0 ? `and ${more} more ${noun}s.` : `and more of these ${noun}s.`];
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
	rows: readonly InvalidRow[],
	states: RowStates,
): NodeOperationError {
	const { node, numbers } = context;
	const [first] = rows;
	const single = rows.length === 1 && first ? messageOf(context, invalidRow(first)) : undefined;
	const message = single ?? `${rows.length} of ${numbers.counted(states.size)} cannot be sent`;
	const lines = single === undefined ? linesOf(context, rows) : [];
	const isFirstTry = [...states.values()].every((state) => state === 'not sent');
	const advice = rows.flatMap(({ unreadNames }) => (unreadNames ? adviceOf(unreadNames) : []));
	const description = [
		...listedLines(context, lines, rows.length),
		isFirstTry
			? 'Nothing was sent.'
			: `Nothing was sent in this try.${progressText(states, numbers)}`,
		...new Set(advice),
	].join('\n');
	const error = new NodeOperationError(node, message, { description });
	const shown = rows.slice(0, maxRowsOfData);
	error.context.data = {
		rows: shown.map((row) => ({
			...numbers.dataOf(row.index),
			...errorDataOf(invalidRow(row).failure, maxData / shown.length),
		})),
	};
	return withMessage(error, node, message);
}
