import type { IDataObject } from 'n8n-workflow';
import type { ApiRequest } from '../contract/operations';
import { oneLine } from '../contract/text';
import { counted } from '../contract/wording';

/** Messages of the service, by the contract name of the field. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Why a request failed. It decides whether the request may be retried:
 * - `rejected`: a retry would get the same response
 * - `rateLimited`: too many requests; not processed
 * - `maintenance`: the service is not available; not processed
 * - `connectFailed`: there was no connection
 * - `ambiguous`: the service failed, or no complete response arrived; a write may have been carried out
 * - `ended`: the run was stopped or canceled before the request was sent
 * - `unsupported`: the service has a later version; a write may have been carried out without some of its values
 */
export type Cause =
	| 'ambiguous'
	| 'connectFailed'
	| 'ended'
	| 'maintenance'
	| 'rateLimited'
	| 'rejected'
	| 'unsupported';

/** Why a request failed, and what the user can do. */
export interface Failure {
	/** What happened: one sentence without a period. */
	readonly message: string;
	/** What the user can do, in whole sentences. */
	readonly advice: string;
	/** Why the request has changed nothing: a sentence that is not true if an earlier try may have been carried out. */
	readonly claim?: string;
	readonly cause: Cause;
	/** Whether nothing was changed, or it is unknown. Default: `failed`. */
	readonly outcome?: 'failed' | 'unknown';
	/** Set if a write may have been carried out, and no response shows whether it was. The advice does not say so. */
	readonly mayBeDone?: true;
	/** Set if the response contradicts itself, so that a refused write may have been carried out. */
	readonly isInconsistent?: true;
	/** The ID and address of a resource that a create made in place of the row's resource. */
	readonly stray?: string;
	/** Set if a create must not be repeated: it is unknown whether it was carried out, or its response contradicts the row. */
	readonly isUnknownCreate?: true;
	/** The resource that a service of a later version has written. */
	readonly written?: IDataObject;
	/** Whether Timeout has passed, so that the service may still process the request. */
	readonly isTimeout?: boolean;
	/** Set if the pages of a list do not fit together. */
	readonly isBrokenList?: true;
	/** Set if the failure stops the whole run and belongs to no row. */
	readonly isRunLevel?: true;
	/** Set if the resource of the row does not exist, as the service itself reports it. */
	readonly isMissing?: true;
	/** The host that the message contains. */
	readonly host?: string;
	/** Set if the response is a web page, which may come from a proxy. */
	readonly isPage?: true;
	/** The HTTP status of the response. */
	readonly statusCode?: number;
	readonly fieldErrors?: FieldErrors;
}

/** The only error that transport and operations throw. Its texts are single lines, because they may contain texts of the service. */
export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		const [message, advice] = [oneLine(failure.message), oneLine(failure.advice)];
		super(message);
		this.name = 'ServiceError';
		this.failure = { ...failure, message, advice };
	}
}

/** Returns an error that a retry would not change. */
export const rejection = (message: string, advice: string, more: Partial<Failure> = {}) =>
	new ServiceError({ cause: 'rejected', message, advice, ...more });

/** Returns an error of a row that has written nothing in this try. */
export const earlyRejection = (message: string, advice: string, more: Partial<Failure> = {}) =>
	rejection(message, advice, { claim: 'Nothing was written for this item.', ...more });

/** Resolves with the result of a promise or with its ServiceError. Rejects with any other error. */
export const settled = async <T>(promise: Promise<T>): Promise<ServiceError | T> =>
	await promise.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});

/** Returns milliseconds as text, rounded: `1 second`, `12 seconds`. */
export const inSeconds = (time: number): string => counted(Math.round(time / 1000), 'second');

/** The outcome of a write that the service may have processed. */
export const openWrite = { outcome: 'unknown', mayBeDone: true } as const;

/** Returns the outcome of a request that the service may have processed. A read changes nothing. */
export const openOutcome = ({ method }: Pick<ApiRequest, 'method'>): Partial<Failure> =>
	method === 'GET' ? {} : openWrite;

/** Returns the error of a response with an ID that JSON has rounded. A request with it would address another resource. */
export const roundedId = (request: Pick<ApiRequest, 'method'>): ServiceError =>
	rejection(
		'The service has IDs above 9007199254740991, which JSON numbers cannot represent exactly',
		'The node never sends a rounded ID. Ask the service to return its IDs as text, or use the HTTP Request node.',
		openOutcome(request),
	);

/** Returns the advice after a read that failed. */
export const tryLater = ({ method }: Pick<ApiRequest, 'method'>): string =>
	method === 'GET' ? 'Try again later.' : '';

/** Joins sentences, and leaves out empty ones. A sentence of the service may lack its period. */
export const joinSentences = (...sentences: readonly string[]): string =>
	sentences
		.filter((sentence) => sentence !== '')
		.map((each, index, { length }) =>
			index < length - 1 && !/[.!?…。]["”’)]?$/.test(each) ? `${each}.` : each,
		)
		.join(' ');
