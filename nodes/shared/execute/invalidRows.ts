import { NodeOperationError } from 'n8n-workflow';
import type { Problem } from '../contract/encodedRow';
import { shorten } from '../contract/values';
import type { FailedRow, RowStates } from './outcome';
import type { Row } from './readRows';
import {
	adviceOf,
	errorDataOf,
	maxMessage,
	maxName,
	messageOf,
	rowLabel,
	progressText,
	withMessage,
	type ReportContext,
} from './nodeErrors';
import { cutText, joinTexts } from './byteLimits';

/** Max number of lines about invalid rows, so that thousands of them leave the sentence that helps in sight. */
const maxListed = 10;

/** Max bytes of one such line, and of all of them. */
const maxLine = 400;
const maxLines = 2000;

/** Bytes of `Sheet row 5000 (` and a name. */
const maxLabel = 150;

/** Max bytes of the field errors of all rows that are listed. */
const maxData = 750;

const sentence = ({ field, reason }: Problem) => `${field} ${reason}`;

/** A row that cannot be sent. */
export interface InvalidRow extends Row {
	readonly encoded: readonly Problem[];
}

/** Returns what an invalid row hands on as its failure. */
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
			advice: ['Nothing was sent for this row.', ...(unreadNames ? [unreadNames.advice] : [])].join(
				' ',
			),
			fieldErrors: Object.fromEntries(keys.map((key) => [key, of(key)])),
		},
	};
}

/** Max number of ranges of row numbers. */
const maxRanges = 10;

/** Up to this number of rows are named in a message about all of them. */
const fewRows = 3;

/** `rows 2 (spring-2), 4 (spring-4)`, or `rows 1–20` if they are many. */
function rowsText({ numbers }: ReportContext, rows: readonly InvalidRow[]): string {
	const indexes = rows.map(({ index }) => index);
	if (rows.length > fewRows) return `${numbers.plural} ${numbers.ranges(indexes, maxRanges)}`;
	const names = rows.map(({ index, name }) =>
		numbers.numbered(index, name === undefined ? undefined : shorten(name, maxName)),
	);
	return `${numbers.plural} ${names.join(', ')}`;
}

/** A clause up to its remedy: quoted values may hold a semicolon. */
const beforeRemedy = /^(?:"(?:[^"\\]|\\.)*"|[^";])*(?=;|$)/s;

/** `Destination URL is missing in rows 1–20; enter a value`. */
function inRows(context: ReportContext, message: string, rows: readonly InvalidRow[]): string {
	const [clause = message] = message.slice(0, maxLine).match(beforeRemedy) ?? [];
	return `${clause} in ${rowsText(context, rows)}${message.slice(clause.length)}`;
}

/** A line about invalid rows, and the rows that it is about. */
interface Line {
	readonly text: string;
	readonly rows: readonly InvalidRow[];
}

/** Returns the lines about invalid rows: one for each message that several rows have, and one for the others of each row. */
function linesOf(context: ReportContext, rows: readonly InvalidRow[]): Line[] {
	const rowsWith = new Map<string, InvalidRow[]>();
	for (const row of rows) {
		for (const message of new Set(row.encoded.map(sentence))) {
			const others = rowsWith.get(message);
			if (others) others.push(row);
			else rowsWith.set(message, [row]);
		}
	}
	return rows.flatMap((row) => {
		const messages = [...new Set(row.encoded.map(sentence))];
		const own = messages.filter((message) => rowsWith.get(message)?.length === 1);
		const shared = messages.flatMap((message): Line[] => {
			const others = rowsWith.get(message) ?? [];
			return others.length > 1 && others[0] === row
				? [{ text: `${inRows(context, message, others)}.`, rows: others }]
				: [];
		});
		const text = `${rowLabel(context, { index: row.index, row })}${own.join('. ')}.`;
		return [...(own.length > 0 ? [{ text, rows: [row] }] : []), ...shared];
	});
}

/** Says how much the lines that are listed leave out. */
function restOf(lines: readonly Line[], total: number): string[] {
	if (lines.length <= maxListed) return [];
	const listed = new Set(lines.slice(0, maxListed).flatMap(({ rows }) => rows));
	const more = total - listed.size;
	return [more > 0 ? `… and ${more} more rows.` : '… and more of these rows.'];
}

/** Returns the text under the error about invalid rows: the rows, unless the message is about the only one, and what to do. */
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
		...restOf(lines, rows.length),
		isFirstTry
			? 'Nothing was sent.'
			: `Nothing was sent in this try.${progressText(states, numbers)}`,
		...advice,
	].join('\n');
}

/**
 * Returns the error that stops a run before anything was sent: it names all invalid rows. Like all errors here it has no
 * item index: the editor would write it behind the message, counted from 0.
 *
 * @param states of all rows, because an earlier try of the run may have sent some of them
 */
export function invalidRowsError(
	context: ReportContext,
	rows: readonly InvalidRow[],
	states: RowStates,
): NodeOperationError {
	const { node, numbers } = context;
	const [first] = rows;
	const single = rows.length === 1 && first ? messageOf(context, invalidRow(first)) : undefined;
	const message = single ?? `${rows.length} of ${states.size} rows cannot be sent`;
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
