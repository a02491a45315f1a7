import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { textOf } from '../contract/codecs/scalar';
import { reasonText, shorten } from '../contract/values';
import { Invalid } from '../contract/types';
import { optionsName } from '../description/nodeOptions';
import type { QrCode } from '../operations/types';
import { rejection } from '../transport/failures';
import { adviceOf, errorDataOf, messageOf, rowError } from './errors';
import { type FailedRow, isFailed, type RowOutcome } from './outcome';
import { yieldBetweenBatches } from './readRows';
import { isTool, type NodeRun } from './sheet';

/**
 * Returns the link of an output item to its input item. The item of a removal has none, because it belongs to no row. The empty
 * list prevents that n8n links it to an item, such as the only input item or the item in the same place.
 */
const pairOf = ({ index, removed }: RowOutcome): INodeExecutionData['pairedItem'] =>
	removed === undefined ? { item: index } : [];

/** The keys of a failed item. Columns with these names go to `errorDetails.input`. */
const reservedKeys = ['error', 'errorDetails'] as const;

/**
 * Returns the output item of a row that failed: its columns and binary data, the message under n8n's usual key, and data that
 * a workflow can use.
 *
 * For the error output, n8n needs an `error` on the item itself, but drops the JSON of each item that has one later. Hidden
 * from enumeration, the property routes the item, and n8n does not copy it. n8n does not copy the item of a removal, so that
 * item has no such property. n8n routes it by the keys `error` and `message`, if it has no other keys.
 */
function failedItem(run: NodeRun, row: FailedRow): INodeExecutionData {
	const { node, items } = run;
	const { json: input, binary } = (isTool(node) ? undefined : items[row.index]) ?? {};
	const error = messageOf(run, row);
	const data = { description: adviceOf(row), ...errorDataOf(row) };
	const hasErrorOutput = node.onError === 'continueErrorOutput';
	if (row.removed) {
		const details = { ...data, ...row.removed.data };
		const json = { error, [hasErrorOutput ? 'message' : 'errorDetails']: details };
		return { json, pairedItem: pairOf(row) };
	}
	// The columns of a tool are the values that the model has just sent, and the whole chat message.
	const displaced = reservedKeys.filter((name) => input && name in input);
	const moved = Object.fromEntries(displaced.map((name) => [name, input?.[name]]));
	const errorDetails = { ...data, ...(displaced.length > 0 ? { input: moved } : {}) };
	const json: IDataObject = { ...input, error, errorDetails };
	const item: INodeExecutionData = { json, ...(binary ? { binary } : {}), pairedItem: pairOf(row) };
	return hasErrorOutput
		? Object.defineProperty(item, 'error', { value: rowError(run, row) })
		: item;
}

/**
 * Returns the output items of a row, each linked to its input item.
 *
 * @param hasInput whether a result includes the columns and the binary data
 */
export function itemsOf(run: NodeRun, row: RowOutcome, hasInput: boolean): INodeExecutionData[] {
	if (isFailed(row)) return [failedItem(run, row)];
	const { json: input, binary } = run.items[row.index] ?? {};
	const { resources, reportOutcome, outcome, attachment } = row.result;
	const reported = reportOutcome ? { outcome } : {};
	const isKept = hasInput || (attachment !== undefined && !isTool(run.node));
	const files = { ...(isKept ? binary : {}), ...attachment?.binary };
	return resources.map((resource) => ({
		json: {
			// First, so that a table shows it without scrolling; and last, because a column may have its name.
			...reported,
			...(hasInput ? { ...input, [run.contract.value]: resource } : resource),
			...attachment?.json,
			...reported,
		},
		...(Object.keys(files).length > 0 ? { binary: files } : {}),
		pairedItem: pairOf(row),
	}));
}

/** Max length of a reason, in characters. */
const maxReason = 200;

/**
 * Returns what the output item of a row has for its QR code: its text, or its file as n8n stores it. A tool gets no file,
 * because a model cannot read it.
 *
 * @throws ServiceError if n8n cannot store the file
 */
export async function attachmentOf(run: NodeRun, index: number, qrCode: QrCode) {
	const { context, node, contract } = run;
	// Many addresses that need no request would block n8n.
	await yieldBetweenBatches(index);
	const property = contract.qrCode?.outputField;
	if (!property) return {};
	const { name: option, displayName, codec } = property;
	const value = context.getNodeParameter(`${optionsName}.${option}`, index, '');
	const field = textOf(codec, value, property);
	if (field instanceof Invalid) {
		const reasons = field.reasons.map(reasonText).join('. ');
		throw rejection(`${displayName} ${reasons}`, 'Enter a name.');
	}
	if (typeof qrCode === 'string') return { json: { [field]: qrCode } };
	if (isTool(node)) return {};
	const { content, name, type } = qrCode;
	try {
		const file = await context.helpers.prepareBinaryData(Buffer.from(content), name, type);
		return { binary: { [field]: file } };
	} catch (error) {
		const reason = shorten(error instanceof Error ? error.message : String(error), maxReason);
		const message = `n8n cannot store the file of the QR code (${reason})`;
		throw rejection(message, 'Check the storage for binary data of n8n.');
	}
}
