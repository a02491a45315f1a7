import {
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import { columnsHint, columnsToIgnore, formValueOf, readColumns } from '../contract/columns';
import { rowRunOf } from '../contract/layout';
import type { RequestedNames } from '../contract/names';
import { changesExisting, hasScope, returnsResources, takesColumns } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import { escapeHtml, forEditor } from '../contract/text';
import { Invalid, type OperationName } from '../contract/types';
import { isBlank, isUnset, quoteText, reasonText, unwrapLocator } from '../contract/values';
import { inputsToIgnore, mapAutomatically, mappingMode, matchBy } from '../description/parameters';
import { startOperation } from '../operations/handlers';
import { readNames } from '../operations/list';
import type { ApiClient } from '../transport/client';
import { connect, timeZoneOf } from '../transport/connect';
import { rejection, ServiceError } from '../transport/failures';
import { RowRequests } from '../transport/rowRequests';
import { mergeDuplicates, readParameters, readRows } from './readRows';
import { invalidRowsError, rowError, settingsError } from './errors';
import { attachmentOf, itemsOf } from './items';
import { rawOutput, readOptions, readOutput } from './options';
import { EarlierTries, type RowOutcome, recoveryHint, stoppingFailure, summaryOf } from './outcome';
import { executeRows } from './rowExecutor';
import {
	columnsIn,
	expressionsOf,
	hasExpression,
	isRowNumber,
	isTool,
	looksLikeRow,
	namesColumn,
	type NodeRun,
	RowNumbers,
	skippedNotes,
	withoutEmptyRows,
} from './sheet';
import { checkScope, checkSyncSettings } from './syncGuards';

/** The choice that n8n adds to the lists Resource and Operation of nodes whose credential its HTTP Request node can use. */
const customApiCall = '__CUSTOM_API_CALL__';

/**
 * Returns the operation of the node.
 *
 * @throws NodeOperationError if the operation does not exist, or if Custom API Call is chosen
 */
function operationOf({ context, node, contract }: NodeRun): OperationName {
	const value = context.getNodeParameter('operation', 0, '');
	const isCustom = [value, context.getNodeParameter('resource', 0, '')].includes(customApiCall);
	const operation = contract.operations.find((candidate) => candidate.value === value);
	if (operation && !isCustom) return operation.value;
	const message = isCustom
		? 'Custom API Call works in the HTTP Request node only; add one, and choose the credential type of this node'
		: `The operation ${quoteText(String(value))} does not exist; choose one from the Operation list`;
	throw settingsError(node, message);
}

/** @throws NodeOperationError if Inputs to Ignore is not a list of names */
function ignoredColumns({ context, node, items }: NodeRun): ReadonlySet<string> {
	const { name, displayName } = inputsToIgnore;
	const ignored = columnsToIgnore(context.getNodeParameter(name, 0, ''), columnsIn(items));
	if (!(ignored instanceof Invalid)) return ignored;
	throw settingsError(node, `${displayName} ${ignored.reasons.map(reasonText).join('. ')}`);
}

/** Checks that mapped rows do not all change one resource: without an expression, the ID parameter is the same for all rows. */
function checkFixedResource({ node, contract, rows: { length } }: NodeRun): void {
	const { name, displayName } = contract.id;
	const value: unknown = node.parameters[name];
	if (length < 2 || isUnset(value) || hasExpression(value)) return;
	throw settingsError(
		node,
		`${displayName} is the same for all ${length} items, so they would overwrite one ${contract.value}; clear ${displayName} and choose ${matchBy(contract).displayName}, or enter an expression`,
	);
}

/**
 * Reads the settings of the node and all rows.
 *
 * @param ignored Inputs to Ignore; undefined if all values come from the form
 * @throws NodeOperationError for an invalid setting, and for columns that cannot be used; ServiceError if the run ends before names are read, or if the node cannot
 * connect
 */
async function readAll(run: NodeRun, operation: OperationName, ignored?: ReadonlySet<string>) {
	const { context, node, contract, items } = run;
	const timeZone = await timeZoneOf(context);
	const options = readOptions(run, operation, { isMapped: ignored !== undefined, timeZone });
	const parameterOf = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, run.rows[0] ?? 0, fallback);
	const output = returnsResources(operation)
		? readOutput(node, contract, parameterOf, timeZone)
		: rawOutput;
	const rowRun = rowRunOf(contract, operation, options.encode);
	const columns =
		ignored &&
		readColumns(rowRun, {
			form: node.parameters,
			isExpression: (target) => hasExpression(formValueOf(node.parameters, target)),
			isUnfilled: (target, column, index) => {
				const { place, property } = target;
				const expressions = expressionsOf(formValueOf(node.parameters, target));
				if (expressions.some((text) => namesColumn(text, column))) return false;
				const holder = { ...property, name: place === 'top' ? property.name : place };
				const { values, failed } = readParameters(run, [holder], index);
				return failed.length === 0 && isBlank(unwrapLocator(formValueOf(values, target)));
			},
			leftOut: ignored,
			mapsPasswords: options.mapPasswords,
			columns: [...columnsIn(items)].filter((column) => !isRowNumber(column)),
			rows: items.map(({ json }) => json),
			hasRows: items.every(looksLikeRow),
		});
	const problems = columns?.problems ?? [];
	if (problems.length > 0) throw settingsError(node, problems.join(' '));
	if (hasScope(operation)) checkSyncSettings(run, options.encode);
	const readLists = async (requested: RequestedNames) => {
		const client = await connect(context, options.client);
		return await readNames(new RowRequests(client), requested).finally(() => client.close());
	};
	const rows = await readRows(run, { ...rowRun, columns, readNames: readLists });
	if (hasScope(operation)) checkScope(run, rows);
	if (columns && changesExisting(operation)) checkFixedResource(run);
	return { operation, options, output, columns, rows: mergeDuplicates(rows, run.numbers) };
}

