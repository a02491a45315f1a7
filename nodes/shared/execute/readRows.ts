import { sleep, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { encodeRow, type EncodedRow, type Problem } from '../contract/encodeRow';
import { parametersOf } from '../contract/placement';
import type { EncodeOptions, OperationName, ResourceContract } from '../contract/types';
import { isRecord } from '../contract/values';

/** One input item: what it asks for, or why nothing can be sent for it. */
export interface Row {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The earlier row that asks for the very same, where there is one. */
	readonly repeats?: number;
}

/** So many rows are read in one go. */
const batch = 100;

/** Lets n8n answer others between many rows. The only pause of the package that is not the rate limiter's. */
async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batch === batch - 1) await sleep(0);
}

const sentenceOf = (error: unknown) =>
	isRecord(error) && typeof error.message === 'string' ? error.message : 'unknown error';

/** Reads one parameter of one row; an expression that fails becomes the row's problem instead of an exception. */
function read(
	context: IExecuteFunctions,
	{ name, displayName }: INodeProperties,
	index: number,
): { value: unknown } | { problem: Problem } {
	try {
		// A parameter that another one hides has no value; the empty text stands for "not set".
		return { value: context.getNodeParameter(name, index, '') };
	} catch (error) {
		const reason = `has an expression that fails (${sentenceOf(error)}); correct the expression`;
		return { problem: { field: displayName, key: name, reason } };
	}
}

/** All rows, read and encoded before anything is sent. Every parameter is evaluated once, a collection as a whole. */
export async function readRows(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	options: EncodeOptions,
): Promise<Row[]> {
	const properties = parametersOf(contract, operation);
	const rows: Row[] = [];
	for (const index of context.getInputData().keys()) {
		await yieldBetweenBatches(index);
		const values: Record<string, unknown> = {};
		const failed: Problem[] = [];
		for (const property of properties) {
			const outcome = read(context, property, index);
			if ('problem' in outcome) failed.push(outcome.problem);
			else values[property.name] = outcome.value;
		}
		const encoded = failed.length > 0 ? failed : encodeRow(contract, operation, values, options);
		rows.push({ index, encoded });
	}
	return rows;
}
