import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { matchText } from '../contract/compare';
import { type EncodedRow, isEncoded, searchTextOf } from '../contract/encodedRow';
import type { EncodedField, Field, ResourceContract } from '../contract/resourceTypes';
import { formParameters } from '../contract/layout';
import { operationTable } from '../contract/operations';
import type { Problem } from '../contract/types';
import { reasonText, shorten } from '../contract/values';
import {
	capitalized,
	columnText,
	counted,
	cutText,
	firstTexts,
	inflected,
} from '../contract/wording';
import { idAndAddress, quoteSent } from '../operations/responses';
import { type FieldErrors, joinSentences } from '../transport/failures';
import { type FailedRow, type InvalidRow, progressText, type RowOutcome, stateOf } from './outcome';
import { isTool, type NodeRun } from './sheet';

/** Max number of characters of the message of an error, and of its description without the state of the run. */
const maxMessage = 750;
const maxAdvice = 600;

/** Returns the error for invalid settings or columns that stop the run. */
export const settingsError = (node: INode, message: string, description = 'Nothing was sent.') =>
	new NodeOperationError(node, cutText(message, maxMessage), { description });

/** The context of the errors of a run. */
export type ReportContext = Pick<NodeRun, 'contract' | 'node' | 'numbers' | 'rows'>;

/** Returns the encoded values of a row; undefined if it has none. */
const encodedOf = ({ row }: FailedRow): EncodedRow | undefined =>
	row && isEncoded(row.encoded) ? row.encoded : undefined;

/**
 * Returns whether a row can be run again although it may be done: it finds its resource, also one that appears late, and changes
 * only what differs.
 */
function isRepeatable(failed: FailedRow): boolean {
	const row = encodedOf(failed);
	if (!row) return false;
	const { creates, deletes } = operationTable[row.operation];
	// Without Match By, or by ID, another run creates it again.
	const isKeyed = failed.failure.isUnknownCreate && row.match.fields;
	const found = isKeyed ? searchTextOf(row) : matchText(row);
	return creates !== 'always' && !deletes && found !== undefined;
}

/** Returns what to do about a row that may be done. */
const openText = (failed: FailedRow): string =>
	isRepeatable(failed)
		? 'The service may have processed the request. Run this item again: what is done does not change.'
		: 'The service may have processed the request: check there before you run this item again.';

/** Returns the advice of a failed row. If a service of a later version has written its resource, the advice names the resource. */
export function adviceOf(failed: FailedRow): string {
	const { advice, claim = '', written, mayBeDone } = failed.failure;
	const encoded = encodedOf(failed);
	if (!written || !encoded)
		return cutText(joinSentences(mayBeDone ? openText(failed) : claim, advice), maxAdvice);
	const name = idAndAddress(encoded, written);
	return `The service has stored the ${encoded.contract.value} (${name}), but without the fields that it renamed. Check it there: it may lack its password, rules and expiration, and may not be disabled. The node sends nothing more to this service.`;
}

/** Returns the parts of a key: `country.0.key` and `country[0][key]` are `country`, `0` and `key`. */
const keyParts = (key: string): string[] => key.split(/[.[\]]/).filter((part) => part !== '');

/**
 * Returns the names of a field in messages of the service. A field can send several params, such as `expiration_date` and
 * `expiration_time`. The response to a create may name the domain without `_id` (contract 2.1, 4.2).
 */
const namesOf = ({ wire: { key, empty = [] }, type }: Field): string[] => [
	key,
	...empty.map((suffix) => `${key}${suffix}`),
	...(type === 'resourceLocator' ? [key.replace(/_id$/, '')] : []),
];

/** Returns the values that a row sent for a field; undefined if it sent no value. */
function sentOf({ fields, changes }: EncodedRow, field: Field): EncodedField | undefined {
	// The service numbers the rules of the merged list, so the number does not fit the rules of the row.
	const lists = changes.filter(({ values }) => values.every(([at]) => at === '[]'));
	return [...fields, ...lists].find((encoded) => encoded.field === field);
}

/**
 * Returns the texts that a row sent for the key of a message. In a list, `pixel_ids.1` is the second entry, and `country.0.key` is
 * an input of the first rule.
 */
