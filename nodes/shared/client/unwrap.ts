import type { IDataObject } from 'n8n-workflow';
import type { PlannedRequest } from '../contract/plan';
import { isRecord } from '../contract/values';
import { ServiceError } from './serviceError';
import { outcomeUnknown } from './statusFailures';

/** The resource in an answer: inside `data`, alone in a list, or bare (assumption: one resource). Undefined for none. */
export function resourceIn(body: unknown): IDataObject | undefined {
	const inner = isRecord(body) && 'data' in body ? body.data : body;
	const one: unknown = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
	// Decoded JSON, so what is a record is a data object.
	return isRecord(one) ? (one as IDataObject) : undefined;
}

/** The resource in an answer, or the error that there is none; after a write nobody knows what that means. */
export const unwrap = (
	body: unknown,
	plan: Pick<PlannedRequest, 'method'>,
): IDataObject | ServiceError =>
	resourceIn(body) ??
	new ServiceError({
		cause: 'broken',
		message: 'The service answered without the data that it should hold',
		advice: outcomeUnknown(plan),
		outcome: plan.method === 'GET' ? 'failed' : 'unknown',
	});
