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

/** What became of a row, as a summary tells it. */
export type OutcomeLabel = Outcome | 'failed' | 'repeated';

function labelFor(outcome: RowOutcome): OutcomeLabel {
	if (isFailed(outcome)) return 'failed';
	return outcome.isDuplicate ? 'repeated' : outcome.result.outcome;
}

/** How much a failure tells about why the run stopped: most if it left a stray resource, least if the row was not sent. */
const priorityOf = ({ failure }: FailedRow): number => {
	if (failure.stray !== undefined) return 2;
	return failure.cause === 'ended' ? 0 : 1;
};

/** Whether a failure tells more of why the run stopped than another one does; of two that tell as much, the first row. */
const isMoreRelevant = (one: FailedRow, other: FailedRow | undefined): boolean => {
	const difference = other ? priorityOf(one) - priorityOf(other) : 1;
	return difference > 0 || (difference === 0 && one.index < (other?.index ?? Infinity));
};

/**
 * What the rows of a run come to. As soon as a row has ended, its output items are made, and nothing else of what was
 * returned for it is kept.
 */
export class ResultCollector {
	/** How many rows each word is told of. */
	readonly rows = new Map<OutcomeLabel, number>();

	/** The same for what is in no row. */
	readonly removals = new Map<OutcomeLabel, number>();

	/** How many were switched off and are on again. */
	reenabled = 0;

	/** The failure that the run stops with, unless it goes on. */
	stopping?: FailedRow;

	/** What the creates of rows left at the service in place of their resources, by the row from 0, in no order. */
	readonly strays = new Map<number, string>();

	/** Whether something failed that all rows need. */
	isRunFailed = false;

	/** The output items of each row, and behind them those of what is in no row. */
	private readonly itemsByRow: INodeExecutionData[][] = [];

	private readonly itemsFor: (outcome: RowOutcome) => INodeExecutionData[];

	private readonly rowStates: Map<number, RowState>;

	/** @param rows positions of their input items */
	constructor(rows: readonly number[], itemsFor: ResultCollector['itemsFor']) {
		this.itemsFor = itemsFor;
		this.rowStates = new Map(rows.map((index) => [index, 'not sent']));
	}

	/** Adds what became of a row, or of what is in no row. */
	add(outcome: RowOutcome): void {
		const { index, removed } = outcome;
		const [counts, word] = [removed ? this.removals : this.rows, labelFor(outcome)];
		counts.set(word, (counts.get(word) ?? 0) + 1);
		if (this.rowStates.has(index)) this.rowStates.set(index, stateOf(outcome));
		this.itemsByRow[index] = this.itemsFor(outcome);
		if (!isFailed(outcome)) {
			this.reenabled += outcome.result.isReenabled && word !== 'repeated' ? 1 : 0;
			return;
		}
		if (isMoreRelevant(outcome, this.stopping)) this.stopping = outcome;
		const { stray } = outcome.failure;
		if (stray !== undefined) this.strays.set(index, stray);
		if (outcome.failure.isRunLevel) this.isRunFailed = true;
	}

	/** What became of each row. */
	get states(): RowStates {
		return this.rowStates;
	}

	/** All output items, in the order of the rows. */
	get items(): INodeExecutionData[] {
		return this.itemsByRow.flat();
	}
}
