import type { Outcome } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { inSeconds } from '../transport/failures';
import { type FailedRow, isFailed, isStray, type RowOutcome, stateOf, statesOf } from './outcome';
import type { NodeRun } from './sheet';
import { counted, cutText, firstTexts, inflected } from '../contract/wording';

/** The outcome of a row in the summary. */
type OutcomeLabel = Outcome | 'failed' | 'repeated';

/** The outcomes that change a resource. */
const changes: readonly OutcomeLabel[] = ['created', 'updated', 'disabled', 'enabled', 'deleted'];

/** The outcomes in the order of the summary. A row that only reads has no outcome here. */
const labels: readonly OutcomeLabel[] = [
	...(['created', 'updated', 'unchanged', 'disabled', 'enabled'] as const),
	...(['deleted', 'missing', 'refused', 'repeated', 'failed'] as const),
];

/** The words for outcomes of removals that differ from the label. */
const removalWords: Readonly<Partial<Record<OutcomeLabel, string>>> = {
	failed: 'not removed',
	missing: 'already missing',
};

/** The outcomes of the rows and removals of a run that has ended. */
export interface Report extends Pick<NodeRun, 'contract' | 'numbers' | 'rows'> {
	readonly outcomes: readonly RowOutcome[];
}

/** Returns the priority of a failure for the error of the run: highest for a stray resource, lowest for a row that was not sent. */
function relevanceOf(failed: FailedRow): number {
	if (isStray(failed)) return 2;
	return stateOf(failed) === 'not sent' || failed.failure.cause === 'ended' ? 0 : 1;
}

/** Returns the failure that stops a run, unless it continues on errors. Of equal failures, the first row has priority. */
export function stoppingFailure(outcomes: readonly RowOutcome[]): FailedRow | undefined {
	const byPriority = outcomes
		.filter(isFailed)
		.sort((a, b) => relevanceOf(b) - relevanceOf(a) || a.index - b.index);
	return byPriority[0];
}

/** Max number of characters of the text about one stray resource, and about all stray resources. */
const maxStray = 150;
const maxStrays = 1000;

/** Returns what to do about resources that the service created instead of the requested resources. */
function strayAdvice({ contract: { value }, numbers, outcomes }: Report): string[] {
	const strays = outcomes.filter(isFailed).filter(isStray);
	if (strays.length === 0) return [];
	strays.sort((a, b) => a.index - b.index);
	const texts = strays.map(({ index, failure: { stray = '' } }) => {
		const text = cutText(stray, maxStray);
		return numbers.isSingle ? `(${text})` : numbers.row(index, text);
	});
	const named = `${numbers.isSingle ? '' : 'for '}${firstTexts(texts, maxStrays).join(', ')}`;
	const text = inflected(strays.length);
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
export function recoveryHint(report: Report, recovery: string): string {
	const { rows, outcomes } = report;
	const { cause, isRunLevel } = stoppingFailure(outcomes)?.failure ?? {};
	if (isRunLevel || cause === 'unsupported') return '';
	const states = new Set(statesOf(rows, outcomes).values());
	const hasDone = states.has('done') || states.has('unknown');
	const isPartial = rows.length > 1 && hasDone && [...states].some((state) => state !== 'done');
	return [...strayAdvice(report), ...(isPartial ? [recovery] : [])].join(' ');
}

function labelOf(outcome: RowOutcome): OutcomeLabel {
	if (isFailed(outcome)) return 'failed';
	return outcome.isDuplicate ? 'repeated' : outcome.result.outcome;
}

/** Returns the texts of the counts that are not zero, in the order of the summary. */
function countTexts(
	outcomes: readonly RowOutcome[],
	textOf: (count: number, label: OutcomeLabel) => string,
): string[] {
	const all = outcomes.map(labelOf);
	return labels.flatMap((label) => {
		const count = all.filter((other) => other === label).length;
		return count === 0 ? [] : [textOf(count, label)];
	});
}

/** Returns clauses about the resources that are in no row: `3 links that are no longer in the rows were disabled`. */
const removalTexts = ({ contract: { value }, outcomes, dryRun }: SummaryParts): string[] =>
	countTexts(
		outcomes.filter(({ removed }) => removed),
		(count, label) => {
			const text = inflected(count);
			const done = dryRun ? 'would be' : text`[was|were]`;
			return text`${counted(count, value)} that [is|are] no longer in the rows ${done} ${removalWords[label] ?? label}`;
		},
	);

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
function emptyCellsText({ contract: { value }, outcomes }: Report): string {
	const fields = outcomes.flatMap((outcome) =>
		isFailed(outcome) || outcome.isDuplicate ? [] : (outcome.result.keptFields ?? []),
	);
	const names = [...new Set(fields)].join(', ');
	const cells = counted(fields.length, 'empty cell');
	return names && `${cells} kept the ${value}'s value: ${names}. See Empty Values`;
}

/** The parts of the summary other than the waits. */
interface SummaryParts extends Report {
	readonly dryRun: boolean;
	readonly notes: readonly string[];
	/** What to do about failed rows; empty if no row failed. */
	readonly recovery: string;
}

/** Returns `5 items: 3 created, 2 failed`; empty if there is nothing to say about the rows. */
function rowsText({ numbers, outcomes, dryRun }: SummaryParts): string {
	const ofRows = outcomes.filter(({ removed }) => !removed);
	const { noun } = numbers;
	const counts = countTexts(ofRows, (count, label) =>
		label === 'repeated'
			? inflected(count)`${String(count)} ${noun}[ is|s are] the same as [another|others]`
			: `${count} ${label}`,
	).join(', ');
	const total = numbers.counted(ofRows.length);
	if (counts) return `${total}${dryRun ? ' would be' : ''}: ${counts}`;
	// Next to the output items of a list, the number of the input item would be misleading.
	return ofRows.length === 1 ? '' : total;
}

/** Returns whether it is certain that no resource was changed, although a row could change one. */
function isUnchanged(outcomes: readonly RowOutcome[]): boolean {
	const has = new Set(outcomes.map(labelOf));
	const isUncertain = outcomes.some((each) => isStray(each) || stateOf(each) === 'unknown');
	const couldChange = has.has('missing') || has.has('unchanged');
	return couldChange && !isUncertain && !changes.some((label) => has.has(label));
}

/** Returns the summary of a run; undefined if there is nothing to report, such as for a single row that was read. */
export function summaryOf(parts: SummaryParts, client: ApiClient | undefined): string | undefined {
	const { outcomes, dryRun, notes, recovery } = parts;
	const waits = client ? waitText(client) : '';
	const empty = emptyCellsText(parts);
	const unchanged = !dryRun && isUnchanged(outcomes) ? 'Nothing was changed' : '';
	const isSilent = !dryRun && !unchanged && !waits && !empty && notes.length === 0;
	if (outcomes.length < 2 && isSilent) return undefined;
	const clauses = [rowsText(parts), ...removalTexts(parts), waits];
	const sentences = [
		dryRun ? 'Dry run: nothing was written' : '',
		unchanged,
		clauses.filter((text) => text !== '').join('; '),
		empty,
		...notes,
		recovery.replace(/\.$/, ''),
	];
	return `${sentences.filter((text) => text !== '').join('. ')}.`;
}
