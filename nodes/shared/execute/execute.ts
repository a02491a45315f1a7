import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import { isEncoded } from '../contract/encodedRow';
import { escapeHtml, forEditor } from '../contract/escape';
import type { ResourceContract } from '../contract/resourceTypes';
import * as handlers from '../operations/handlers';
import type { ApiClient } from '../transport/client';
import { connect } from '../transport/connect';
import { ServiceError, type Failure } from '../transport/failures';
import { columnsHint } from './columns';
import { attachmentOf, itemsOf } from './items';
import { invalidRowsError, isTool, progressText, rowError, type ReportContext } from './nodeErrors';
import { rawOutput } from './options';
import { statesOf, type InvalidRow, type RowOutcome } from './outcome';
import { readRun, type ReadRun } from './readRun';
import { executeRows } from './rowExecutor';
import { skippedNotes, type Sheet } from './sheet';
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
function failRun(run: NodeRun, error: NodeOperationError | ServiceError): INodeExecutionData[] {
	const { context, sheet, report, earlierOutcomes, itemsFor } = run;
	const isOfService = error instanceof ServiceError;
	const failure: Failure = isOfService
		? { ...error.failure, isRunLevel: true }
		: {
				cause: 'rejected',
				message: error.message,
				advice: error.description ?? 'Nothing was sent.',
			};
	if (context.continueOnFail()) {
		return sheet.rows.flatMap((index) => itemsFor({ index, failure }, false));
	}
	const states = statesOf(sheet.rows, earlierOutcomes);
	const progress = earlierOutcomes.size > 0 ? progressText(states, sheet.numbers) : '';
	throw isOfService ? rowError(report, { index: 0, failure }, progress) : error;
}

/** Executes the rows, and returns their results, the client, and the notes of the run. */
async function executeAll(run: NodeRun, read: ReadRun) {
	const { context, sheet, report, earlierOutcomes, itemsFor } = run;
	const { operation, options, output, rows } = read;
	const results = new ResultCollector(sheet.rows, (outcome) =>
		itemsFor(outcome, options.includeInput),
	);
	const states = statesOf(sheet.rows, earlierOutcomes);
	const continues = context.continueOnFail();
	// A row that an earlier try has sent is not invalid, even if its names cannot be read any more.
	const invalid = rows.filter(
		(row): row is InvalidRow => !isEncoded(row.encoded) && !earlierOutcomes.has(row.index),
	);
	if (invalid.length > 0 && !continues) throw invalidRowsError(report, invalid, states);
	const outputField = report.contract.qrCode?.outputField;
	let client: ApiClient | undefined;
	const summary = await executeRows(rows, {
		contract: report.contract,
		operation: handlers[operation],
		items: context.getInputData().length,
		connect: async () => (client = await connect(context, options.client)),
		isDryRun: options.dryRun,
		continues,
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
async function finishRun(run: NodeRun, read: ReadRun): Promise<INodeExecutionData[]> {
	const { context, sheet, report } = run;
	const { node, contract, numbers } = report;
	const { options, columns, rows, namesSent } = read;
	// Rows are removed from the list as they end, so the warning is made first.
	const warning = contract.warningFor?.(
		rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : [])),
	);
	const executed = await executeAll(run, read);
	const { results, client } = executed;
	const isSilent = isTool(node) || options.dryRun;
	const recovery = isSilent ? '' : recoveryHint(report, executed.recovery, results);
	const { items, stopping, states } = results;
	if (stopping && !context.continueOnFail()) {
		const progress = stopping.failure.isRunLevel ? '' : progressText(states, numbers);
		throw rowError(report, stopping, `${progress}${recovery && ` ${recovery}`}`);
	}
	const notes = [...skippedNotes(sheet), ...executed.notes];
	const { dryRun } = options;
	const summary = summaryOf(results, client, {
		...{ contract, numbers, dryRun, notes, recovery, hasRead: namesSent > 0 },
	});
	addHints(context, [summary, columns && columnsHint(columns), warning]);
	if (items.length > 0 || !isTool(node)) return items;
	// n8n would pass an empty text to the model, which is ambiguous.
	const message = `No ${contract.value} was found. Search for another text, or in another field.`;
	return [{ json: { message } }];
}

function addHints(context: IExecuteFunctions, messages: ReadonlyArray<string | undefined>): void {
	for (const message of messages) {
		if (message === undefined) continue;
		context.addExecutionHints({ message: escapeHtml(message), location: 'outputPane' });
	}
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
): Promise<INodeExecutionData[]> {
	const inputs = context.getInputData();
	const { sheet, read } = await readRun(context, contract);
	if (read === undefined) {
		addHints(context, [`Nothing to do. ${skippedNotes(sheet).join('. ')}.`]);
		return [];
	}
	const report = { node: context.getNode(), contract, numbers: sheet.numbers };
	const isPairedByN8n = inputs.length === 1 || inputs.length > sheet.rows.length;
	const run: NodeRun = {
		...{ context, sheet, report, earlierOutcomes: retryOnFailCache(context) },
		itemsFor: (outcome, includesInput) => {
			const { json: input = {}, binary } = inputs[outcome.index] ?? {};
			return itemsOf(report, outcome, { input, binary, includesInput, isPairedByN8n });
		},
	};
	return read instanceof Error ? failRun(run, read) : await finishRun(run, read);
}

/**
 * Executes a node: reads and checks every row before the first write, executes the rows concurrently, and returns the items
 * in the order of the rows. The node's On Error setting decides what happens to a row that fails.
 *
 * @throws NodeOperationError with all invalid rows; NodeApiError of the row that stopped the run
 */
export async function executeNode(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	try {
		return [await executeRun(context, contract)];
	} catch (error) {
		const isOwn = error instanceof NodeOperationError || error instanceof NodeApiError;
		throw isOwn ? forEditor(error, isTool(context.getNode())) : error;
	}
}
