import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import type { ResourceContract } from '../contract/types';
import { Carrier } from './carrier';
import { failedItem, itemsOf } from './items';
import { readOptions } from './options';
import { operationOf, planRows } from './planning';
import { inOrder } from './pool';
import { invalidRow, invalidRowsError, rowError, standOf } from './report';
import { isPlanned } from './row';
import { summaryOf } from './summary';
import { isTool, nothingFound } from './tool';
import { raw, readView } from './view';

/**
 * Runs a node: every row is read and checked before the first request leaves, then the rows are carried out side by side
 * and put back into their order. What becomes of a failing row is decided by the node's On Error setting.
 *
 * @throws NodeOperationError naming all rows that cannot be sent; NodeApiError of the first row that failed
 */
export async function run(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const continues = context.continueOnFail();
	const options = readOptions(context);
	const operation = operationOf(context, contract);
	const view = readView(context, contract, operation);
	const rows = await planRows(context, contract, operation, options);

	const invalid = rows.flatMap(({ index, planned }) =>
		isPlanned(planned) ? [] : [invalidRow(index, planned)],
	);
	if (invalid.length > 0 && !continues) throw invalidRowsError(node, invalid, rows.length);

	const carrier = new Carrier(context, options, rows.length);
	const cancelled = () => context.getExecutionCancelSignal()?.aborted === true;
	const outcomes = await inOrder(
		rows,
		options.concurrency,
		async (row) => await carrier.settle(row),
		(latest) => !cancelled() && (continues || !latest || !('failure' in latest)),
	);
	const settled = outcomes.filter((outcome) => outcome !== undefined);
	const failed = settled.find((outcome) => 'failure' in outcome);
	if (failed && !continues) throw rowError(node, contract, failed, standOf(outcomes));

	const hint = summaryOf(settled, carrier.session);
	if (hint) context.addExecutionHints(hint);
	const items = context.getInputData();
	const output = settled.flatMap((outcome) => {
		const input = items[outcome.index]?.json ?? {};
		return 'failure' in outcome
			? [failedItem(node, contract, outcome, input)]
			: itemsOf(
					contract,
					outcome,
					options.dryRun ? raw : view,
					options.includeInput ? input : undefined,
				);
	});
	return [output.length === 0 && isTool(node) ? [{ json: nothingFound(contract) }] : output];
}
