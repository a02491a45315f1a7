import type { NodeExecutionHint } from 'n8n-workflow';
import type { ApiClient } from '../transport/client';
import type { ResultCollector, OutcomeLabel } from './resultCollector';

/** In the order in which they are told. A row that was only read needs no word. */
const words: readonly OutcomeLabel[] = [
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

/** `3 created, 1 failed`: what became of the rows, without what did not occur. */
const countsOf = (counts: ResultCollector['rows']): string =>
	words.flatMap((word) => (counts.has(word) ? `${counts.get(word)} ${word}` : [])).join(', ');

const totalOf = (counts: ResultCollector['rows']): number =>
	[...counts.values()].reduce((sum, count) => sum + count, 0);

/** `2 waits of 41 seconds in all, 12 repeats`: what the run did beside its rows. */
function effortOf({ queue, retries }: ApiClient): string {
	const { count, milliseconds } = queue.waits;
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	const waits = `${count} ${count === 1 ? 'wait' : 'waits'} of ${seconds} seconds in all`;
	const again = `${retries} ${retries === 1 ? 'repeat' : 'repeats'}`;
	return [count > 0 ? [waits] : [], retries > 0 ? [again] : []].flat().join(', ');
}

/** Whether rows were meant to change something, and none did. */
function changedNothing({ rows, removals }: ResultCollector): boolean {
	const has = (word: OutcomeLabel) => rows.has(word) || removals.has(word);
	const changes = (['created', 'deleted', 'disabled', 'updated'] as const).some(has);
	return !changes && (has('missing') || has('unchanged'));
}

/** What is told of a run beside what became of its rows. */
interface RunNotes {
	readonly dryRun: boolean;
	/** What the run costs that a dry run shows. */
	readonly cost: string;
	readonly notes: readonly string[];
	/** Whether anything was read before the rows. */
	readonly hasRead: boolean;
	/** How to go on where rows failed; empty where they did not. */
	readonly next: string;
}

/** That a dry run changed nothing: where it looked nothing up either, no request left. */
const dryRunText = (client: ApiClient | undefined, hasRead: boolean): string =>
	`Dry run: nothing was ${hasRead || (client && client.sent > 0) ? 'written' : 'sent'}`;

/** The sentence that closes a run; undefined where there is nothing to tell, as for one row that was read at once. */
export function summaryOf(
	results: ResultCollector,
	client: ApiClient | undefined,
	{ dryRun: isDryRun, cost, notes, next, hasRead }: RunNotes,
): NodeExecutionHint | undefined {
	const { removals, rows, reenabled } = results;
	const [rowCount, otherCount] = [totalOf(rows), totalOf(removals)];
	const effort = client ? [effortOf(client)].filter((text) => text !== '') : [];
	const nothing = !isDryRun && changedNothing(results);
	const isSilent = !isDryRun && !nothing && [...effort, ...notes].length === 0;
	if (rowCount + otherCount < 2 && isSilent) return undefined;
	const counts = countsOf(rows);
	const rowsText = `${rowCount} ${rowCount === 1 ? 'row' : 'rows'}`;
	const became = isDryRun ? `${rowsText} would be` : rowsText;
	const told = [
		counts ? `${became}: ${counts}` : isDryRun ? `${rowsText} checked` : rowsText,
		...(otherCount > 0 ? [`others: ${countsOf(removals)}`] : []),
		// What came back into the rows.
		...(reenabled > 0 ? [`${reenabled} switched on again`] : []),
		...effort,
	];
	const sentences = [
		...(isDryRun ? [dryRunText(client, hasRead)] : []),
		...(nothing ? ['Nothing was changed'] : []),
		told.join('; '),
		...(isDryRun ? [`A run would take ${cost}`] : []),
		...notes,
		...(next ? [next.replace(/\.$/, '')] : []),
	];
	return { message: `${sentences.join('. ')}.`, location: 'outputPane' };
}
