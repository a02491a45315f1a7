import type { INodeExecutionData } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import { increase } from '../contract/values';
import type { Outcome } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { inSeconds } from '../transport/failures';
import { cutText, joinTexts } from './byteLimits';
import type { ReportContext } from './nodeErrors';
import {
	isFailed,
	stateOf,
	type FailedRow,
	type RowOutcome,
	type RowState,
	type RowStates,
} from './outcome';
import type { RowNumbers } from './rowNumbers';

/** The outcome of a row in the summary. */
type OutcomeLabel = Outcome | 'failed' | 'repeated';

/** The outcomes in the order of the summary. A row that only reads has no outcome here. */
const outcomes: readonly OutcomeLabel[] = [
	...(['created', 'updated', 'unchanged', 'disabled', 'enabled'] as const),
	...(['deleted', 'missing', 'refused', 'repeated', 'failed'] as const),
];

/** The words for outcomes of removals that differ from the label. */
const removalWords: Readonly<Partial<Record<OutcomeLabel, string>>> = {
	failed: 'not removed',
	missing: 'already missing',
};

/** The outcomes of rows and removals that change a resource. */
const changes: readonly OutcomeLabel[] = ['created', 'deleted', 'disabled', 'enabled', 'updated'];

type Counts = ReadonlyMap<OutcomeLabel, number>;

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

	/** Number of empty cells by the label of the field whose value the resource kept. */
	readonly emptyCells = new Map<string, number>();

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
		increase(counts, label);
		if (this.rowStates.has(index)) this.rowStates.set(index, stateOf(outcome));
		this.itemsByRow[index] = this.itemsFor(outcome);
		if (!isFailed(outcome)) {
			this.reenabled += outcome.result.isReenabled && label !== 'repeated' ? 1 : 0;
			const { keptFields = [] } = outcome.result;
			for (const name of keptFields) increase(this.emptyCells, name);
			return;
		}
		if (isMoreRelevant(outcome, this.stopping)) this.stopping = outcome;
		const { stray, isRunLevel } = outcome.failure;
		if (stray !== undefined) this.strays.set(index, stray);
		this.isUncertain ||= stray !== undefined || stateOf(outcome) === 'unknown';
		this.isRunFailed ||= isRunLevel === true;
	}

	/** The state of each row. */
	get states(): RowStates {
		return this.rowStates;
	}

	/** All output items, in the order of the rows. */
	get items(): INodeExecutionData[] {
		return this.itemsByRow.flat();
	}

	/** Whether it is certain that no resource was changed, although a row could change one. */
	get isUnchanged(): boolean {
		const has = (outcome: OutcomeLabel) => this.rows.has(outcome) || this.removals.has(outcome);
		return !this.isUncertain && !changes.some(has) && (has('missing') || has('unchanged'));
	}
}

/** Max bytes of the text about one stray resource, and about all stray resources. */
const maxStray = 150;
const maxStrays = 1200;

/** Returns what to do about resources that the service created instead of the requested resources. */
function strayAdvice(
	{ contract: { value }, numbers }: Pick<ReportContext, 'contract' | 'numbers'>,
	strays: ResultCollector['strays'],
): string[] {
	if (strays.size === 0) return [];
	const inOrder = [...strays].sort(([a], [b]) => a - b);
	const texts = inOrder.map(([index, stray]) => {
		const text = cutText(stray, maxStray);
		return numbers.isSingle ? `(${text})` : numbers.row(index, text);
	});
	const named = `${numbers.isSingle ? '' : 'for '}${joinTexts(texts, ', ', maxStrays)}`;
	const [pronoun, resources] =
		strays.size === 1 ? ['it', `another ${value}`] : ['them', `other ${value}s`];
	return [
		`Check the service first, and delete ${pronoun}: the service returned ${resources} ${named}.`,
	];
}

/**
 * Returns what to do after a run that completed only some of its rows. Returns an empty text for any other run, and for a
 * failure of the whole run.
 *
 * @param recovery the sentence of the operation
 */
export function recoveryHint(
	report: Pick<ReportContext, 'contract' | 'numbers'>,
	recovery: string,
	{ states: rowStates, strays, isRunFailed, stopping }: ResultCollector,
): string {
	if (isRunFailed || stopping?.failure.cause === 'unsupported') return '';
	const states = [...rowStates.values()];
	const isPartial =
		states.length > 1 &&
		states.some((state) => state === 'done' || state === 'unknown') &&
		states.some((state) => state !== 'done');
	return [...strayAdvice(report, strays), ...(isPartial ? [recovery] : [])].join(' ');
}

