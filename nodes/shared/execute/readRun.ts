import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import type { RequestedNames } from '../contract/names';
import { changesExisting, hasScope, returnsResources, takesColumns } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import type { OperationName } from '../contract/types';
import { isUnset, quoteText } from '../contract/values';
import { mapAutomatically, mappingMode, matchBy } from '../description/parameters';
import { readNames } from '../operations/readNames';
import { connect, timeZoneOf } from '../transport/connect';
import { ServiceError } from '../transport/failures';
import { RowRequests } from '../transport/rowRequests';
import { hasExpression } from './cells';
import { ignoredColumns, readColumns, withColumnsKnown, type IgnoredColumns } from './columns';
import { markDuplicates } from './duplicateRows';
import { settingsError } from './nodeErrors';
import { rawOutput, readOptions, readOutput } from './options';
import { readRows } from './readRows';
import { allItems, mappedSheet, type Sheet } from './sheet';
import { checkScope, checkSyncSettings } from './syncGuards';

/** The choice that n8n adds to the lists Resource and Operation of nodes whose credential its HTTP Request node can use. */
const customApiCall = '__CUSTOM_API_CALL__';

/**
 * Returns the operation of the node.
 *
 * @throws NodeOperationError if the operation does not exist, or if Custom API Call is chosen
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
 * Checks that mapped rows do not all change one resource: without an expression, the ID parameter is the same for all rows.
 *
 * @param count number of rows
 * @throws NodeOperationError if several rows would change one resource
 */
function checkFixedResource(
	context: IExecuteFunctions,
	contract: ResourceContract,
	count: number,
): void {
	const node = context.getNode();
	const { name, displayName } = contract.id;
	const value: unknown = node.parameters[name];
	if (count < 2 || isUnset(value) || hasExpression(value)) return;
	throw settingsError(
		node,
		`${displayName} is the same for all ${count} items, so they would overwrite one ${contract.value}; clear ${displayName} and choose ${matchBy(contract).displayName}, or enter an expression`,
	);
}

/** What is known of a run before its settings and rows are read. */
interface RunStart {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly sheet: Sheet;
	/** Inputs to Ignore; undefined if all values come from the form. */
	readonly ignored?: IgnoredColumns;
}

/**
 * Reads the settings of the node and all rows.
 *
 * @throws NodeOperationError for an invalid setting; ServiceError if the run ends before names are read, or if the node cannot
 * connect
 */
async function readAll(context: IExecuteFunctions, start: RunStart) {
	const { contract, operation, sheet, ignored } = start;
	const node = context.getNode();
	const [first = 0] = sheet.rows;
	const timeZone = await timeZoneOf(context);
	const at = { first, isMapped: ignored !== undefined, timeZone };
	const options = readOptions(context, contract, operation, at);
	const parameterOf = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, first, fallback);
	const output = returnsResources(operation)
		? readOutput(node, contract, parameterOf, timeZone)
		: rawOutput;
	const rowRun = { contract, operation, options: options.encode };
	const columns = ignored && readColumns(context, rowRun, ignored, options.mapPasswords);
	if (hasScope(operation)) checkSyncSettings(context, rowRun, sheet);
	let namesSent = 0;
	const readLists = async (requested: RequestedNames) => {
		const client = await connect(context, options.client);
		const names = await readNames(new RowRequests(client), requested).finally(() => client.close());
		namesSent = client.sent;
		return names;
	};
	const rows = await readRows(context, {
		...{ contract, operation, columns },
		...{ rows: sheet.rows, readNames: readLists, options: withColumnsKnown(rowRun, columns) },
	});
	checkScope(node, rows, sheet.numbers);
	if (columns && changesExisting(operation)) checkFixedResource(context, contract, rows.length);
	const marked = markDuplicates(rows, sheet.numbers);
	return { operation, options, output, columns, rows: marked, namesSent };
}

/** The settings and rows of a run. `namesSent` is the number of requests that read lists of names. */
export type ReadRun = Awaited<ReturnType<typeof readAll>>;

/** Returns an error of the node or of the service as it is, and any other error, which comes from n8n, as an error of the node. */
function readError(context: IExecuteFunctions, error: unknown): NodeOperationError | ServiceError {
	if (error instanceof NodeOperationError || error instanceof ServiceError) return error;
	const cause = error instanceof Error ? error : String(error);
	const wrapped = new NodeOperationError(context.getNode(), cause);
	// Descriptions by n8n are HTML.
	wrapped.description = wrapped.description?.replace(/<\/?\w[^<>]*>/g, '');
	return wrapped;
}

/**
 * Finds the rows of a run, and reads its settings and rows. `read` is the error if they cannot be read, and undefined if all
 * items are empty.
 */
export async function readRun(context: IExecuteFunctions, contract: ResourceContract) {
	let sheet = allItems(context.getInputData());
	try {
		const operation = operationOf(context, contract);
		const mode: unknown = context.getNodeParameter(mappingMode.name, 0, '');
		const isMapped = takesColumns(operation) && mode === mapAutomatically;
		const ignored = isMapped ? ignoredColumns(context) : undefined;
		if (ignored) sheet = mappedSheet(context, ignored.ignored);
		const isEmpty = sheet.rows.length === 0 && sheet.empty.length > 0;
		const start = { contract, operation, sheet, ignored };
		return { sheet, read: isEmpty ? undefined : await readAll(context, start) };
	} catch (error) {
		return { sheet, read: readError(context, error) };
	}
}
