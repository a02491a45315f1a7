/** Messages of the service by the contract name of the field that they speak of. */
export type FieldErrors = Readonly<Record<string, readonly string[]>>;

/** What went wrong, as the answer or its absence tells. */
export interface Failure {
	/** One sentence about what happened, without a full stop. */
	readonly message: string;
	/** What a person can do next, in whole sentences. */
	readonly advice: string;
	/** HTTP status, where an answer came. */
	readonly statusCode?: number;
	readonly fieldErrors?: FieldErrors;
}

/** The one error that the client throws. */
export class ServiceError extends Error {
	readonly advice: string;
	readonly statusCode?: number;
	readonly fieldErrors?: FieldErrors;

	constructor({ message, advice, statusCode, fieldErrors }: Failure) {
		super(message);
		this.name = 'ServiceError';
		this.advice = advice;
		this.statusCode = statusCode;
		this.fieldErrors = fieldErrors;
	}
}
