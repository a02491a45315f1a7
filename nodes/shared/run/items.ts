import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { ResourceContract } from '../contract/types';
import { messageOf, rowError, type FailedRow } from './report';

/** The output items of a row that succeeded, each linked to its input item. */
export const itemsOf = (index: number, found: readonly IDataObject[]): INodeExecutionData[] =>
	found.map((json) => ({ json, pairedItem: { item: index } }));

/**
 * The output item of a row that failed while the node is set to continue: the error's text where n8n's own nodes put it,
 * with status code and field errors beside it.
 *
 * For the error output, n8n wants an `error` on the item itself, but throws away the JSON of every item that still has
 * one later. Hidden from enumeration, it routes the item and is not copied along with it.
 */
export function failedItem(
	node: INode,
	contract: ResourceContract,
	row: FailedRow,
	total: number,
): INodeExecutionData {
	const { advice, statusCode, fieldErrors } = row.failure;
	const item: INodeExecutionData = {
		json: {
			error: messageOf(contract, row),
			description: advice,
			...(statusCode === undefined ? {} : { statusCode }),
			...(fieldErrors ? { fieldErrors } : {}),
		},
		pairedItem: { item: row.index },
	};
	return node.onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: rowError(node, contract, row, total) })
		: item;
}
