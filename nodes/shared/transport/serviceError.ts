import { oneLine } from '../contract/escape';

/** Messages of the service by the contract name of the field that they speak of. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Why a request failed, as far as it decides what may be done next:
 * - `rejected`: the service answered, and would answer the same again
 * - `rateLimited`: too many requests; not processed
 * - `maintenance`: not available at the moment; not processed
 * - `connectFailed`: no connection was made
 * - `ambiguous`: the service failed, or no whole answer came; a write may have been carried out or not
 * - `ended`: the run was stopped or cancelled before the request left
 */
export type Cause =
	| 'ambiguous'
	| 'connectFailed'
	| 'ended'
	| 'maintenance'
	| 'rateLimited'
	| 'rejected';

/** What became of the row: nothing was changed, or nobody knows. */
export type FailureOutcome = 'failed' | 'unknown';

/** What went wrong, as the answer or its absence tells. */
export interface Failure {
	/** One sentence about what happened, without a full stop. */
	readonly message: string;
	/** What a person can do next, in whole sentences. */
	readonly advice: string;
	readonly cause: Cause;
	/** Whether nothing was changed or nobody knows; `failed` unless said otherwise. */
	readonly outcome?: FailureOutcome;
	/** Set where the answer contradicts itself, so that a write may have been carried out although it was refused. */
	readonly isInconsistent?: true;
	/** What a create left at the service in place of the row's resource: its ID, and the address under which people open it. */
	readonly stray?: string;
	/** Set if nobody knows whether a create was carried out. */
	readonly isUnknownCreate?: true;
	/** Whether the time for an answer was over, so that the service may still be at work. */
	readonly isTimeout?: boolean;
	/** Set where it stops the whole run, so that it is about no row. */
	readonly isRunLevel?: true;
	/** The host that the message names, where it names one. */
	readonly host?: string;
	/** HTTP status, where an answer came. */
	readonly statusCode?: number;
	readonly fieldErrors?: FieldErrors;
}

/** The one error that transport and operations throw. No text of a service makes a line of its own in it, as in a log. */
export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		const [message, advice] = [oneLine(failure.message), oneLine(failure.advice)];
		super(message);
		this.name = 'ServiceError';
		this.failure = { ...failure, message, advice };
	}
}

/** An answer has an ID that cannot be read without loss, so that a request for it would be one for another resource. */
export const roundedId: Failure = {
	cause: 'rejected',
	message: 'The service has IDs above 9007199254740991, which JSON numbers cannot hold exactly',
	advice:
		'The node never sends a rounded ID. Ask the service to give its IDs as text, or use the HTTP Request node.',
};

/** A failure that no repeat would change, before or without a request of its own. */
export const rejection = (message: string, advice: string, more: Partial<Failure> = {}) =>
	new ServiceError({ cause: 'rejected', message, advice, ...more });

/** The result of a promise, or the ServiceError that it was rejected with; any other rejection goes through. */
export const settled = async <T>(promise: Promise<T>): Promise<ServiceError | T> =>
	await promise.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
