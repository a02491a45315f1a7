import type { ResourceContract } from '../contract/resourceTypes';
import { increase } from '../contract/values';
import type { Outcome } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { inSeconds } from '../transport/failures';
import type { ReportContext } from './nodeErrors';
import { type FailedRow, isFailed, type RowOutcome, type RowState, stateOf } from './outcome';
import { counted, cutText, firstTexts, inflected } from './wording';

/** The outcome of a row in the summary. */
type OutcomeLabel = Outcome | 'failed' | 'repeated';

/** The outcomes that change a resource. */
const changes = ['created', 'updated', 'disabled', 'enabled', 'deleted'] as const;

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

type Counts = ReadonlyMap<OutcomeLabel, number>;

/** Returns the priority of a failure for the error of the run: highest for a stray resource, lowest for a row that was not sent. */
function relevanceOf(failed: FailedRow): number {
	if (failed.failure.stray !== undefined) return 2;
	return stateOf(failed) === 'not sent' || failed.failure.cause === 'ended' ? 0 : 1;
}

/** Counts the outcomes of a run. */
export class ResultCollector {
	/** Number of rows by outcome. */
	readonly rows = new Map<OutcomeLabel, number>();

	/** Number of removals by outcome. */
	readonly removals = new Map<OutcomeLabel, number>();

	/** Number of empty cells by the label of the field whose value the resource kept. */
	readonly emptyCells = new Map<string, number>();

	/** The failure that stops the run, unless it continues on errors. */
	stopping?: FailedRow;

	/** The resources that the service created instead of the requested resources, by index, unsorted. */
	readonly strays = new Map<number, string>();

	/** Whether a failed write may have changed a resource. */
	private isUncertain = false;

	/** The state of each row. */
	readonly states: Map<number, RowState>;

	/** @param rows positions of their input items */
	constructor(rows: readonly number[]) {
		this.states = new Map(rows.map((index) => [index, 'not sent']));
	}

	/** Adds the outcome of a row or a removal. */
	add(outcome: RowOutcome): void {
		const { index, removed } = outcome;
		const counts = removed ? this.removals : this.rows;
		if (this.states.has(index)) this.states.set(index, stateOf(outcome));
		if (isFailed(outcome)) {
			increase(counts, 'failed');
			this.addFailure(outcome);
		} else if (outcome.isDuplicate) {
			increase(counts, 'repeated');
		} else {
			const { result } = outcome;
			increase(counts, result.outcome);
			for (const name of result.keptFields ?? []) increase(this.emptyCells, name);
		}
	}

	/** Of equal failures, the first row has priority. */
	private addFailure(failed: FailedRow): void {
		const { stopping = failed } = this;
		const difference = relevanceOf(failed) - relevanceOf(stopping);
		const isEarlier = difference === 0 && failed.index <= stopping.index;
		if (difference > 0 || isEarlier) this.stopping = failed;
		const { stray } = failed.failure;
		if (stray !== undefined) this.strays.set(failed.index, stray);
		this.isUncertain ||= stray !== undefined || stateOf(failed) === 'unknown';
	}

	/** Whether it is certain that no resource was changed, although a row could change one. */
	get isUnchanged(): boolean {
		const has = (outcome: OutcomeLabel) => this.rows.has(outcome) || this.removals.has(outcome);
		return !this.isUncertain && !changes.some(has) && (has('missing') || has('unchanged'));
	}
}

/** Max number of characters of the text about one stray resource, and about all stray resources. */
const maxStray = 150;
const maxStrays = 1000;

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
	const named = `${numbers.isSingle ? '' : 'for '}${firstTexts(texts, maxStrays).join(', ')}`;
	const text = inflected(strays.size);
	return [
		text`Check the service first, and delete [it|them]: the service returned [another|other] ${value}[|s] ${named}.`,
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
	{ states, strays, stopping }: ResultCollector,
): string {
	const { cause, isRunLevel } = stopping?.failure ?? {};
	if (isRunLevel || cause === 'unsupported') return '';
	const distinct = new Set(states.values());
	const hasDone = distinct.has('done') || distinct.has('unknown');
	const isPartial = states.size > 1 && hasDone && [...distinct].some((state) => state !== 'done');
	return [...strayAdvice(report, strays), ...(isPartial ? [recovery] : [])].join(' ');
}