/** Returns `3 created, 1 failed`. */
const countsText = (counts: Counts, { noun }: RowNumbers): string =>
	outcomes
		.flatMap((outcome) => {
			const count = counts.get(outcome);
			if (count === undefined) return [];
			if (outcome !== 'repeated') return `${count} ${outcome}`;
			return count === 1
				? `1 ${noun} is the same as another`
				: `${count} ${noun}s are the same as others`;
		})
		.join(', ');

/**
 * Returns clauses about the resources that are in no row: `3 links that are no longer in the rows were disabled`.
 *
 * @param isDryRun whether the run is a dry run, so that the removals are only planned
 */
const removalTexts = (counts: Counts, { value }: ResourceContract, isDryRun: boolean): string[] =>
	outcomes.flatMap((outcome) => {
		const count = counts.get(outcome);
		if (count === undefined) return [];
		const [resources, were] =
			count === 1
				? [`1 ${value} that is no longer in the rows`, 'was']
				: [`${count} ${value}s that are no longer in the rows`, 'were'];
		return `${resources} ${isDryRun ? 'would be' : were} ${removalWords[outcome] ?? outcome}`;
	});

const totalOf = (counts: ReadonlyMap<unknown, number>): number =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns the waits and retries of the client: `2 waits of 41 seconds in total, 12 retries`; an empty list if there were none. */
function waitTexts({ waits, retries }: ApiClient): string[] {
	const { count, milliseconds } = waits;
	const time = inSeconds(Math.max(1000, milliseconds));
	const texts = [
		count > 0 ? `${count} ${count === 1 ? 'wait' : 'waits'} of ${time} in total` : '',
		retries > 0 ? `${retries} ${retries === 1 ? 'retry' : 'retries'}` : '',
	].filter((text) => text);
	return texts.length > 0 ? [texts.join(', ')] : [];
}

/** Returns a sentence about empty cells of fields that have a value; an empty list if there are none. */
function emptyCellsTexts({ emptyCells }: ResultCollector, { value }: ResourceContract): string[] {
	const count = totalOf(emptyCells);
	if (count === 0) return [];
	const cells = `${count} empty ${count === 1 ? 'cell' : 'cells'}`;
	return [
		`${cells} kept the ${value}'s value: ${[...emptyCells.keys()].join(', ')}. See Empty Values`,
	];
}

/** The parts of the summary other than the outcomes. */
interface SummaryParts {
	readonly contract: ResourceContract;
	readonly numbers: RowNumbers;
	readonly dryRun: boolean;
	readonly notes: readonly string[];
	/** Whether the run sent requests before the first row. */
	readonly hasRead: boolean;
	/** What to do about failed rows; empty if no row failed. */
	readonly recovery: string;
}

/** Returns the summary of a run; undefined if there is nothing to report, such as for a single row that was read. */
export function summaryOf(
	results: ResultCollector,
	client: ApiClient | undefined,
	{ contract, numbers, dryRun: isDryRun, notes, recovery, hasRead }: SummaryParts,
): string | undefined {
	const { removals, rows, reenabled } = results;
	const rowCount = totalOf(rows);
	const waits = client ? waitTexts(client) : [];
	const empty = emptyCellsTexts(results, contract);
	const isUnchanged = !isDryRun && results.isUnchanged;
	const isSilent = !isDryRun && !isUnchanged && waits.length + notes.length + empty.length === 0;
	if (rowCount + totalOf(removals) < 2 && isSilent) return undefined;
	const counts = countsText(rows, numbers);
	const rowsText = `${numbers.counted(rowCount)}${isDryRun && counts ? ' would be' : ''}`;
	// Next to the output items of a list, the number of the input item would be misleading.
	const isOneRead = !isDryRun && !counts && rowCount === 1;
	const clauses = [
		...(isOneRead
			? []
			: [counts ? `${rowsText}: ${counts}` : isDryRun ? `${rowsText} checked` : rowsText]),
		...removalTexts(removals, contract, isDryRun),
		...(reenabled > 0 ? [`${reenabled} switched on again`] : []),
		...waits,
	];
	const hasSent = hasRead || (client !== undefined && client.sent > 0);
	const sentences = [
		...(isDryRun ? [`Dry run: nothing was ${hasSent ? 'written' : 'sent'}`] : []),
		...(isUnchanged ? ['Nothing was changed'] : []),
		...(clauses.length > 0 ? [clauses.join('; ')] : []),
		...empty,
		...notes,
		...(recovery ? [recovery.replace(/\.$/, '')] : []),
	];
	return `${sentences.join('. ')}.`;
}
