import { NodeOperationError, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { isEncoded } from '../contract/encodeRow';
import type { OperationName, ResourceContract } from '../contract/types';
import type { ApiClient } from '../transport/client';
import { connect } from '../transport/connect';
import { itemsOf } from './items';
import { raw, readOptions, readOutput } from './options';
import { isFailed } from './outcome';
import { readRows } from './readRows';
import { rememberedBy } from './remember';
import { markRepeats } from './repeats';
import { invalidRow, invalidRowsError, isTool, nothingFound, rowError, standOf } from './report';
import { executeRows } from './rowExecutor';
import { progressOf, summaryOf } from './summary';

/**
 * The operation that the node is set to.
 *
 * @throws NodeOperationError where there is none of that name
 */
function operationOf(context: IExecuteFunctions, contract: ResourceContract): OperationName {
	const value = context.getNodeParameter('operation', 0);
	const operation = contract.operations.find((candidate) => candidate.value === value);
	if (operation) return operation.value;
	throw new NodeOperationError(
		context.getNode(),
		`The operation "${String(value)}" does not exist; choose one from the Operation list`,
	);
}

/**
 * Executes a node: every row is read and checked before the first request leaves, then the rows are executed side by side
 * and put back into their order. What becomes of a failing row is decided by the node's On Error setting.
 *
 * @throws NodeOperationError naming all rows that cannot be sent; NodeApiError of the first row that failed
 */
export async function executeNode(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const continues = context.continueOnFail();
	const operation = operationOf(context, contract);
	const options = readOptions(context, contract);
	const output = readOutput(context, contract, operation);
	const rows = markRepeats(await readRows(context, contract, operation, options.encode));

	const invalid = rows.flatMap(({ index, encoded }) =>
		isEncoded(encoded) ? [] : [invalidRow(index, encoded)],
	);
	if (invalid.length > 0 && !continues) throw invalidRowsError(node, invalid, rows.length);

	let client: ApiClient | undefined;
	const outcomes = await executeRows(rows, {
		connect: async () => (client = await connect(context, options.client)),
		isDryRun: options.dryRun,
		continues,
		remembered: rememberedBy(context),
		onEnd: progressOf(context, rows.length),
	}).finally(() => client?.close());
	const ended = outcomes.filter((outcome) => outcome !== undefined);
	const failed = ended.filter(isFailed);
	const [stopping = failed[0]] = failed.filter(({ failure }) => failure.cause !== 'ended');
	if (stopping && !continues) throw rowError(node, contract, stopping, standOf(outcomes));

	const hint = summaryOf(ended, client);
	if (hint) context.addExecutionHints(hint);
	const inputs = context.getInputData();
	const items = ended.flatMap((outcome) =>
		itemsOf(node, contract, outcome, {
			output: options.dryRun ? raw : output,
			input: inputs[outcome.index]?.json ?? {},
			includesInput: options.includeInput,
		}),
	);
	return [items.length === 0 && isTool(node) ? [{ json: nothingFound(contract) }] : items];
}
