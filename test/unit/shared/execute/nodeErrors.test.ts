import { linkContract } from '../../../../nodes/Link/link.contract';
import type { FailedRow, RowState } from '../../../../nodes/shared/execute/outcome';
import {
	adviceOf,
	errorDataOf,
	isTool,
	messageOf,
	nothingFound,
	settingsError,
	rowError,
	rowLabel,
	progressText,
	withMessage,
} from '../../../../nodes/shared/execute/nodeErrors';
import { RowNumbers } from '../../../../nodes/shared/execute/rowNumbers';
import { rowOf } from '../../../support/operationRun.ts';
import { nodeLike } from '../../../support/execution.ts';

const tool = { type: 'n8n-nodes.linkTool' };

const contextOf = (rows: object[] = [{}, {}], node: object = {}, isMapped = true) => ({
	node: nodeLike({}, node),
	contract: linkContract,
	numbers: new RowNumbers(
		rows.map((json) => ({ json: json as never })),
		isMapped,
	),
});

const encoded = rowOf('upsert', { url: 'https://example.com/', alias: 'a' });
const row = { index: 1, name: 'a', encoded };

const failed = (failure: object = {}, more: object = {}): FailedRow => ({
	...{ index: 1, row },
	failure: { cause: 'rejected', message: 'Refused', advice: 'Look.', ...failure },
	...more,
});

const removedResource = { name: 'The link a (ID 7)', data: { id: 7 } };

it.each<[what: string, context: ReturnType<typeof contextOf>, label: string]>([
	['a row', contextOf(), 'Item 2 (a): '],
	['a sheet row', contextOf([{ row_number: 5 }, { row_number: 8 }]), 'Sheet row 8 (a): '],
	['the only row of the form', contextOf([{}], {}, false), ''],
	['a tool', contextOf([{}, {}], tool), ''],
])('labels %s', (_what, context, label) => {
	expect(rowLabel(context, failed())).toBe(label);
});

it('shortens a long name, and does without one', () => {
	const label = rowLabel(contextOf(), { index: 0, row: { ...row, name: 'a'.repeat(50) } });
	expect(label).toBe(`Item 1 (${'a'.repeat(39)}…): `);
	expect(rowLabel(contextOf(), { index: 0 })).toBe('Item 1: ');
});

it.each<[what: string, of: FailedRow, message: string]>([
	['a row', failed(), 'Item 2 (a): Refused'],
	['the run', failed({ isRunLevel: true }), 'Refused'],
	['what is in no row', failed({}, { removed: removedResource }), 'The link a (ID 7): Refused'],
	[
		'a field',
		failed({ statusCode: 422, fieldErrors: { alias: ['Taken.'] } }),
		'Item 2 (a): Refused: Alias: Taken. Sent: "a"',
	],
	[
		'a row that was not sent',
		failed({ fieldErrors: { alias: ['Taken.'] } }),
		'Item 2 (a): Refused',
	],
])('reports %s', (_what, of, message) => {
	expect(messageOf(contextOf(), of)).toBe(message);
});

it('cuts what n8n could not store', () => {
	const long = 'a'.repeat(2000);
	expect(messageOf(contextOf(), failed({ message: long })).length).toBeLessThanOrEqual(750);
	expect(adviceOf(failed({ advice: long }).failure).length).toBeLessThanOrEqual(600);
	expect(settingsError(nodeLike(), long).message.length).toBeLessThanOrEqual(750);
});

it.each<[failure: object, data: object]>([
	[{}, { outcome: 'failed', retryable: false }],
	[{ cause: 'rateLimited' }, { outcome: 'failed', retryable: true }],
	[{ cause: 'ended' }, { outcome: 'failed', retryable: true }],
	[
		{ cause: 'ambiguous', outcome: 'unknown' },
		{ outcome: 'unknown', retryable: false },
	],
	[
		{ statusCode: 422, fieldErrors: { alias: ['Taken.'] } },
		{ outcome: 'failed', retryable: false, statusCode: 422, fieldErrors: { alias: ['Taken.'] } },
	],
])('gives a workflow the data of %j', (failure, data) => {
	expect(errorDataOf(failed(failure).failure)).toEqual(data);
});

it.each<[states: RowState[], text: string]>([
	[['failed'], ''],
	[['done', 'failed'], ' Items done: 1. Items failed: 2.'],
	[['not sent', 'unknown'], ' Items done: none. Items not sent: 1. Items unknown: 2.'],
	[['done', 'done', 'not sent'], ' Items done: 1–2. Items not sent: 3.'],
])('says where the run stood: %j', (states, text) => {
	expect(progressText(new Map(states.entries()), contextOf().numbers)).toBe(text);
});

it('makes an error of a row', () => {
	const failure = { statusCode: 404, message: 'ECONNREFUSED is in the text' };
	const error = rowError(contextOf(), failed(failure), ' Items done: 1.');
	expect(error.message).toBe('Item 2 (a): ECONNREFUSED is in the text');
	expect(error.description).toBe('Look. Items done: 1.');
	expect(error.httpCode).toBe('404');
	expect(error.context.data).toEqual({
		...{ row: 2, outcome: 'failed', retryable: false, statusCode: 404, fieldErrors: {} },
	});
	const others = rowError(contextOf(), failed({}, { removed: removedResource }), '');
	expect(others.context.data).not.toHaveProperty('row');
});

it('gives a model the advice with the message', () => {
	expect(isTool(nodeLike({}, tool))).toBe(true);
	expect(isTool(nodeLike())).toBe(false);
	const error = settingsError(nodeLike(), 'No.', 'Do this.');
	expect(withMessage(error, nodeLike({}, tool), 'No.').message).toBe('No. Do this.');
	expect(withMessage(error, nodeLike(), 'No.').message).toBe('No.');
	expect(rowError(contextOf([{}], tool), failed(), '').message).toBe('Refused. Look.');
	expect(nothingFound(linkContract)).toEqual({
		message: 'No link was found. Search for another text, or in another field.',
	});
});