/** The settings and rows of a run. */
type ReadRun = Awaited<ReturnType<typeof readAll>>;

/**
 * Finds the rows of a run, and reads its settings and rows. `read` is the error if they cannot be read, and undefined if all
 * items are empty.
 */
async function readRun(context: IExecuteFunctions, contract: ResourceContract) {
	const [node, items] = [context.getNode(), context.getInputData()];
	const rows = [...items.keys()];
	const numbers = new RowNumbers(items, false);
	let run: NodeRun = { context, node, contract, items, rows, empty: [], numbers };
	try {
		const operation = operationOf(run);
		const mode: unknown = context.getNodeParameter(mappingMode.name, 0, '');
		const isMapped = takesColumns(operation) && mode === mapAutomatically;
		const ignored = isMapped ? ignoredColumns(run) : undefined;
		if (ignored) run = withoutEmptyRows(run, ignored);
		const isEmpty = run.rows.length === 0 && run.empty.length > 0;
		return { run, read: isEmpty ? undefined : await readAll(run, operation, ignored) };
	} catch (error) {
		const isReadable = error instanceof ServiceError || error instanceof NodeOperationError;
		if (isReadable) return { run, read: error };
		// The error comes from n8n, whose descriptions are HTML.
		const wrapped = new NodeOperationError(node, error instanceof Error ? error : String(error));
		wrapped.description = wrapped.description?.replace(/<\/?\w[^<>]*>/g, '');
		return { run, read: wrapped };
	}
}

/** Returns the output of a run whose settings or rows cannot be read, or throws the error. Each row fails, so that none counts as done. */
function failRun(run: NodeRun, error: NodeOperationError | ServiceError, earlier: EarlierTries) {
	const isOfService = error instanceof ServiceError;
	const { failure } = isOfService ? error : rejection(error.message, error.description ?? '');
	const ofRun = { ...failure, isRunLevel: true as const };
	if (run.context.continueOnFail()) {
		return run.rows.flatMap((index) =>
			itemsOf(run, { index, failure: earlier.failureOf(index, ofRun) }, false),
		);
	}
	if (!isOfService) throw error;
	throw rowError(run, { index: 0, failure: ofRun }, earlier.all);
}

