import type { IDataObject } from 'n8n-workflow';
import type { EncodedRow } from '../contract/encodeRow';
import type { RowRequests } from '../transport/rowRequests';

/** What became of a row at the service. */
export type Outcome = 'created' | 'deleted' | 'missing' | 'read' | 'unchanged' | 'updated';

export interface Result {
	readonly resources: readonly IDataObject[];
	readonly outcome: Outcome;
	/** Whether the output tells the outcome, because the operation leaves open which one it will be. */
	readonly reportOutcome?: true;
}

/**
 * Does for one row what its operation says.
 *
 * @throws ServiceError, the only error of its own
 */
export type Execute = (requests: RowRequests, row: EncodedRow) => Promise<Result>;
