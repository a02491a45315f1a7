import { randomString, type IExecuteFunctions, type INodeProperties } from 'n8n-workflow';
import { encode } from '../contract/encode';
import type { PlannedRequest, Problem } from '../contract/plan';
import type { Operation, Parameters, Reading, ResourceContract } from '../contract/types';
import { isRecord, isUnset } from '../contract/values';

/** One input item on its way to a request: what is to be sent for it, or why nothing can be. */
export interface Row {
	/** Position of the input item, from 0. */
	readonly index: number;
	readonly planned: PlannedRequest | readonly Problem[];
}

export const isPlanned = (planned: Row['planned']): planned is PlannedRequest => 'path' in planned;

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
		const said =
			isRecord(error) && typeof error.message === 'string' ? error.message : 'unknown error';
		const reason = `has an expression that fails (${said}); correct the expression`;
		return { problem: { field: displayName, key: name, reason } };
	}
}

/** Gives a row without an alias a random one, where the option asks for it: what has an alias can be found again. */
function withAlias(values: Parameters, length: number | undefined): Parameters {
	const { additionalFields } = values;
	const given = isUnset(additionalFields) ? {} : additionalFields;
	if (length === undefined || !isRecord(given) || !isUnset(given.alias)) return values;
	return { ...values, additionalFields: { ...given, alias: randomString(length) } };
}

/** How the rows of one run are read. */
export interface Planning {
	readonly contract: ResourceContract;
	readonly operation: Operation;
	readonly reading: Reading;
	/** Length of the alias for rows without one; undefined where none is wanted. */
	readonly aliasLength?: number;
	/** The parameters that a row has. */
	readonly properties: readonly INodeProperties[];
}

/** Reads and encodes one row. Every parameter is evaluated once, a collection as a whole. */
export function planRow(context: IExecuteFunctions, planning: Planning, index: number): Row {
	const { contract, operation, reading, aliasLength, properties } = planning;
	const values: Record<string, unknown> = {};
	const failed: Problem[] = [];
	for (const property of properties) {
		const outcome = read(context, property, index);
		if ('problem' in outcome) failed.push(outcome.problem);
		else values[property.name] = outcome.value;
	}
	if (failed.length > 0) return { index, planned: failed };
	const parameters = withAlias(values, aliasLength);
	return { index, planned: encode(contract, operation, parameters, reading) };
}