function addHints(context: IExecuteFunctions, messages: ReadonlyArray<string | undefined>): void {
	for (const message of messages.filter((text) => text !== undefined)) {
		context.addExecutionHints({ message: escapeHtml(message), location: 'outputPane' });
	}
}

/**
 * Executes the rows and returns the output items. Throws the error of the row that stopped the run.
 *
 * @param earlier what earlier tries have left. What this try leaves is added.
 */
async function finishRun(
	run: NodeRun,
	{ operation, options, output, columns, rows }: ReadRun,
	earlier: EarlierTries,
): Promise<INodeExecutionData[]> {
	const { context, node, contract, numbers } = run;
	const { dryRun } = options;
	const [before, continues] = [earlier.all, context.continueOnFail()];
	const outcomes: RowOutcome[] = [];
	const items: INodeExecutionData[][] = [];
	let client: ApiClient | undefined;
	const { refused, ...executed } = await executeRows(rows, {
		...{ contract, continues, earlier, settings: options.settings },
		operation: (state) => startOperation(operation, state),
		items: run.items.length,
		connect: async () => (client = await connect(context, options.client)),
		isDryRun: dryRun,
		output: dryRun ? rawOutput : output,
		attachmentOf: async (index, qrCode) => await attachmentOf(run, index, qrCode),
		onEnd: (outcome) => {
			outcomes.push(outcome);
			items[outcome.index] = itemsOf(run, outcome, options.includeInput);
		},
	}).finally(() => client?.close());
	if (refused.length > 0) throw invalidRowsError(run, refused, before);
	const report = { contract, numbers, rows: run.rows, outcomes, doubts: earlier.doubts };
	const stopping = stoppingFailure(outcomes);
	const recovery =
		stopping && !isTool(node) && !dryRun ? recoveryHint(report, executed.recovery) : '';
	// With Retry On Fail, n8n would run a tool again that returns an error, and repeat a create that may be done.
	const isRepeated = stopping?.failure.isUnknownCreate && isTool(node) && node.retryOnFail;
	if (stopping && (isRepeated || !continues)) {
		const isOfRun = stopping.failure.isRunLevel && before.length === 0;
		const all = isOfRun || dryRun ? [] : [...before, ...outcomes];
		const error = rowError(run, stopping, all, recovery);
		if (isRepeated) return [{ json: { message: error.message } }];
		throw error;
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

/** Earlier tries by n8n's object for the run of the node, which is collected with the execution. */
const caches = new WeakMap<object, EarlierTries>();

/**
 * Returns what earlier tries of this run have left. With Retry On Fail, n8n runs the whole node again after a failure. The node
 * must not repeat rows that are done, or creates whose outcome is unknown. Without Retry On Fail, it stores no outcomes. For a
 * tool, it stores none either, because some agents make all their calls within one run.
 */
function retryOnFailCache({ context, node }: NodeRun): EarlierTries {
	if (node.retryOnFail !== true || isTool(node)) return new EarlierTries();
	const execution = context.getExecuteData();
	const earlier = caches.get(execution) ?? new EarlierTries();
	caches.set(execution, earlier);
	return earlier;
}

/**
 * Executes a node: reads and checks every row before the first write, executes the rows concurrently, and returns the items
 * in the order of the rows. The node's On Error setting decides what happens to a row that fails.
 *
 * @throws NodeOperationError with all invalid rows; NodeApiError of the row that stopped the run
 */
export async function executeNode(context: IExecuteFunctions, contract: ResourceContract) {
	try {
		const { run, read } = await readRun(context, contract);
		if (read === undefined) {
			addHints(context, [`Nothing to do. ${skippedNotes(run).join('. ')}.`]);
			return [[]];
		}
		const earlier = retryOnFailCache(run);
		if (read instanceof Error) return [failRun(run, read, earlier)];
		// A dry run writes nothing, so a retry plans all rows again.
		return [await finishRun(run, read, read.options.dryRun ? new EarlierTries() : earlier)];
	} catch (error) {
		const isOwn = error instanceof NodeOperationError || error instanceof NodeApiError;
		throw isOwn ? forEditor(error, isTool(context.getNode())) : error;
	}
}
