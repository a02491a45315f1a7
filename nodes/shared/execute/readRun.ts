import { NodeOperationError, type IExecuteFunctions } from 'n8n-workflow';
import { hasScope, changesExisting, returnsResources } from '../contract/operations';
import type { RequestedNames } from '../contract/names';
import type { ResourceContract } from '../contract/resourceTypes';
import type { OperationName } from '../contract/types';
import { isUnset, quoteText } from '../contract/values';
import { matchBy } from '../description/parameters';
import { readNames } from '../operations/readNames';
import { connect, timeZoneOf } from '../transport/connect';
import { RowRequests } from '../transport/rowRequests';
import { ServiceError } from '../transport/failures';
import { markDuplicates } from './duplicateRows';
import { hasExpression } from './cells';
import { settingsError } from './nodeErrors';
import { rawOutput, readOptions, readOutput } from './options';
import { readColumns, withColumnsKnown } from './columns';
import { readRows } from './readRows';
import type { Sheet } from './sheet';
import { checkCompleteSheet, checkEmptyRows, checkScope, checkSettings } from './syncGuards';

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

/**
 * Reads the settings of the node and all rows.
 *
 * @throws NodeOperationError for an invalid setting; ServiceError if the run ends before names are read, or if the node cannot
 * connect
 */
async function readAll(context: IExecuteFunctions, contract: ResourceContract, sheet: Sheet) {
	const node = context.getNode();
	const [first = 0] = sheet.rows;
	const operation = operationOf(context, contract);
	const timeZone = await timeZoneOf(context);
	const options = readOptions(context, contract, operation, { first, timeZone });
	const parameterOf = (name: string, fallback: unknown) =>
		context.getNodeParameter(name, first, fallback);
	const output = returnsResources(operation)
		? readOutput(node, contract, parameterOf, timeZone)
		: rawOutput;
	const { encode } = options;
	const columns = encode.takesColumns
		? readColumns(context, contract, operation, options)
		: undefined;
	if (hasScope(operation)) checkSettings(context, contract, sheet);
	if (hasScope(operation) && encode.unmatchedAction !== 'keep') {
		checkCompleteSheet(context, contract);
		checkEmptyRows(node, contract, sheet);
	}
	let namesSent = 0;
	const readLists = async (requested: RequestedNames) => {
		const client = await connect(context, options.client);
		const reading = readNames(new RowRequests(client), requested);
		const names = await reading.finally(() => client.close());
		namesSent = client.sent;
		return names;
	};
	const rows = await readRows(context, {
		contract,
		operation,
		rows: sheet.rows,
		options: withColumnsKnown(encode, contract, columns),
		columns,
		readNames: readLists,
	});
	checkScope(node, rows, sheet.numbers);
	if (columns && changesExisting(operation)) checkFixedResource(context, contract, rows.length);
	const marked = markDuplicates(rows, sheet.numbers);
	return { operation, options, output, columns, rows: marked, namesSent };
}

/** The settings and rows of a run. `namesSent` is the number of requests that read lists of names. */
export type ReadRun = Awaited<ReturnType<typeof readAll>>;

/** Returns what a function reads from the node's settings and input, or the error. Other errors come from n8n. */
export async function settledRead<T>(context: IExecuteFunctions, read: () => Promise<T> | T) {
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

/** Reads the settings of the node and all rows, or returns why they cannot be read. */
export const readRun = async (
	context: IExecuteFunctions,
	contract: ResourceContract,
	sheet: Sheet,
): Promise<NodeOperationError | ReadRun | ServiceError> =>
	await settledRead(context, async () => await readAll(context, contract, sheet));
