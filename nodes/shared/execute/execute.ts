import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { isEncoded } from '../contract/encodedRow';
import type { OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import type { RequestedNames } from '../contract/requestedNames';
import { returnsResources } from '../contract/formLayout';
import { escapeHtml, forEditor } from '../contract/escape';
import { quoteText } from '../contract/values';
import type { ApiClient } from '../transport/client';
import { operations } from '../operations/operations';
import { readNames } from '../operations/readNames';
import { connect } from '../transport/connect';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError, type Failure } from '../transport/serviceError';
import { checkFixedResource } from './fixedResource';
import { invalidRowsError, type InvalidRow } from './invalidRows';
import { itemsOf } from './items';
import { rawOutput, readOptions, readOutput } from './options';
import { statesOf, type FailedRow, type RowOutcome } from './outcome';
import { columnsHint, readColumns, withColumnsKnown } from './readColumns';
import { readRows, type Row } from './readRows';
import { retryOnFailCache } from './retryOnFailCache';
import { markDuplicates } from './duplicateRows';
import { ResultCollector } from './resultCollector';
import {
	isTool,
	nothingFound,
	settingsError,
	rowError,
	progressText,
	type ReportContext,
} from './nodeErrors';
import { preparationIndex, executeRows } from './rowExecutor';
import { costOf, progressOf } from './progress';
import { readSheet, skippedNotes, allItems, type Sheet } from './sheet';
import { summaryOf } from './summary';
import { recoveryHintFor, recoveryHint } from './recoveryHint';
import { checkEmptyRows, checkScope, checkSettings, checkCompleteSheet } from './syncGuards';

/** The choice that n8n adds to the lists Resource and Operation of nodes whose credential its HTTP Request node can use. */
const customApiCall = '__CUSTOM_API_CALL__';

/**
 * Returns the operation that the node is set to.
 *
 * @throws NodeOperationError if there is none of that name, or if Custom API Call is chosen
 */
function operationOf(context: IExecuteFunctions, contract: ResourceContract): OperationName {
	const value = context.getNodeParameter('operation', 0, '');
	if ([value, context.getNodeParameter('resource', 0, '')].includes(customApiCall)) {
		throw settingsError(
			context.getNode(),
			'Custom API Call works in the HTTP Request node only',
			"Add an HTTP Request node, set Authentication to Predefined Credential Type, and choose the type of this node's credential. Nothing was sent.",
		);
	}
	const operation = contract.operations.find((candidate) => candidate.value === value);
	if (operation) return operation.value;
	throw settingsError(
		context.getNode(),
		`The operation ${quoteText(String(value))} does not exist; choose one from the Operation list`,
	);
}

/**
 * What the node is set to, and what each row asks for.
 *
 * @throws NodeOperationError for a setting that cannot be; ServiceError if the run ends before names are read, or if there is
 * no way to the service
 */
async function readRun(context: IExecuteFunctions, contract: ResourceContract, sheet: Sheet) {
	const node = context.getNode();
	const [first = 0] = sheet.rows;
	const operation = operationOf(context, contract);
	const options = readOptions(context, contract, operation, first);
	const output = returnsResources(operation)
		? readOutput(node, contract, (name, fallback) =>
				context.getNodeParameter(name, first, fallback),
			)
		: rawOutput;
	const { encode } = options;
	const columns = encode.takesColumns
		? readColumns(context, contract, operation, options)
		: undefined;
	if (operation === 'sync') checkSettings(context, contract, sheet);
	if (operation === 'sync' && encode.unmatchedAction !== 'keep') {
		checkCompleteSheet(context, contract);
		checkEmptyRows(node, contract, sheet);
	}
	let namesSent = 0;
	const readLists = async (requested: RequestedNames) => {
		const client = await connect(context, options.client);
		const reading = readNames(new RowRequests(client, preparationIndex), requested);
		const read = await reading.finally(() => client.close());
		namesSent = client.sent;
		return read;
	};
	const reading = {
		contract,
		operation,
		rows: sheet.rows,
		options: withColumnsKnown(encode, contract, columns),
		columns,
		readNames: readLists,
	};
	const read = await readRows(context, reading);
	checkScope(node, read, sheet.numbers);
	if (columns && operation === 'update') checkFixedResource(context, contract, read.length);
	const rows = markDuplicates(read, sheet.numbers);
	return { operation, options, output, columns, rows, namesSent };
}

/** What is read of a node's settings and input, or why it cannot be. */
async function attempt<T>(context: IExecuteFunctions, read: () => Promise<T> | T) {
	try {
		return await read();
	} catch (error) {
		if (error instanceof NodeOperationError || error instanceof ServiceError) return error;
		const cause = error instanceof Error ? error : String(error);
		const wrapped = new NodeOperationError(context.getNode(), cause);
		// Descriptions by n8n are HTML.
		wrapped.description = wrapped.description?.replace(/<\/?\w[^<>]*>/g, '');
		return wrapped;
	}
}

/** What is told of values that few people mean. */
function warningsFor(
	{ warningFor }: ResourceContract,
	rows: readonly Row[],
): NodeExecutionHint | undefined {
	const message = warningFor?.(
		rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : [])),
	);
	return message === undefined ? undefined : { message, location: 'outputPane' };
}