function sentTexts({ values }: EncodedField, path: readonly string[]): string[] {
	const place = path.map((part) => `[${part}]`).join('');
	return values
		.filter(([suffix], index) =>
			suffix === '[]' ? [`[${index}]`, ''].includes(place) : suffix.startsWith(place),
		)
		.map(([, text]) => text);
}

/** Max number of characters of the messages about one field, and about all fields; and max number of fields. */
const maxField = 400;
const maxTotal = 550;
const maxFields = 20;

/** Returns the messages of the service about the fields of a row, each with the values that were sent. */
export function fieldErrorText(
	contract: ResourceContract,
	row: EncodedRow | undefined,
	fieldErrors: FieldErrors,
): string {
	const entries = Object.entries(fieldErrors);
	const texts = entries.slice(0, maxFields).map(([key, messages]) => {
		const [name = '', ...path] = keyParts(key);
		const said = firstTexts(messages, maxField).join(' ');
		const field = contract.fields.find((each) => namesOf(each).includes(name));
		if (!field) return `${shorten(key)}: ${said}`;
		const sent = row && sentOf(row, field);
		const number = /^\d+$/.test(path[0] ?? '') ? `, number ${Number(path[0]) + 1}` : '';
		const own = sent ? sentTexts(sent, path) : [];
		const value = row && own.length > 0 ? `Sent: ${quoteSent(row, field, own.join(', '))}` : '';
		const stop = /[\p{L}\p{N}]$/u.test(said) ? '. ' : ' ';
		return `${field.displayName}${number}: ${said}${value && `${stop}${value}`}`;
	});
	return firstTexts(texts, maxTotal, entries.length).join('; ');
}

/** Returns field errors for the data of an error, with a max number of characters for the messages of all fields. */
export function limitFieldErrors(errors: FieldErrors, most: number): FieldErrors {
	const entries = Object.entries(errors).slice(0, maxFields);
	return Object.fromEntries(
		entries.map(([key, messages]) => [shorten(key), firstTexts(messages, most / entries.length)]),
	);
}

/**
 * Returns the message of a failed row: `Item 7 (spring-7): `, what happened, and the messages of the service about each field.
 * The only item with its values from the form has no number, and neither has that of a tool, which a model calls item by item.
 */
export function messageOf(context: ReportContext, failed: FailedRow): string {
	const { node, contract, numbers } = context;
	const { failure, index, row, removed } = failed;
	const { message, statusCode, fieldErrors, isRunLevel } = failure;
	const hasFields = statusCode !== undefined && fieldErrors !== undefined;
	const fields = hasFields ? `: ${fieldErrorText(contract, encodedOf(failed), fieldErrors)}` : '';
	const isNumbered = !isTool(node) && !numbers.isSingle;
	const number = isNumbered ? `${capitalized(numbers.row(index, row?.name))}: ` : '';
	const label = removed ? `The ${contract.value} ${removed.name}, which is in no row: ` : number;
	return cutText(`${isRunLevel ? '' : label}${message}${fields}`, maxMessage);
}

/**
 * Sets the message of an error again, because n8n replaces a message that contains an error code. The message of a tool
 * includes the description, because n8n passes only the message to the model.
 */
function withMessage<E extends NodeApiError | NodeOperationError>(error: E, message: string): E {
	error.message = isTool(error.node) ? joinSentences(message, error.description ?? '') : message;
	return error;
}

/** Max number of characters of the messages of the service in the data of an error. */
const maxData = 1500;

/** Returns the data of a failure that a workflow can use. `retryable` is whether it is safe and useful to run the row again. */
export function errorDataOf(failed: FailedRow, most = maxData) {
	const { cause, mayBeDone, outcome = 'failed', statusCode, fieldErrors } = failed.failure;
	const isSafe = mayBeDone ? isRepeatable(failed) : outcome === 'failed';
	return {
		outcome,
		retryable: isSafe && cause !== 'rejected' && cause !== 'unsupported',
		...(statusCode === undefined ? {} : { statusCode }),
		...(fieldErrors ? { fieldErrors: { ...limitFieldErrors(fieldErrors, most) } } : {}),
	};
}

/**
 * Returns the error of a row for n8n, with the number of the row, the status code and the field errors as data.
 *
 * @param outcomes what has ended, if the row stops the run
 * @param recovery what to do after the run
 */
