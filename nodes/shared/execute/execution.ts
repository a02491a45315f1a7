import type { OperationHandler, OperationRun, QrCode, RunSettings } from '../operations/types';
import type { ApiClient } from '../transport/client';
import type { InvalidRow } from './invalidRows';
import type { MakeOutput } from './options';
import type { Attachment, RowOutcome } from './outcome';
import type { RowTask } from './rowTask';
import { showsValue } from '../contract/compare';
import type { EncodedRow } from '../contract/encodedRow';
import type { ResourceContract } from '../contract/resourceTypes';
import type { Resource } from '../contract/types';

/** How the rows of one run are executed. */
export interface Execution {
	readonly contract: ResourceContract;
	readonly operation: OperationHandler;
	readonly settings: RunSettings;
	/** Number of input items. Items without a row count as well. */
	readonly items: number;
	/** Connects when the first row needs it. If it rejects, all rows that need it fail. */
	readonly connect: () => Promise<ApiClient>;
	readonly isDryRun: boolean;
	/** Whether the run continues after a row fails. */
	readonly continues: boolean;
	/** Returns the output of a resource. */
	readonly output: MakeOutput;
	/** Returns the QR code of a row as n8n stores it. It may throw ServiceError. */
	readonly attachmentOf?: (index: number, qrCode: QrCode) => Promise<Attachment>;
	/** Outcomes of earlier tries of the run by row. The outcomes of this try that must not be repeated are added. */
	readonly finalOutcomes: Map<number, RowOutcome>;
	/** Called when a row or a removal ends. */
	readonly onEnd: (outcome: RowOutcome) => void;
}

/** The result of a run without the outcomes of its rows. */
export interface ExecutionSummary {
	readonly notes: readonly string[];
	/** What to do after a run that failed for some of its rows. */
	readonly recovery: string;
	/** The rows that must not be written. They stop the run before its first write, unless it continues on errors. */
	readonly refused: readonly InvalidRow[];
}

/** Returns the labels of the fields with an empty cell for which a resource has a value. */
const keptFieldsOf = (row: EncodedRow, existing: Resource): string[] =>
	row.skippedFields
		.filter((field) => showsValue(field, existing, row))
		.map(({ displayName }) => displayName);

/** Returns the task of a row: the operation, and how n8n stores its QR code. */
export function taskOf(
	{ execute }: OperationRun,
	{ attachmentOf }: Execution,
	row: EncodedRow,
	index: number,
): RowTask {
	return async (requests) => {
		const result = await execute(requests, row);
		const { qrCode, existing, ...rest } = result;
		const keptFields = existing && keptFieldsOf(row, existing);
		const attachment = qrCode && attachmentOf ? await attachmentOf(index, qrCode) : undefined;
		return { ...rest, attachment, keptFields };
	};
}
