import {
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { columnsHint } from '../contract/columns';
import { escapeHtml, forEditor } from '../contract/text';
import type { ResourceContract } from '../contract/resourceTypes';
import { startOperation } from '../operations/handlers';
import type { ApiClient } from '../transport/client';
import { connect } from '../transport/connect';
import { type Failure, ServiceError } from '../transport/failures';
import { attachmentOf, itemsOf } from './items';
import { invalidRowsError, isTool, progressText, rowError } from './errors';
import { rawOutput } from './options';
import { type RowOutcome, statesOf } from './outcome';
import { readRun, type ReadRun } from './readRun';
import { executeRows } from './rowExecutor';
import { type NodeRun, skippedNotes } from './sheet';
import { recoveryHint, stoppingFailure, summaryOf } from './summary';

/** Outcomes of earlier tries of a run by row. */
type EarlierOutcomes = Map<number, RowOutcome>;

/** Returns the output of a run whose settings or rows cannot be read, or throws the error. Each row fails, so that none counts as done. */
function failRun(
	run: NodeRun,
	error: NodeOperationError | ServiceError,
	earlierOutcomes: EarlierOutcomes,
): INodeExecutionData[] {
	const isOfService = error instanceof ServiceError;
	const failure: Failure = isOfService
		? { ...error.failure, isRunLevel: true }
		: { cause: 'rejected', message: error.message, advice: error.description ?? '' };
	if (run.context.continueOnFail()) {
		return run.rows.flatMap((index) => itemsOf(run, { index, failure }, false));
	}
	if (!isOfService) throw error;
	const states = statesOf(run.rows, earlierOutcomes.values());
	const progress = earlierOutcomes.size > 0 ? progressText(states, run.numbers) : '';
	throw rowError(run, { index: 0, failure }, progress);
}

function addHints(context: IExecuteFunctions, messages: ReadonlyArray<string | undefined>): void {
	for (const message of messages) {
		if (message === undefined) continue;
		context.addExecutionHints({ message: escapeHtml(message), location: 'outputPane' });
	}
}

/**
 * Executes the rows and returns the output items. Throws the error of the row that stopped the run.
 *
 * @param finalOutcomes outcomes of earlier tries. Those of this try that must not be repeated are added.
 */
async function finishRun(
	run: NodeRun,
	{ operation, options, output, columns, rows }: ReadRun,
	finalOutcomes: EarlierOutcomes,
): Promise<INodeExecutionData[]> {
	const { context, node, contract, numbers } = run;
	const { dryRun } = options;
	const [isRetry, continues] = [finalOutcomes.size > 0, context.continueOnFail()];
	const statesBefore = statesOf(run.rows, finalOutcomes.values());
	const outcomes: RowOutcome[] = [];
	const items: INodeExecutionData[][] = [];
	const outputField = contract.qrCode?.outputField;
	let client: ApiClient | undefined;
	const { refused, ...executed } = await executeRows(rows, {
		...{ contract, continues, finalOutcomes, settings: options.settings },
		operation: (state) => startOperation(operation, state),
		items: run.items.length,
		connect: async () => (client = await connect(context, options.client)),
		isDryRun: dryRun,
		output: dryRun ? rawOutput : output,
		attachmentOf:
			outputField &&
			(async (index, qrCode) => await attachmentOf(context, outputField, index, qrCode)),
		onEnd: (outcome) => {
			outcomes.push(outcome);
			items[outcome.index] = itemsOf(run, outcome, options.includeInput);
		},
	}).finally(() => client?.close());
	if (refused.length > 0) throw invalidRowsError(run, refused, statesBefore);
	const report = { contract, numbers, rows: run.rows, outcomes };
	const recovery = isTool(node) || dryRun ? '' : recoveryHint(report, executed.recovery);
	const stopping = stoppingFailure(outcomes);
	if (stopping && !continues) {
		const isOfRun = stopping.failure.isRunLevel && !isRetry;
		const progress = isOfRun ? '' : progressText(statesOf(run.rows, outcomes), numbers);
		throw rowError(run, stopping, `${progress}${recovery && ` ${recovery}`}`);
	}
	const notes = [...skippedNotes(run), ...executed.notes];
	const summary = summaryOf({ ...report, dryRun, notes, recovery }, client);
	addHints(context, [summary, columns && columnsHint(contract, columns)]);
	const all = items.flat();
	if (all.length > 0 || !isTool(node)) return all;
	// n8n would pass an empty text to the model, which is ambiguous.
	const message = `No ${contract.value} was found. Search for another text, or in another field.`;
	return [{ json: { message } }];
}

/** Outcomes of earlier tries by n8n's object for the run of the node, which is collected with the execution. */
const caches = new WeakMap<object, EarlierOutcomes>();

/**
 * Returns the outcomes of earlier tries of this run. With Retry On Fail, n8n runs the whole node again after a failure. The node
 * must not repeat rows that are done, or creates whose outcome is unknown. Without Retry On Fail, it stores no outcomes. For a
 * tool, it stores none either, because some agents make all their calls within one run.
 */
function retryOnFailCache({ context, node }: NodeRun): EarlierOutcomes {
	if (node.retryOnFail !== true || isTool(node)) return new Map();
	const execution = context.getExecuteData();
	const outcomes = caches.get(execution) ?? new Map<number, RowOutcome>();
	caches.set(execution, outcomes);
	return outcomes;
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
		const { run, read } = await readRun(context, contract);
		if (read === undefined) {
			addHints(context, [`Nothing to do. ${skippedNotes(run).join('. ')}.`]);
			return [[]];
		}
		const outcomes = retryOnFailCache(run);
		if (read instanceof Error) return [failRun(run, read, outcomes)];
		return [await finishRun(run, read, outcomes)];
	} catch (error) {
		const isOwn = error instanceof NodeOperationError || error instanceof NodeApiError;
		throw isOwn ? forEditor(error, isTool(context.getNode())) : error;
	}
}
