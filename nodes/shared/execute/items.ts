import type { IBinaryKeyData, IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isFailed, type DoneRow, type FailedRow, type RowOutcome } from './outcome';
import {
	adviceOf,
	errorDataOf,
	isTool,
	messageOf,
	rowError,
	type ReportContext,
} from './nodeErrors';

/** The parts of the output items of a row other than its outcome. */
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
 * Returns the link of an output item to its input item. The item of a removal has none, because it belongs to no row. An empty
 * list prevents n8n from linking it.
 */
function pairedWith(
	{ index, removed }: RowOutcome,
	isPairedByN8n: boolean,
): Pick<INodeExecutionData, 'pairedItem'> {
	if (removed === undefined) return { pairedItem: { item: index } };
	return isPairedByN8n ? { pairedItem: [] } : {};
}

const doneItems = (
	{ node, contract: { value } }: ReportContext,
	row: DoneRow,
	{ input, binary, includesInput, isPairedByN8n }: ItemParts,
): INodeExecutionData[] => {
	const { resources, reportOutcome, outcome, attachment } = row.result;
	const reported = reportOutcome ? { outcome } : {};
	const isKept = includesInput || (attachment !== undefined && !isTool(node));
	const files = { ...(isKept ? binary : {}), ...attachment?.binary };
	return resources.map((resource) => {
		return {
			json: {
				// First, so that a table shows it without scrolling; and last, because a column may have its name.
				...reported,
				...(includesInput ? { ...input, [value]: resource } : resource),
				...attachment?.json,
				...reported,
			},
			...(Object.keys(files).length > 0 ? { binary: files } : {}),
			...pairedWith(row, isPairedByN8n),
		};
	});
};

/** The keys of a failed item. Columns with these names go to `errorDetails.input`. */
const reservedKeys = ['error', 'errorDetails'] as const;

/** Returns the columns of a row that have the reserved keys; an empty object if there are none. */
function displacedIn(input: IDataObject): { input?: IDataObject } {
	const displaced = reservedKeys.filter((name) => name in input).map((name) => [name, input[name]]);
	return displaced.length > 0 ? { input: Object.fromEntries(displaced) as IDataObject } : {};
}

/**
 * Returns the output item of a row that failed: its columns and binary data, the message under n8n's usual key, and data that
 * a workflow can use.
 *
 * For the error output, n8n needs an `error` on the item itself, but drops the JSON of each item that has one later. Hidden
 * from enumeration, the property routes the item, and n8n does not copy it. n8n does not copy the item of a removal, so that
 * item has no such property. n8n routes it by the keys `error` and `message`, if it has no other keys.
 */
function failedItem(
	context: ReportContext,
	row: FailedRow,
	{ input, binary, isPairedByN8n }: ItemParts,
): INodeExecutionData {
	const { node } = context;
	const error = messageOf(context, row);
	const data = { description: adviceOf(row.failure), ...errorDataOf(row.failure) };
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	const pair = pairedWith(row, isPairedByN8n);
	if (row.removed) {
		const details = { ...data, ...row.removed.data };
		return { json: { error, [hasErrorOutput ? 'message' : 'errorDetails']: details }, ...pair };
	}
	// The columns of a tool are the values that the model has just sent, and the whole chat message.
	const columns = isTool(node) ? {} : input;
	const errorDetails = { ...data, ...displacedIn(columns) };
	const json = { ...columns, error, errorDetails };
	const files = binary && !isTool(node) ? { binary } : {};
	const item: INodeExecutionData = { json, ...files, ...pair };
	return hasErrorOutput
		? Object.defineProperty(item, 'error', { value: rowError(context, row, '') })
		: item;
}

/** Returns the output items of a row, each linked to its input item. */
export const itemsOf = (
	context: ReportContext,
	outcome: RowOutcome,
	parts: ItemParts,
): INodeExecutionData[] =>
	isFailed(outcome) ? [failedItem(context, outcome, parts)] : doneItems(context, outcome, parts);
