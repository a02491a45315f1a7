import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import { isFailed, type DoneRow, type FailedRow, type RowOutcome } from './outcome';
import {
	adviceOf,
	errorDataOf,
	isTool,
	messageOf,
	rowError,
	type ReportContext,
} from './nodeErrors';

/** What the output items of a row are made of, beside its outcome. */
interface ItemParts {
	/** The columns of the row. */
	readonly input: IDataObject;
	/** The binary data of the row. */
	readonly binary?: IBinaryKeyData;
	/** Whether a result includes the columns and the binary data. */
	readonly includesInput: boolean;
	/**
	 * Whether n8n may link an item that has no link to an input item: to the only one, or to the one in the same place if there
	 * are as many output items, as there may be after empty items were skipped.
	 */
	readonly isPairedByN8n: boolean;
}

/**
 * The link of an output item to its input item. What is about no row has none: it would be taken for one of a row. An
 * empty list keeps n8n from linking it.
 */
function pairedWith(
	{ index, removed }: RowOutcome,
	isPairedByN8n: boolean,
): Pick<INodeExecutionData, 'pairedItem'> {
	if (removed === undefined) return { pairedItem: { item: index } };
	return isPairedByN8n ? { pairedItem: [] } : {};
}

const doneItems = (
	{ value }: ResourceContract,
	row: DoneRow,
	{ input, binary, includesInput, isPairedByN8n }: ItemParts,
): INodeExecutionData[] => {
	const { resources, reportOutcome, outcome } = row.result;
	const told = reportOutcome ? { outcome } : {};
	return resources.map((resource) => ({
		json: {
			// First, so that a table shows it without being scrolled, and again, since a column may have its name.
			...told,
			...(includesInput ? { ...input, [value]: resource } : resource),
			...told,
		},
		...(includesInput && binary ? { binary } : {}),
		...pairedWith(row, isPairedByN8n),
	}));
};

/** The names that a failed item has for itself. What the row has under them goes to `errorDetails.input`. */
const ownNames = ['error', 'errorDetails'] as const;

/** What a row has under the names that a failed item has for itself; nothing where it has none. */
function displacedIn(input: IDataObject): { input?: IDataObject } {
	const displaced = ownNames.filter((name) => name in input).map((name) => [name, input[name]]);
	return displaced.length > 0 ? { input: Object.fromEntries(displaced) as IDataObject } : {};
}

/**
 * The output item of a row that failed while the node is set to continue: its columns and binary data, the error's sentence
 * where n8n's own nodes put it, and beside it what a workflow can decide by.
 *
 * For the error output, n8n wants an `error` on the item itself, but throws away the JSON of every item that still has
 * one later. Hidden from enumeration, it routes the item and is not copied along with it. An item that is about no row is
 * not copied by n8n, so that it has none: there n8n routes by the names `error` and `message`, if there are no others.
 */
function failedItem(
	context: ReportContext,
	row: FailedRow,
	{ input, binary, isPairedByN8n }: ItemParts,
): INodeExecutionData {
	const { node } = context;
	const error = messageOf(context, row);
	const told = { description: adviceOf(row.failure), ...errorDataOf(row.failure) };
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	const pair = pairedWith(row, isPairedByN8n);
	if (row.removed) {
		const details = { ...told, ...row.removed.data };
		return { json: { error, [hasErrorOutput ? 'message' : 'errorDetails']: details }, ...pair };
	}
	// Of a tool the columns are what the model has just written, and the whole chat message.
	const columns = isTool(node) ? {} : input;
	const errorDetails = { ...told, ...displacedIn(columns) };
	const json = { ...columns, error, errorDetails };
	const files = binary && !isTool(node) ? { binary } : {};
	const item: INodeExecutionData = { json, ...files, ...pair };
	return hasErrorOutput
		? Object.defineProperty(item, 'error', { value: rowError(context, row, '') })
		: item;
}

/** The output items of a row, each linked to its input item. */
export const itemsOf = (
	context: ReportContext,
	outcome: RowOutcome,
	parts: ItemParts,
): INodeExecutionData[] =>
	isFailed(outcome)
		? [failedItem(context, outcome, parts)]
		: doneItems(context.contract, outcome, parts);
