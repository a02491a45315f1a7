import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { isEncoded } from '../contract/encodedRow';
import { escapeHtml, forEditor } from '../contract/text';
import type { ResourceContract } from '../contract/resourceTypes';
import * as handlers from '../operations/handlers';
import type { ApiClient } from '../transport/client';
import { connect } from '../transport/connect';
import { ServiceError, type Failure } from '../transport/failures';
import { invalidRowsError, type InvalidRow } from './invalidRows';
import { itemsOf } from './items';
import { isTool, nothingFound, progressText, rowError, type ReportContext } from './nodeErrors';
import { rawOutput } from './options';
import { statesOf, type RowOutcome } from './outcome';
import { attachmentOf } from './qrCodes';
import { columnsHint } from './columns';
import type { Row } from './readRows';
import { readRun, settledRead, type ReadRun } from './readRun';
import { executeRows } from './rowExecutor';
import { allItems, readSheet, skippedNotes, type Sheet } from './sheet';
import { recoveryHint, ResultCollector, summaryOf } from './summary';

/** One run of a node. */
interface NodeRun {
	readonly context: IExecuteFunctions;
	readonly sheet: Sheet;
	/** The node, the resource and the row numbers for errors. */
	readonly report: ReportContext;
	/** Returns the output items of a row. */
	readonly itemsFor: (outcome: RowOutcome, includesInput: boolean) => INodeExecutionData[];
	/** Outcomes of earlier tries of the run with Retry On Fail. */
	readonly earlierOutcomes: Map<number, RowOutcome>;
}

/** Returns the output of a run whose settings or rows cannot be read, or throws the error. Each row fails, so that none counts as done. */
function failRun(run: NodeRun, error: NodeOperationError | ServiceError): INodeExecutionData[][] {
	const { context, sheet, report, earlierOutcomes, itemsFor } = run;
	const { message } = error;
	const isOfService = error instanceof ServiceError;
	const failure: Failure = isOfService
		? { ...error.failure, isRunLevel: true }
		: { cause: 'rejected', message, advice: error.description ?? 'Nothing was sent.' };
	if (context.continueOnFail()) {
		return [sheet.rows.flatMap((index) => itemsFor({ index, failure }, false))];
	}
	const states = statesOf(sheet.rows, earlierOutcomes);
	const progress = earlierOutcomes.size > 0 ? progressText(states, sheet.numbers) : '';
	throw isOfService ? rowError(report, { index: 0, failure }, progress) : error;
}

/**
 * Throws the error of all invalid rows, unless the node continues on errors. A row that an earlier try has sent is not
 * invalid, even if its names cannot be read any more.
 */
function checkRows({ context, sheet, report, earlierOutcomes }: NodeRun, rows: readonly Row[]) {
	const invalid = rows
		.filter((row): row is InvalidRow => !isEncoded(row.encoded))
		.filter(({ index }) => !earlierOutcomes.has(index));
	const states = statesOf(sheet.rows, earlierOutcomes);
	if (invalid.length > 0 && !context.continueOnFail()) {
		throw invalidRowsError(report, invalid, states);
	}
}

/** Executes the rows, and returns their results, the client, and the notes of the run. */
async function executeAll(run: NodeRun, read: ReadRun) {
	const { context, sheet, report, earlierOutcomes, itemsFor } = run;
	const { operation, options, output, rows } = read;
	const results = new ResultCollector(sheet.rows, (outcome) =>
		itemsFor(outcome, options.includeInput),
	);
	const outputField = report.contract.qrCode?.outputField;
	let client: ApiClient | undefined;
	const states = statesOf(sheet.rows, earlierOutcomes);
	const summary = await executeRows(rows, {
		contract: report.contract,
		operation: handlers[operation],
		items: context.getInputData().length,
		connect: async () => (client = await connect(context, options.client)),
		isDryRun: options.dryRun,
		continues: context.continueOnFail(),
		settings: options.settings,
		output: options.dryRun ? rawOutput : output,
		attachmentOf:
			outputField &&
			(async (index, qrCode) => await attachmentOf(context, outputField, index, qrCode)),
		finalOutcomes: earlierOutcomes,
		onEnd: (outcome) => results.add(outcome),
	}).finally(() => client?.close());
	if (summary.refused.length > 0) throw invalidRowsError(report, summary.refused, states);
	return { ...summary, results, client };
}