/** Every row as one that failed for the same reason, so that none is handed on as if it were done. */
function allFailed({ rows }: Sheet, error: NodeOperationError | ServiceError): FailedRow[] {
	const { message } = error;
	const failure: Failure =
		error instanceof ServiceError
			? { ...error.failure, isRunLevel: true }
			: { cause: 'rejected', message, advice: error.description ?? 'Nothing was sent.' };
	return rows.map((index) => ({ index, failure }));
}

/** Ends a run whose input items are all empty. */
function nothingToDo(context: IExecuteFunctions, sheet: Sheet): INodeExecutionData[][] {
	const message = `Nothing to do. ${skippedNotes(sheet).join('. ')}.`;
	context.addExecutionHints({ message, location: 'outputPane' });
	return [[]];
}

/**
 * Executes a node: every row is read and checked before anything is written, then the rows are executed side by side
 * and put back into their order. What becomes of a failing row is decided by the node's On Error setting.
 *
 * @throws NodeOperationError naming all rows that cannot be sent; NodeApiError of the first row that failed
 */
export const executeNode = async (
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> =>
	await executeRun(context, contract).catch((error: unknown) => {
		const isOwn = error instanceof NodeOperationError || error instanceof NodeApiError;
		throw isOwn ? forEditor(error, isTool(context.getNode())) : error;
	});

/** As `executeNode`, with errors in plain text. */
async function executeRun(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const continues = context.continueOnFail();
	const inputs = context.getInputData();
	const read = await attempt(context, () => readSheet(context, contract));
	const sheet = read instanceof Error ? allItems(context) : read;
	if (sheet.rows.length === 0 && sheet.empty.length > 0) return nothingToDo(context, sheet);
	const run =
		read instanceof Error
			? read
			: await attempt(context, async () => await readRun(context, contract, read));
	const { numbers } = sheet;
	const report: ReportContext = { node, contract, numbers };
	const itemsFor = (outcome: RowOutcome, includesInput: boolean) =>
		itemsOf(report, outcome, {
			input: inputs[outcome.index]?.json ?? {},
			binary: inputs[outcome.index]?.binary,
			includesInput,
			isPairedByN8n: inputs.length === 1 || inputs.length > sheet.rows.length,
		});
	if (run instanceof Error) {
		const failedRows = allFailed(sheet, run);
		const [first] = failedRows;
		if (continues) return [failedRows.flatMap((row) => itemsFor(row, false))];
		const done = retryOnFailCache(context);
		const stand = done.size > 0 ? progressText(statesOf(sheet.rows, done), numbers) : '';
		throw run instanceof ServiceError && first ? rowError(report, first, stand) : run;
	}
	const { operation, options, output, columns, rows, namesSent } = run;

	const remembered = retryOnFailCache(context);
	// A row that an earlier try has sent is not invalid, although its names cannot be read any more.
	const invalid = rows
		.filter((row): row is InvalidRow => !isEncoded(row.encoded))
		.filter(({ index }) => !remembered.has(index));
	const states = statesOf(sheet.rows, remembered);
	if (invalid.length > 0 && !continues) throw invalidRowsError(report, invalid, states);

	// What is told of all rows is asked for now, because they are forgotten as they end.
	const remark = warningsFor(contract, rows);
	const next = recoveryHintFor(contract, operation, rows, options.ignoreMissing);
	const results = new ResultCollector(sheet.rows, (outcome) =>
		itemsFor(outcome, options.includeInput),
	);
	let client: ApiClient | undefined;
	const progress = progressOf(context, rows.length, (requests) => costOf(requests, client));
	const executed = await executeRows(rows, {
		operation: operations[operation],
		items: inputs.length,
		connect: async () =>
			(client = await connect(context, { ...options.client, onPause: progress.pauses })),
		isDryRun: options.dryRun,
		showsRequests: output === rawOutput && returnsResources(operation),
		continues,
		limits: options.limits,
		ignoreMissing: options.ignoreMissing,
		output: options.dryRun ? rawOutput : output,
		finalOutcomes: remembered,
		onBegin: progress.started,
		onEnd: (outcome, requests) => {
			results.add(outcome);
			progress.ended(requests, outcome.removed === undefined);
		},
	})
		.then((done) => ({ ...done, cost: costOf(namesSent + done.requests, client) }))
		.finally(() => client?.close());
	const hint = isTool(node) || options.dryRun ? '' : recoveryHint(report, next, results);
	const { items, stopping } = results;
	if (executed.refused.length > 0) throw invalidRowsError(report, executed.refused, states);
	if (stopping && !continues) {
		const stand = stopping.failure.isRunLevel ? '' : progressText(results.states, numbers);
		throw rowError(report, stopping, `${stand}${hint && ` ${hint}`}`);
	}

	const notes = [...skippedNotes(sheet), ...executed.notes];
	const about = { ...executed, ...options, notes, next: hint, hasRead: namesSent > 0 };
	const hints = [summaryOf(results, client, about), columns && columnsHint(columns), remark];
	for (const hint of hints) {
		if (hint) context.addExecutionHints({ ...hint, message: escapeHtml(hint.message) });
	}
	return [items.length === 0 && isTool(node) ? [{ json: nothingFound(contract) }] : items];
}
