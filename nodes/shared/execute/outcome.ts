import type { IBinaryKeyData, IDataObject } from 'n8n-workflow';
import { type EncodedRow, isEncoded } from '../contract/encodedRow';
import { type Outcome, outcomes as ofRows } from '../contract/operations';
import type { Problem } from '../contract/types';
import { capitalized, counted, cutText, firstTexts, inflected } from '../contract/wording';
import type { Removal, Result, RunMemory } from '../operations/types';
import type { ApiClient } from '../transport/client';
import { type Failure, inSeconds, openWrite } from '../transport/failures';
import type { NodeRun } from './sheet';

/** One input item: its encoded values, or its problems. */
export interface Row {
	/** Index of the input item. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The alias or name of the row, so that the user finds it in the sheet. */
	readonly name?: string;
	/** The scope of a row of Sync as text; undefined if the scope is invalid. */
	readonly scope?: string;
	/** Indexes of later rows with identical values, which have the outcome of this row. */
	readonly duplicates?: readonly number[];
	/** Why a list of names could not be read, if the row is valid apart from these names. */
	readonly unreadNames?: Failure;
}

/** A row that cannot be sent. */
export interface InvalidRow extends Row {
	readonly encoded: readonly Problem[];
}

export const isInvalid = (row: Row): row is InvalidRow => !isEncoded(row.encoded);

/** A row, or the resource of a removal. */
export interface RowIdentity {
	/** Position of the input item, from 0. Removals follow the input items. */
	readonly index: number;
	/** The row; undefined if it could not be read. */
	readonly row?: Row;
	readonly removed?: Removal;
}

/** A row that failed. */
export interface FailedRow extends RowIdentity {
	readonly failure: Failure;
}

/** What the output item of a QR code has in addition to its resource. */
export interface Attachment {
	readonly binary?: IBinaryKeyData;
	readonly json?: IDataObject;
}

/** The result of a row, with its QR code as n8n stores it. */
export interface RowResult extends Result {
	readonly attachment?: Attachment;
	/** Labels of the fields with an empty cell whose value the resource keeps. */
	readonly keptFields?: readonly string[];
}

/** A row that succeeded. Without its values, so that these do not stay in memory. */
export interface DoneRow extends Omit<RowIdentity, 'row'> {
	readonly result: RowResult;
	/** Whether the result is that of an earlier row with identical values. */
	readonly isDuplicate?: true;
}

/** The outcome of a row or a removal. */
export type RowOutcome = DoneRow | FailedRow;

export const isFailed = (outcome: RowOutcome): outcome is FailedRow => 'failure' in outcome;

/** What earlier tries of a run have left for the next one. */
export class EarlierTries {
	/** The outcomes by row, if the row must not be repeated. */
	readonly outcomes = new Map<number, RowOutcome>();

	/** What the operation knows from all tries. It has the IDs of done rows, because their output may lack them. */
	readonly memory: RunMemory = { completedIds: new Set() };

	/** The failures of rows and removals with an unknown outcome. */
	readonly doubts = new Map<number, FailedRow>();

	/** What is known of rows and removals. Outcomes come last, because they replace doubts about the same row. */
	get all(): RowOutcome[] {
		return [...this.doubts.values(), ...this.outcomes.values()];
	}

	/** Returns the failure of a row or removal. If an earlier try may have written it, its outcome stays unknown. */
	failureOf(index: number, failure: Failure): Failure {
		const doubt = this.doubts.get(index);
		const isOpen = doubt && failure.outcome !== 'unknown';
		return isOpen ? { ...failure, ...openWrite } : failure;
	}
}

/** Returns whether a row left a stray resource at the service. */
export const isStray = (outcome: RowOutcome): boolean =>
	isFailed(outcome) && outcome.failure.stray !== undefined;

/** The state of a row, which shows whether to send it again, in the order of messages. */
const rowStates = ['done', 'not sent', 'failed', 'unknown'] as const;

type RowState = (typeof rowStates)[number];

export function stateOf(outcome: RowOutcome): RowState {
	if (!isFailed(outcome)) return 'done';
	if (outcome.failure.outcome === 'unknown') return 'unknown';
	return ['ended', 'unsupported'].includes(outcome.failure.cause) ? 'not sent' : 'failed';
}

/**
 * Returns the states of rows and removals by their positions. A row without an outcome was not sent.
 *
 * @param rows positions of the input items of the rows
 */
const statesOf = (rows: readonly number[], outcomes: readonly RowOutcome[]) =>
	new Map<number, RowState>([
		...rows.map((index) => [index, 'not sent'] as const),
		...outcomes.map((outcome) => [outcome.index, stateOf(outcome)] as const),
	]);

/** Max number of characters of the names of removed resources. */
const maxRemoved = 500;

