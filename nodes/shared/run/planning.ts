import { NodeOperationError, sleep, type IExecuteFunctions } from 'n8n-workflow';
import { parametersOf } from '../contract/places';
import type { Operation, ResourceContract } from '../contract/types';
import { refuseRepeats } from './duplicates';
import type { RunOptions } from './options';
import { planRow, type Planning, type Row } from './row';

/** So many rows are read in one go. Without a pause n8n would answer nobody while thousands are being read. */
const batch = 100;

/**
 * The operation that the node is set to.
 *
 * @throws NodeOperationError where there is none of that name
 */
export function operationOf(context: IExecuteFunctions, contract: ResourceContract): Operation {
	const value = context.getNodeParameter('operation', 0);
	const operation = contract.operations.find((candidate) => candidate.value === value);
	if (operation) return operation;
	throw new NodeOperationError(
		context.getNode(),
		`The operation "${String(value)}" does not exist; choose one from the Operation list`,
	);
}

/** All rows as requests or problems, before anything is sent. */
export async function planRows(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: Operation,
	options: RunOptions,
): Promise<Row[]> {
	const planning: Planning = {
		contract,
		operation,
		reading: options.reading,
		aliasLength: operation.value === 'create' ? options.generateAlias : undefined,
		properties: parametersOf(contract, operation),
	};
	const rows: Row[] = [];
	for (const index of context.getInputData().keys()) {
		if (index % batch === batch - 1) await sleep(0);
		rows.push(planRow(context, planning, index));
	}
	return refuseRepeats(rows);
}
