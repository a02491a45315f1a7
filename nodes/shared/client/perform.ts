import type { IDataObject } from 'n8n-workflow';
import type { PlannedRequest } from '../contract/encode';
import type { AnswerKind } from '../contract/types';
import { isRecord } from '../contract/values';
import { call } from './call';
import type { Service } from './http';
import { list } from './list';
import { ServiceError } from './serviceError';
import { outcomeUnknown } from './statusFailures';

type Perform = (service: Service, plan: PlannedRequest) => Promise<IDataObject[]>;

/** The resource in an answer: inside `data`, alone in a list, or bare (assumption: one resource). */
function unwrap(body: unknown): IDataObject | undefined {
	const inner = isRecord(body) && 'data' in body ? body.data : body;
	const one: unknown = Array.isArray(inner) && inner.length === 1 ? inner[0] : inner;
	// Decoded JSON, so what is a record is a data object.
	return isRecord(one) ? (one as IDataObject) : undefined;
}

const one: Perform = async (service, plan) => {
	const found = unwrap(await call(service, plan));
	if (found) return [found];
	throw new ServiceError({
		message: 'The service answered without the data that it should hold',
		advice: outcomeUnknown(plan.operation.endpoint),
	});
};

/** The service confirms with an object of its own or with an empty body (assumption: delete answer). */
const deletion: Perform = async (service, plan) => {
	const confirmed = unwrap(await call(service, plan));
	return [{ id: confirmed?.id ?? plan.id, deleted: true }];
};

const performers: Readonly<Record<AnswerKind, Perform>> = { one, list, deletion };

/**
 * Carries out a planned request and returns what it yields: one resource, the resources of a list, or
 * `{ id, deleted: true }`.
 *
 * @throws ServiceError, the only error that leaves this folder
 */
export const perform: Perform = async (service, plan) =>
	await performers[plan.operation.endpoint.answer](service, plan);
