import { type IExecuteFunctions, type INode, NodeOperationError } from 'n8n-workflow';
import { columnsToIgnore, readColumns, type RunColumns } from '../contract/columns';
import { type RowRun, rowRunOf } from '../contract/layout';
import type { RequestedNames } from '../contract/names';
import { changesExisting, hasScope, returnsResources, takesColumns } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import { Invalid, type OperationName } from '../contract/types';
import { isUnset, quoteText, reasonText } from '../contract/values';
import { inputsToIgnore, mapAutomatically, mappingMode, matchBy } from '../description/parameters';
import { readNames } from '../operations/list';
import { connect, timeZoneOf } from '../transport/connect';
import { ServiceError } from '../transport/failures';
import { RowRequests } from '../transport/rowRequests';
import { mergeDuplicates } from './duplicateRows';
import { settingsError } from './errors';
import { rawOutput, readOptions, readOutput } from './options';
import { readRows } from './readRows';
import {
	columnsIn,
	expressionsIn,
	hasExpression,
	isRowNumber,
	type NodeRun,
	RowNumbers,
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

/** @throws NodeOperationError if the columns cannot be used */
function columnsOf(
	{ node, items }: NodeRun,
	rowRun: RowRun,
	leftOut: ReadonlySet<string>,
	mapsPasswords: boolean,
): RunColumns {
	const form = node.parameters;
	const columns = readColumns(rowRun, {
		...{ form, leftOut, mapsPasswords, isExpression: expressionsIn(form) },
		columns: [...columnsIn(items)].filter((column) => !isRowNumber(column)),
		rows: items.map(({ json }) => json),
	});
	if (columns.problems.length > 0) throw settingsError(node, columns.problems.join(' '));
	return columns;
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
 * @throws NodeOperationError for an invalid setting; ServiceError if the run ends before names are read, or if the node cannot
 * connect
 */
async function readAll(run: NodeRun, operation: OperationName, ignored?: ReadonlySet<string>) {
	const { context, contract } = run;
	const timeZone = await timeZoneOf(context);
	const options = readOptions(run, operation, { isMapped: ignored !== undefined, timeZone });
	const parameterOf = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, run.rows[0] ?? 0, fallback);
	const output = returnsResources(operation)
		? readOutput(run.node, contract, parameterOf, timeZone)
		: rawOutput;
	const rowRun = rowRunOf(contract, operation, options.encode);
	const columns = ignored && columnsOf(run, rowRun, ignored, options.mapPasswords);
	if (hasScope(operation)) checkSyncSettings(run, options.encode);
	const readLists = async (requested: RequestedNames) => {
		const client = await connect(context, options.client);
		return await readNames(new RowRequests(client), requested).finally(() => client.close());
	};
	const rows = await readRows(run, { ...rowRun, columns, readNames: readLists });
	checkScope(run, rows);
	if (columns && changesExisting(operation)) checkFixedResource(run);
	const merged = mergeDuplicates(rows, run.numbers);
	return { operation, options, output, columns, rows: merged };
}

/** The settings and rows of a run. */
export type ReadRun = Awaited<ReturnType<typeof readAll>>;

/** Returns an error of the node or of the service as it is, and any other error, which comes from n8n, as an error of the node. */
function readError(node: INode, error: unknown): NodeOperationError | ServiceError {
	if (error instanceof NodeOperationError || error instanceof ServiceError) return error;
	const wrapped = new NodeOperationError(node, error instanceof Error ? error : String(error));
	// Descriptions by n8n are HTML.
	wrapped.description = wrapped.description?.replace(/<\/?\w[^<>]*>/g, '');
	return wrapped;
}

/**
 * Finds the rows of a run, and reads its settings and rows. `read` is the error if they cannot be read, and undefined if all
 * items are empty.
 */
export async function readRun(context: IExecuteFunctions, contract: ResourceContract) {
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
		return { run, read: readError(node, error) };
	}
}
