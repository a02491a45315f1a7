import type { ResourceContract } from './resourceTypes';
import type { EncodeOptions, Invalid, OperationName, Parameters, ReportProblem } from './types';

/** The context of a row while it is encoded. */
export interface EncodeContext {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly parameters: Parameters;
	readonly options: EncodeOptions;
	/** Reports a problem of the row. */
	readonly report: ReportProblem;
	/**
	 * Calls a reader and returns its result. Turns an exception into Invalid, such as a date at the end of the
	 * calendar.
	 */
	readonly guard: <T>(read: () => Invalid | T) => Invalid | T;
}

/** The values of a row for the fields of the contract. */
export interface ResolvedFields {
	/** Values by field name. An unset field has an empty text. */
	readonly values: Parameters;
	/** Names of the fields to clear. */
	readonly cleared: ReadonlySet<string>;
}