/**
 * Returns the state of a run that a row or a removal stopped, so that the user does not send the finished rows again, and knows what
 * was removed. Empty without outcomes.
 */
export function progressText(
	{ rows, numbers }: Pick<NodeRun, 'numbers' | 'rows'>,
	outcomes: readonly RowOutcome[],
): string {
	const states = statesOf(rows, outcomes);
	// The only row is listed beside removals.
	const isPart = outcomes.length > (rows.length > 1 ? 0 : 1);
	const texts = rowStates.flatMap((state) => {
		const own = rows.filter((index) => states.get(index) === state);
		const isShown = isPart && (own.length > 0 || state === 'done');
		const label = capitalized(numbers.plural);
		return isShown ? [`${label} ${state}: ${numbers.ranges(own) || 'none'}.`] : [];
	});
	const last = new Map(outcomes.map((outcome) => [outcome.index, outcome]));
	const gone = (state: RowState, label: string) => {
		const own = [...last.values()].filter((outcome) => stateOf(outcome) === state);
		const names = [...new Set(own.flatMap(({ removed }) => removed?.name ?? []))];
		return names.length > 0 ? [`${label}: ${firstTexts(names, maxRemoved).join(', ')}.`] : [];
	};
	return [...texts, ...gone('done', 'Removed'), ...gone('unknown', 'Perhaps removed')].join(' ');
}

/** The outcome of a row in the summary. */
type OutcomeLabel = Outcome | 'failed' | 'repeated' | 'unknown';

/** The labels in the order of the summary. A row that only reads has none. */
const labels: readonly OutcomeLabel[] = [
	...ofRows.filter((outcome) => outcome !== 'read'),
	...(['repeated', 'failed', 'unknown'] as const),
];

/** The labels of rows that have certainly changed nothing. */
const idle: readonly OutcomeLabel[] = ['unchanged', 'missing', 'refused', 'repeated', 'failed'];

/** The words for outcomes of removals that differ from the label. */
const removalWords: Readonly<Partial<Record<OutcomeLabel, string>>> = {
	failed: 'not removed',
	missing: 'already missing',
	unknown: 'perhaps removed',
};

/** The outcomes of the rows and removals of a run that has ended. */
interface Report extends Pick<NodeRun, 'contract' | 'numbers' | 'rows'> {
	readonly outcomes: readonly RowOutcome[];
	/** The rows that an earlier try may have written. */
	readonly doubts: EarlierTries['doubts'];
}

/** Returns the priority of a failure for the error of the run: highest for a stray resource, lowest for a row that was not sent. */
function relevanceOf(failed: FailedRow): number {
	if (isStray(failed)) return 2;
	return stateOf(failed) === 'not sent' || failed.failure.cause === 'ended' ? 0 : 1;
}

/** Returns the failure that stops a run, unless it continues on errors. Of equal failures, the first row has priority. */
export const stoppingFailure = (outcomes: readonly RowOutcome[]): FailedRow | undefined =>
	outcomes
		.filter(isFailed)
		.sort((a, b) => relevanceOf(b) - relevanceOf(a) || a.index - b.index)
		.at(0);

/** Max number of characters of the text about one stray resource, and about all stray resources. */
const [maxStray, maxStrays] = [150, 1000] as const;

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
		text`The service returned [another|other] ${value}[|s] ${named}. Check [it|them] in the service first, and delete [it|them] unless [it|they] existed before the run.`,
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
	if (isFailed(outcome)) return stateOf(outcome) === 'unknown' ? 'unknown' : 'failed';
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
	if (names === '') return '';
	return `${counted(fields.length, 'empty cell')} kept the ${value}'s value: ${names}. See Empty Values`;
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
	const total = counted(ofRows.length, noun);
	if (counts) return `${total}${dryRun ? ' would be' : ''}: ${counts}`;
	// Next to the output items of a list, the number of the input item would be misleading.
	return ofRows.length === 1 ? '' : total;
}

/** Returns whether it is certain that no resource was changed, although a row could change one. */
function isUnchanged({ outcomes, doubts }: Report): boolean {
	const has = new Set(outcomes.map(labelOf));
	const isUncertain = doubts.size > 0 || outcomes.some(isStray);
	const couldChange = has.has('missing') || has.has('unchanged');
	return couldChange && !isUncertain && [...has].every((label) => idle.includes(label));
}

/** Returns the summary of a run; undefined if there is nothing to report, such as for a single row that was read. */
export function summaryOf(parts: SummaryParts, client: ApiClient | undefined): string | undefined {
	const { outcomes, dryRun, notes, recovery } = parts;
	const waits = client ? waitText(client) : '';
	const empty = emptyCellsText(parts);
	const unchanged = !dryRun && isUnchanged(parts) ? 'Nothing was changed' : '';
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