export function rowError(
	context: ReportContext,
	row: FailedRow,
	outcomes: readonly RowOutcome[] = [],
	recovery = '',
): NodeApiError {
	const { node, numbers } = context;
	const { statusCode, isRunLevel } = row.failure;
	const message = messageOf(context, row);
	const number = isRunLevel || row.removed ? {} : numbers.dataOf(row.index);
	const data = { ...number, statusCode: null, fieldErrors: {}, ...errorDataOf(row) };
	const error = new NodeApiError(node, JSON.parse(JSON.stringify(data)), {
		message,
		description: joinSentences(adviceOf(row), progressText(context, outcomes), recovery),
		httpCode: statusCode === undefined ? undefined : String(statusCode),
	});
	error.context.data = data;
	return withMessage(error, message);
}

/** Returns the sentence about a problem, without a full stop. */
function sentenceOf(problem: Problem): string {
	const { field, columns = [], isNeeded } = problem;
	const sentence = `${field} ${reasonText(problem)}`;
	if (columns.length === 0) return sentence;
	const names = columns.map(columnText).join(' and ');
	const text = inflected(columns.length);
	// Without the column, no row has a value.
	if (isNeeded) return text`${sentence} (column[|s] ${names})`;
	const { displayName } = formParameters.inputsToIgnore;
	return text`${sentence}, or add the column[|s] ${names} to ${displayName}`;
}

/** Max number of characters of all problems of a row, without the label of the row. */
const maxProblems = 600;

/** Returns the failure of an invalid row. */
export function invalidRow(row: InvalidRow): FailedRow {
	const { encoded: problems, unreadNames, index } = row;
	const fieldErrors: Record<string, string[]> = {};
	for (const problem of problems) (fieldErrors[problem.key] ??= []).push(sentenceOf(problem));
	const { advice = '', cause = 'rejected' } = unreadNames ?? {};
	const claim = 'Nothing was sent for this item.';
	const message = firstTexts(problems.map(sentenceOf), maxProblems).join('. ');
	return { index, row, failure: { cause, message, advice, claim, fieldErrors } };
}

/** Max number of lines about invalid rows, and of characters of one line, so that the advice stays visible. */
const maxLines = 20;
const maxLine = 600;

/** Returns a line for each of the first rows, and the number of the others: `Item 3 (spring): Alias is missing.` */
function linesOf({ numbers }: ReportContext, invalid: readonly InvalidRow[]): string[] {
	const lines = invalid.slice(0, maxLines).map(({ index, name, encoded }) => {
		const problems = encoded.map(sentenceOf).join('. ');
		return cutText(`${capitalized(numbers.row(index, name))}: ${problems}.`, maxLine);
	});
	const more = invalid.length - lines.length;
	return more > 0 ? [...lines, `and ${counted(more, `more ${numbers.noun}`)}.`] : lines;
}

/** Max number of rows in the data of an error. */
const maxRowsOfData = 10;

/**
 * Returns the error that stops a run before it sends anything. It lists the invalid rows. It has no item index, because the
 * editor would append it to the message, counted from 0.
 *
 * @param earlier the outcomes of earlier tries of the run, which may have sent some rows
 */
export function invalidRowsError(
	context: ReportContext,
	invalid: readonly InvalidRow[],
	earlier: readonly RowOutcome[],
): NodeOperationError {
	const { node, numbers, rows: all } = context;
	const failed = invalid.map(invalidRow);
	const [first] = failed;
	const isSingle = failed.length === 1 && first !== undefined;
	const message = isSingle
		? messageOf(context, first)
		: `${failed.length} of ${counted(all.length, numbers.noun)} cannot be sent`;
	const description = [
		...(isSingle ? [] : linesOf(context, invalid)),
		earlier.every((outcome) => stateOf(outcome) === 'not sent')
			? 'Nothing was sent.'
			: joinSentences('Nothing was sent in this try.', progressText(context, earlier)),
		...new Set(invalid.flatMap(({ unreadNames }) => (unreadNames ? unreadNames.advice : []))),
	].join('\n');
	const error = new NodeOperationError(node, message, { description });
	const rows = failed.slice(0, maxRowsOfData).map((row, _, { length }) => ({
		...numbers.dataOf(row.index),
		...errorDataOf(row, maxData / length),
	}));
	error.context.data = { rows };
	return withMessage(error, message);
}
