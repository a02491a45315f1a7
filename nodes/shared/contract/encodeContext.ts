import type { DerivedField, EncodedField } from './fieldTypes';
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
	/** The derived fields that set values, by field name. Problems of a value are reported for its derived field. */
	readonly sources: ReadonlyMap<string, DerivedField>;
	/** Returns the encoded fields with the derived fields applied that set no field. */
	readonly complete: (fields: readonly EncodedField[]) => readonly EncodedField[];
	/** Names of the fields to clear. */
	readonly cleared: ReadonlySet<string>;
}
