import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';
import type { Service } from '../client/http';
import { perform } from '../client/perform';
import { ServiceError } from '../client/serviceError';
import { connect } from '../connect/connect';
import { defaultTimeout } from '../contract/nodeOptions';
import type { Operation, ResourceContract } from '../contract/types';
import { failedItem, itemsOf } from './items';
import { invalidRow, invalidRowsError, rowError, type FailedRow } from './report';
import { isPlanned, planRow, type Row } from './row';

type Outcome = FailedRow | { readonly index: number; readonly found: readonly IDataObject[] };

/** Any error as a failed row. What is not our own comes from n8n itself, such as a credential that cannot be read. */
function failedRow(index: number, error: unknown): FailedRow {
	if (error instanceof ServiceError) return { index, failure: error };
	const message = error instanceof Error ? error.message : String(error);
	return {
		index,
		failure: { message, advice: 'Check the credential and the settings of the node.' },
	};
}

/** Carries out one row. Never throws: whether a failure stops the run is not the row's to decide. */
async function settle(
	connected: () => Promise<Service>,
	{ index, planned }: Row,
): Promise<Outcome> {
	if (!isPlanned(planned)) return invalidRow(index, planned);
	try {
		return { index, found: await perform(await connected(), planned) };
	} catch (error) {
		return failedRow(index, error);
	}
}

function operationOf(context: IExecuteFunctions, contract: ResourceContract): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = contract.operations.find((candidate) => candidate.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`The operation "${String(value)}" does not exist; choose one from the Operation list`,
	);
}

/** Connects at the first row that needs it, and once for all rows. */
function connectOnce(context: IExecuteFunctions): () => Promise<Service> {
	let service: Promise<Service> | undefined;
	const timeout = () =>
		Number(context.getNodeParameter('options.timeout', 0, defaultTimeout)) || defaultTimeout;
	return async () => await (service ??= connect(context, timeout()));
}

/**
 * Runs a node: every row is read and checked before the first request leaves, then the rows are carried out in their
 * order. What becomes of a failing row is decided by the node's On Error setting.
 *
 * @throws NodeOperationError naming all rows that cannot be sent; NodeApiError of the first row that failed
 */
export async function run(
	context: IExecuteFunctions,
	contract: ResourceContract,
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const goesOn = context.continueOnFail();
	const operation = operationOf(context, contract);
	const rows = context
		.getInputData()
		.map((_, index) => planRow(context, contract, operation, index));

	const invalid = rows.flatMap(({ index, planned }) =>
		isPlanned(planned) ? [] : [invalidRow(index, planned)],
	);
	if (invalid.length > 0 && !goesOn) throw invalidRowsError(node, invalid, rows.length);

	const connected = connectOnce(context);
	const output: INodeExecutionData[] = [];
	for (const row of rows) {
		const outcome = await settle(connected, row);
		if ('found' in outcome) output.push(...itemsOf(outcome.index, outcome.found));
		else if (goesOn) output.push(failedItem(node, contract, outcome, rows.length));
		else throw rowError(node, contract, outcome, rows.length);
	}
	return [output];
}
