import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { ResourceContract } from '../contract/types';
import { isFailed, type DoneRow, type FailedRow, type RowOutcome } from './outcome';
import type { MakeOutput } from './options';
import { errorDataOf, isTool, messageOf, rowError } from './report';

/** What the output items of a row are made of, beside its outcome. */
interface ItemParts {
	/** What the items hold of each resource. */
	readonly output: MakeOutput;
	/** The columns of the row. */
	readonly input: IDataObject;
	/** Whether the columns stand beside the result. */
	readonly includesInput: boolean;
}

/** The link of an output item to its input item. What is about no row has none: it would be taken for one of a row. */
const pairedWith = (
	index: number,
	name: string | undefined,
): Pick<INodeExecutionData, 'pairedItem'> =>
	name === undefined ? { pairedItem: { item: index } } : {};

const doneItems = (
	{ value }: ResourceContract,
	{ index, result, name }: DoneRow,
	{ output, input, includesInput }: ItemParts,
): INodeExecutionData[] =>
	result.resources.map((resource) => ({
		json: {
			...(includesInput ? { ...input, [value]: output(resource) } : output(resource)),
			...(result.reportOutcome ? { outcome: result.outcome } : {}),
		},
		...pairedWith(index, name),
	}));

/** The names that a failed item has for itself. What the row has under them goes to `errorDetails.input`. */
const ownNames = ['error', 'errorDetails'] as const;

/** What a row has under the names that a failed item has for itself; nothing where it has none. */
function displacedIn(input: IDataObject): { input?: IDataObject } {
	const displaced = ownNames.filter((name) => name in input).map((name) => [name, input[name]]);
	return displaced.length > 0 ? { input: Object.fromEntries(displaced) as IDataObject } : {};
}

/**
 * The output item of a row that failed while the node is set to continue: its columns, the error's sentence where n8n's own
 * nodes put it, and beside it what a workflow can decide by.
 *
 * For the error output, n8n wants an `error` on the item itself, but throws away the JSON of every item that still has
 * one later. Hidden from enumeration, it routes the item and is not copied along with it.
 */
function failedItem(
	node: INode,
	contract: ResourceContract,
	row: FailedRow,
	input: IDataObject,
): INodeExecutionData {
	// Of a tool the columns are what the model has just written, and the whole chat message.
	const columns = isTool(node) ? {} : input;
	const item: INodeExecutionData = {
		json: {
			...columns,
			error: messageOf(node, contract, row),
			errorDetails: {
				description: row.failure.advice,
				...errorDataOf(row.failure),
				...displacedIn(columns),
			},
		},
		...pairedWith(row.index, row.name),
	};
	return node.onError === 'continueErrorOutput'
		? Object.defineProperty(item, 'error', { value: rowError(node, contract, row, '') })
		: item;
}

/** The output items of a row, each linked to its input item. */
export const itemsOf = (
	node: INode,
	contract: ResourceContract,
	outcome: RowOutcome,
	parts: ItemParts,
): INodeExecutionData[] =>
	isFailed(outcome)
		? [failedItem(node, contract, outcome, parts.input)]
		: doneItems(contract, outcome, parts);