/** Executes the rows and returns the output items. Throws the error of the row that stopped the run. */
async function finishRun(run: NodeRun, read: ReadRun): Promise<INodeExecutionData[][]> {
	const { context, sheet, report } = run;
	const { node, contract, numbers } = report;
	const { options, columns, rows, namesSent } = read;
	checkRows(run, rows);
	const executed = await executeAll(run, read);
	const { results, client } = executed;
	const recovery =
		isTool(node) || options.dryRun ? '' : recoveryHint(report, executed.recovery, results);
	const { items, stopping } = results;
	if (stopping && !context.continueOnFail()) {
		const progress = stopping.failure.isRunLevel ? '' : progressText(results.states, numbers);
		throw rowError(report, stopping, `${progress}${recovery && ` ${recovery}`}`);
	}
	const notes = [...skippedNotes(sheet), ...executed.notes];
	const about = { ...executed, ...options, notes, recovery, contract, numbers };
	const summary = summaryOf(results, client, { ...about, hasRead: namesSent > 0 });
	for (const message of [summary, columns && columnsHint(columns)]) {
		if (message === undefined) continue;
		context.addExecutionHints({ message: escapeHtml(message), location: 'outputPane' });
	}
	return [items.length === 0 && isTool(node) ? [{ json: nothingFound(contract) }] : items];
}

/** Outcomes of earlier tries by n8n's object for the run of the node, which is collected with the execution. */
const caches = new WeakMap<object, Map<number, RowOutcome>>();

/**
 * Returns the outcomes of earlier tries of this run by row. With Retry On Fail, n8n runs the whole node again after a failure.
 * The node must not repeat rows that are done, or creates whose outcome is unknown. Without Retry On Fail, it stores no
 * outcomes. For a tool, it stores none either, because some agents make all their calls within one run.
 */
function retryOnFailCache(context: IExecuteFunctions): Map<number, RowOutcome> {
	const node = context.getNode();
	if (node.retryOnFail !== true || isTool(node)) return new Map();
	const run = context.getExecuteData();
	const outcomes = caches.get(run) ?? new Map<number, RowOutcome>();
	caches.set(run, outcomes);
	return outcomes;
}

/** Same as `executeNode`, with errors in plain text. */
async function executeRun(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	const inputs = context.getInputData();
	const settledSheet = await settledRead(context, () => readSheet(context, contract));
	const sheet = settledSheet instanceof Error ? allItems(context) : settledSheet;
	if (sheet.rows.length === 0 && sheet.empty.length > 0) {
		const message = `Nothing to do. ${skippedNotes(sheet).join('. ')}.`;
		context.addExecutionHints({ message, location: 'outputPane' });
		return [[]];
	}
	const read =
		settledSheet instanceof Error ? settledSheet : await readRun(context, contract, sheet);
	const report = { node: context.getNode(), contract, numbers: sheet.numbers };
	const run: NodeRun = {
		context,
		sheet,
		report,
		itemsFor: (outcome, includesInput) =>
			itemsOf(report, outcome, {
				input: inputs[outcome.index]?.json ?? {},
				binary: inputs[outcome.index]?.binary,
				includesInput,
				isPairedByN8n: inputs.length === 1 || inputs.length > sheet.rows.length,
			}),
		earlierOutcomes: retryOnFailCache(context),
	};
	return read instanceof Error ? failRun(run, read) : await finishRun(run, read);
}

/**
 * Executes a node: reads and checks every row before the first write, executes the rows concurrently, and returns the items
 * in the order of the rows. The node's On Error setting decides what happens to a row that fails.
 *
 * @throws NodeOperationError with all invalid rows; NodeApiError of the row that stopped the run
 */
export const executeNode = async (
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> =>
	await executeRun(context, contract).catch((error: unknown) => {
		const isOwn = error instanceof NodeOperationError || error instanceof NodeApiError;
		throw isOwn ? forEditor(error, isTool(context.getNode())) : error;
	});
