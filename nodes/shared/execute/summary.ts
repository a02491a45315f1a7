import type { NodeExecutionHint } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import type { ApiClient } from '../transport/client';
import { inSeconds } from '../transport/failures';
import type { ResultCollector, OutcomeLabel } from './resultCollector';
import type { RowNumbers } from './rowNumbers';

/** The outcomes in the order of the summary. A row that only reads has no outcome here. */
const outcomes: readonly OutcomeLabel[] = [
	'created',
	'updated',
	'unchanged',
	'disabled',
	'enabled',
	'deleted',
	'missing',
	'refused',
	'repeated',
	'failed',
];

/** The words for outcomes of removals that differ from the label. */
const removalWords: Readonly<Partial<Record<OutcomeLabel, string>>> = {
	failed: 'not removed',
	missing: 'already missing',
};

type Counts = ResultCollector['rows'];

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

const totalOf = (counts: Counts): number =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

/** Returns the waits and retries of the client: `2 waits of 41 seconds in total, 12 retries`; an empty list if there were none. */
function waitTexts({ queue, retries }: ApiClient): string[] {
	const { count, milliseconds } = queue.waits;
	const waits = `${count} ${count === 1 ? 'wait' : 'waits'} of ${inSeconds(Math.max(1000, milliseconds))} in total`;
	const retriesText = `${retries} ${retries === 1 ? 'retry' : 'retries'}`;
	const texts = [...(count > 0 ? [waits] : []), ...(retries > 0 ? [retriesText] : [])];
	return texts.length > 0 ? [texts.join(', ')] : [];
}

/** Returns whether all rows that could change a resource left it unchanged. */
function changedNothing({ rows, removals }: ResultCollector): boolean {
	const has = (outcome: OutcomeLabel) => rows.has(outcome) || removals.has(outcome);
	const changes = (['created', 'deleted', 'disabled', 'enabled', 'updated'] as const).some(has);
	return !changes && (has('missing') || has('unchanged'));
}

/** The parts of the summary other than the outcomes. */
interface SummaryParts {
	readonly contract: ResourceContract;
	readonly numbers: RowNumbers;
	readonly dryRun: boolean;
	/** The cost of the run that a dry run shows. */
	readonly cost: string;
	readonly notes: readonly string[];
	/** Whether the run sent requests before the first row. */
	readonly hasRead: boolean;
	/** What to do about failed rows; empty if no row failed. */
	readonly recovery: string;
}

/** Returns that a dry run wrote nothing, or that it sent nothing. */
const dryRunText = (client: ApiClient | undefined, hasRead: boolean): string =>
	`Dry run: nothing was ${hasRead || (client && client.sent > 0) ? 'written' : 'sent'}`;

/** Returns the summary of a run; undefined if there is nothing to report, such as for a single row that was read. */
export function summaryOf(
	results: ResultCollector,
	client: ApiClient | undefined,
	{ contract, numbers, dryRun: isDryRun, cost, notes, recovery, hasRead }: SummaryParts,
): NodeExecutionHint | undefined {
	const { removals, rows, reenabled } = results;
	const rowCount = totalOf(rows);
	const waits = client ? waitTexts(client) : [];
	const isUnchanged = !isDryRun && changedNothing(results);
	const isSilent = !isDryRun && !isUnchanged && waits.length + notes.length === 0;
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
	const sentences = [
		...(isDryRun ? [dryRunText(client, hasRead)] : []),
		...(isUnchanged ? ['Nothing was changed'] : []),
		...(clauses.length > 0 ? [clauses.join('; ')] : []),
		...(isDryRun ? [`A run would take ${cost}`] : []),
		...notes,
		...(recovery ? [recovery.replace(/\.$/, '')] : []),
	];
	return { message: `${sentences.join('. ')}.`, location: 'outputPane' };
}