/** Returns the texts of the counts that are not zero, in the order of the summary. */
const countTexts = (counts: Counts, textOf: (count: number, outcome: OutcomeLabel) => string) =>
	outcomes.flatMap((outcome) => {
		const count = counts.get(outcome);
		return count === undefined ? [] : [textOf(count, outcome)];
	});

/** Returns clauses about the resources that are in no row: `3 links that are no longer in the rows were disabled`. */
const removalTexts = (counts: Counts, { value }: ResourceContract, isDryRun: boolean): string[] =>
	countTexts(counts, (count, outcome) => {
		const text = inflected(count);
		const done = isDryRun ? 'would be' : text`[was|were]`;
		return text`${counted(count, value)} that [is|are] no longer in the rows ${done} ${removalWords[outcome] ?? outcome}`;
	});

const totalOf = (counts: ReadonlyMap<unknown, number>): number =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns the waits and retries of the client: `2 waits of 41 seconds in total, 12 retries`; empty if there were none. */
function waitText({ waits, retries }: Pick<ApiClient, 'retries' | 'waits'>): string {
	const time = inSeconds(Math.max(1000, waits.milliseconds));
	const texts = [
		...(waits.count > 0 ? [`${counted(waits.count, 'wait')} of ${time} in total`] : []),
		...(retries > 0 ? [`${retries} ${inflected(retries)`[retry|retries]`}`] : []),
	];
	return texts.join(', ');
}

/** Returns a sentence about empty cells of fields that have a value; empty if there are none. */
function emptyCellsText({ emptyCells }: ResultCollector, { value }: ResourceContract): string {
	const cells = counted(totalOf(emptyCells), 'empty cell');
	const fields = [...emptyCells.keys()].join(', ');
	return fields && `${cells} kept the ${value}'s value: ${fields}. See Empty Values`;
}

/** The parts of the summary other than the outcomes. */
interface SummaryParts extends Pick<ReportContext, 'contract' | 'numbers'> {
	readonly dryRun: boolean;
	readonly notes: readonly string[];
	/** What to do about failed rows; empty if no row failed. */
	readonly recovery: string;
}

/** Returns `5 items: 3 created, 2 failed`; empty if there is nothing to say about the rows. */
function rowsText({ rows }: ResultCollector, { numbers, dryRun }: SummaryParts): string {
	const total = totalOf(rows);
	const { noun } = numbers;
	const counts = countTexts(rows, (count, outcome) =>
		outcome === 'repeated'
			? inflected(count)`${String(count)} ${noun}[ is|s are] the same as [another|others]`
			: `${count} ${outcome}`,
	).join(', ');
	if (counts) return `${numbers.counted(total)}${dryRun ? ' would be' : ''}: ${counts}`;
	// Next to the output items of a list, the number of the input item would be misleading.
	return total === 1 ? '' : numbers.counted(total);
}

/** Returns the summary of a run; undefined if there is nothing to report, such as for a single row that was read. */
export function summaryOf(
	results: ResultCollector,
	client: ApiClient | undefined,
	parts: SummaryParts,
): string | undefined {
	const { contract, dryRun, notes, recovery } = parts;
	const { removals, rows } = results;
	const waits = client ? waitText(client) : '';
	const empty = emptyCellsText(results, contract);
	const isUnchanged = !dryRun && results.isUnchanged;
	const isSilent = !dryRun && !isUnchanged && !waits && !empty && notes.length === 0;
	if (totalOf(rows) + totalOf(removals) < 2 && isSilent) return undefined;
	const clauses = [rowsText(results, parts), ...removalTexts(removals, contract, dryRun), waits];
	const sentences = [
		dryRun ? 'Dry run: nothing was written' : '',
		isUnchanged ? 'Nothing was changed' : '',
		clauses.filter((text) => text !== '').join('; '),
		empty,
		...notes,
		recovery.replace(/\.$/, ''),
	];
	return `${sentences.filter((text) => text !== '').join('. ')}.`;
}
