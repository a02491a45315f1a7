import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Done } from '../client/perform';
import type { ResourceContract } from '../contract/types';
import type { FailedRow } from './outcome';
import { isRetryable, messageOf, rowError } from './report';
import { isTool } from './tool';
import type { View } from './view';

/**
 * The output items of a row that succeeded, each linked to its input item.
 *
 * @param view what the items hold of each resource
 * @param input the columns of the row, where they are wanted beside the result
 */
export const itemsOf = (
	contract: ResourceContract,
	{ index, found, told }: Done & { index: number },
	view: View,
	input: IDataObject | undefined,
): INodeExecutionData[] =>
	found.map(view).map((resource) => ({
		json: {
			...(input ? { ...input, [contract.value]: resource } : resource),
			...(told ? { outcome: told } : {}),
		},
		pairedItem: { item: index },
	}));

/**
 * The output item of a row that failed while the node is set to continue: its columns, the error's text where n8n's own
 * nodes put it, and what a workflow can decide by.
 *
 * For the error output, n8n wants an `error` on the item itself, but throws away the JSON of every item that still has
 * one later. Hidden from enumeration, it routes the item and is not copied along with it.
 */
export function failedItem(
	node: INode,
	contract: ResourceContract,
	row: FailedRow,
	input: IDataObject,
): INodeExecutionData {
	const { advice, statusCode, fieldErrors, outcome = 'failed' } = row.failure;
	const item: INodeExecutionData = {
		json: {
			// Of a tool this is what the model has just written, and the whole chat message.
			...(isTool(node) ? {} : input),
			error: messageOf(node, contract, row),
			description: advice,
			...(statusCode === undefined ? {} : { statusCode }),
			...(fieldErrors ? { fieldErrors } : {}),
			retryable: isRetryable(row.failure),
			outcome,
		},
		pairedItem: { item: row.index },
	};
	return node.onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: rowError(node, contract, row, '') })
		: item;
}
