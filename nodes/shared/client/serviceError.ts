/** Messages of the service by the contract name of the field that they speak of. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/**
 * Why a request failed, as far as it decides what may be done next:
 * - `refused`: the service answered, and would answer the same again
 * - `throttled`: too many requests; not processed
 * - `maintenance`: not available until a time that the service named; not processed
 * - `notSent`: no connection was made
 * - `broken`: the service failed, or no whole answer came; a write may have been carried out or not
 */
export type Cause = 'broken' | 'maintenance' | 'notSent' | 'refused' | 'throttled';

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
	/** HTTP status, where an answer came. */
	readonly statusCode?: number;
	readonly fieldErrors?: FieldErrors;
	/** Milliseconds that the service asked to wait. */
	readonly retryAfter?: number;
}

/** The one error that the client throws. */
export class ServiceError extends Error {
	readonly failure: Failure;

	constructor(failure: Failure) {
		super(failure.message);
		this.name = 'ServiceError';
		this.failure = failure;
	}
}

/** The result of a promise, or the ServiceError that it was rejected with; any other rejection goes through. */
export const settled = async <T>(promise: Promise<T>): Promise<ServiceError | T> =>
	await promise.catch((error: unknown) => {
		if (error instanceof ServiceError) return error;
		throw error;
	});
