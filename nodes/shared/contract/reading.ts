import type { INodeProperties } from 'n8n-workflow';
import type { Operation, Parameters, Reading, ResourceContract } from './types';

/** Collects problems while the parts of a row are read. */
export type Report = (property: INodeProperties, reasons: readonly string[]) => void;

/** One row as it is being read. */
export interface Row {
	readonly contract: ResourceContract;
	readonly operation: Operation;
	readonly parameters: Parameters;
	readonly reading: Reading;
	readonly report: Report;
}
