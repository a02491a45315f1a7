import type { DerivedField, RowRewrite } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';
import type { EncodeOptions, Invalid, OperationName, Parameters, ReportProblem } from './types';

/** One row as it is being encoded. */
export interface EncodeContext {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly parameters: Parameters;
	readonly options: EncodeOptions;
	/** Collects problems while the parts of the row are read. */
	readonly report: ReportProblem;
	/** Collects why the fields that a derived field sets must not be written. */
	readonly forbid: (property: DerivedField, reason: string) => void;
	/** What a reader gives; an exception, as a date at the end of the calendar may throw, becomes a reason. */
	readonly guard: <T>(read: () => Invalid | T) => Invalid | T;
}

/** What a row wants of the fields. */
export interface ResolvedFields {
	/** Values by field name; what was left alone has an empty text. */
	readonly values: Parameters;
	/** The derived fields that set values, by the names of the fields that have them: what is wrong stands there. */
	readonly sources: ReadonlyMap<string, DerivedField>;
	/** How the texts of fields are rewritten after they were encoded. */
	readonly rewrite?: RowRewrite;
	/** Names of the fields that are to be emptied. */
	readonly cleared: ReadonlySet<string>;
}
