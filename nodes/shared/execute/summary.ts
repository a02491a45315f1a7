import type { NodeExecutionHint } from 'n8n-workflow';
import type { ResourceContract } from '../contract/resourceTypes';
import type { ApiClient } from '../transport/client';
import type { ResultCollector, OutcomeLabel } from './resultCollector';

/** The outcomes in the order of the summary. A row that was only read has none. */
const outcomes: readonly OutcomeLabel[] = [
	'created',
	'existing',
	'updated',
	'unchanged',
	'disabled',
	'deleted',
	'missing',
	'refused',
	'repeated',
	'failed',
];

/** Outcomes of removals whose sentence needs another word. */
const removalWords: Readonly<Partial<Record<OutcomeLabel, string>>> = {
	failed: 'not removed',
	missing: 'missing already',
};

type Counts = ResultCollector['rows'];

/** Returns `3 created, 1 failed`. */
const countsText = (counts: Counts): string =>
	outcomes.flatMap((word) => (counts.has(word) ? `${counts.get(word)} ${word}` : [])).join(', ');

/**
 * Returns clauses about the resources that are in no row: `3 links that are no longer in the rows were disabled`.
 *
 * @param isDryRun whether they would be
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

/** Returns the waits and retries of the client: `2 waits of 41 seconds in all, 12 repeats`; an empty list if there were none. */
function waitTexts({ queue, retries }: ApiClient): string[] {
	const { count, milliseconds } = queue.waits;
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	const waits = `${count} ${count === 1 ? 'wait' : 'waits'} of ${seconds} seconds in all`;
	const repeats = `${retries} ${retries === 1 ? 'repeat' : 'repeats'}`;
	const texts = [...(count > 0 ? [waits] : []), ...(retries > 0 ? [repeats] : [])];
	return texts.length > 0 ? [texts.join(', ')] : [];
}

/** Returns whether rows were to change something, and nothing changed. */
function changedNothing({ rows, removals }: ResultCollector): boolean {
	const has = (outcome: OutcomeLabel) => rows.has(outcome) || removals.has(outcome);
	const changes = (['created', 'deleted', 'disabled', 'updated'] as const).some(has);
	return !changes && (has('missing') || has('unchanged'));
}

/** What the summary contains apart from the outcomes. */
interface SummaryParts {
	readonly contract: ResourceContract;
	readonly dryRun: boolean;
	/** The cost of the run that a dry run shows. */
	readonly cost: string;
	readonly notes: readonly string[];
	/** Whether anything was read before the rows. */
	readonly hasRead: boolean;
	/** What to do about rows that failed; empty if none did. */
	readonly recovery: string;
}

/** Returns that a dry run changed nothing, and that it sent nothing if it did not read either. */
const dryRunText = (client: ApiClient | undefined, hasRead: boolean): string =>
	`Dry run: nothing was ${hasRead || (client && client.sent > 0) ? 'written' : 'sent'}`;

/** Returns the summary of a run; undefined if there is nothing to report, as for one row that was read. */
export function summaryOf(
	results: ResultCollector,
	client: ApiClient | undefined,
	{ contract, dryRun: isDryRun, cost, notes, recovery, hasRead }: SummaryParts,
): NodeExecutionHint | undefined {
	const { removals, rows, reenabled } = results;
	const rowCount = totalOf(rows);
	const waits = client ? waitTexts(client) : [];
	const isUnchanged = !isDryRun && changedNothing(results);
	const isSilent = !isDryRun && !isUnchanged && waits.length + notes.length === 0;
	if (rowCount + totalOf(removals) < 2 && isSilent) return undefined;
	const counts = countsText(rows);
	const rowsText = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}${isDryRun && counts ? ' would be' : ''}`;
	const clauses = [
		counts ? `${rowsText}: ${counts}` : isDryRun ? `${rowsText} checked` : rowsText,
		...removalTexts(removals, contract, isDryRun),
		...(reenabled > 0 ? [`${reenabled} switched on again`] : []),
		...waits,
	];
	const sentences = [
		...(isDryRun ? [dryRunText(client, hasRead)] : []),
		...(isUnchanged ? ['Nothing was changed'] : []),
		clauses.join('; '),
		...(isDryRun ? [`A run would take ${cost}`] : []),
		...notes,
		...(recovery ? [recovery.replace(/\.$/, '')] : []),
	];
	return { message: `${sentences.join('. ')}.`, location: 'outputPane' };
}
