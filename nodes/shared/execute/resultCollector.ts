import type { INodeExecutionData } from 'n8n-workflow';
import type { Outcome } from '../operations/types';
import {
	isFailed,
	stateOf,
	type FailedRow,
	type RowOutcome,
	type RowState,
	type RowStates,
} from './outcome';

/** The outcome of a row in the summary. */
export type OutcomeLabel = Outcome | 'failed' | 'repeated';

function labelFor(outcome: RowOutcome): OutcomeLabel {
	if (isFailed(outcome)) return 'failed';
	return outcome.isDuplicate ? 'repeated' : outcome.result.outcome;
}

/** Returns the priority of a failure for the error of the run: highest for a stray resource, lowest for a row that was not sent. */
const relevanceOf = (failed: FailedRow): number => {
	const { cause, stray } = failed.failure;
	if (stray !== undefined) return 2;
	return cause === 'ended' || stateOf(failed) === 'not sent' ? 0 : 1;
};

/** Returns whether a failure has a higher priority than the current one. If they are equal, the earlier row has priority. */
const isMoreRelevant = (failed: FailedRow, current: FailedRow | undefined): boolean => {
	const difference = current ? relevanceOf(failed) - relevanceOf(current) : 1;
	return difference > 0 || (difference === 0 && failed.index < (current?.index ?? Infinity));
};

/** Collects the results of a run. It creates the output items of a row as soon as the row ends, and stores only these. */
export class ResultCollector {
	/** Number of rows by outcome. */
	readonly rows = new Map<OutcomeLabel, number>();

	/** Number of removals by outcome. */
	readonly removals = new Map<OutcomeLabel, number>();

	/** Number of resources that were disabled and are enabled again. */
	reenabled = 0;

	/** The failure that stops the run, unless it continues on errors. */
	stopping?: FailedRow;

	/** The resources that the service created instead of the requested resources, by index, unsorted. */
	readonly strays = new Map<number, string>();

	/** Whether a failed write may have changed a resource. */
	isUncertain = false;

	/** Whether the whole run failed. */
	isRunFailed = false;

	/** The output items of the rows, and then those of the removals. */
	private readonly itemsByRow: INodeExecutionData[][] = [];

	private readonly itemsFor: (outcome: RowOutcome) => INodeExecutionData[];

	private readonly rowStates: Map<number, RowState>;

	/** @param rows positions of their input items */
	constructor(rows: readonly number[], itemsFor: ResultCollector['itemsFor']) {
		this.itemsFor = itemsFor;
		this.rowStates = new Map(rows.map((index) => [index, 'not sent']));
	}

	/** Adds the outcome of a row or a removal. */
	add(outcome: RowOutcome): void {
		const { index, removed } = outcome;
		const counts = removed ? this.removals : this.rows;
		const label = labelFor(outcome);
		counts.set(label, (counts.get(label) ?? 0) + 1);
		if (this.rowStates.has(index)) this.rowStates.set(index, stateOf(outcome));
		this.itemsByRow[index] = this.itemsFor(outcome);
		if (!isFailed(outcome)) {
			this.reenabled += outcome.result.isReenabled && label !== 'repeated' ? 1 : 0;
			return;
		}
		if (isMoreRelevant(outcome, this.stopping)) this.stopping = outcome;
		const { stray } = outcome.failure;
		if (stray !== undefined || stateOf(outcome) === 'unknown') this.isUncertain = true;
		if (stray !== undefined) this.strays.set(index, stray);
		if (outcome.failure.isRunLevel) this.isRunFailed = true;
	}

	/** The state of each row. */
	get states(): RowStates {
		return this.rowStates;
	}

	/** All output items, in the order of the rows. */
	get items(): INodeExecutionData[] {
		return this.itemsByRow.flat();
	}
}
