import type { NodeExecutionHint } from 'n8n-workflow';
import type { Outcome } from '../operations/operation';
import type { ApiClient } from '../transport/client';
import { isFailed, type RowOutcome } from './outcome';

type Word = Outcome | 'failed' | 'repeated';

/** In the order in which they are told. A row that was only read needs no word. */
const words: readonly Word[] = [
	'created',
	'existing',
	'updated',
	'unchanged',
	'disabled',
	'deleted',
	'missing',
	'repeated',
	'failed',
];

/** What became of a row, in a word. */
function wordFor(outcome: RowOutcome): Word {
	if (isFailed(outcome)) return 'failed';
	return outcome.isRepeat ? 'repeated' : outcome.result.outcome;
}

/** `3 created, 1 failed`: what became of the rows, without what did not occur. */
function countsOf(outcomes: readonly RowOutcome[]): string {
	const counts = new Map<string, number>();
	for (const outcome of outcomes) {
		counts.set(wordFor(outcome), (counts.get(wordFor(outcome)) ?? 0) + 1);
	}
	return words
		.flatMap((word) => (counts.has(word) ? `${counts.get(word)} ${word}` : []))
		.join(', ');
}

/** `2 waits of 41 seconds in all, 12 repeats`: what the run did beside its rows. */
function effortOf({ lane, repeats }: ApiClient): string {
	const { count, milliseconds } = lane.waits;
	const seconds = Math.max(1, Math.round(milliseconds / 1000));
	const waits = `${count} ${count === 1 ? 'wait' : 'waits'} of ${seconds} seconds in all`;
	const again = `${repeats} ${repeats === 1 ? 'repeat' : 'repeats'}`;
	return [count > 0 ? [waits] : [], repeats > 0 ? [again] : []].flat().join(', ');
}

/** Whether rows were meant to change something, and none did. */
function changedNothing(outcomes: readonly RowOutcome[]): boolean {
	const words = new Set(outcomes.map(wordFor));
	const changes = (['created', 'deleted', 'disabled', 'updated'] as const).some((word) =>
		words.has(word),
	);
	return !changes && (words.has('missing') || words.has('unchanged'));
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

/** `2 were switched on again`: what came back into the rows. */
function switchedOn(outcomes: readonly RowOutcome[]): string[] {
	const { length } = outcomes.filter((one) => !isFailed(one) && one.result.isSwitchedOn);
	return length > 0 ? [`${length} switched on again`] : [];
}

/** That a dry run changed nothing: where it looked nothing up either, no request left. */
const dryRunText = (client: ApiClient | undefined, hasRead: boolean): string =>
	`Dry run: nothing was ${hasRead || (client && client.sent > 0) ? 'written' : 'sent'}`;

/** The sentence that closes a run; undefined where there is nothing to tell, as for one row that was read at once. */
export function summaryOf(
	outcomes: readonly RowOutcome[],
	client: ApiClient | undefined,
	{ dryRun: isDryRun, cost, notes, next, hasRead }: RunNotes,
): NodeExecutionHint | undefined {
	const rows = outcomes.filter(({ subject }) => subject === undefined);
	const others = outcomes.filter(({ subject }) => subject !== undefined);
	const effort = client ? [effortOf(client)].filter((text) => text !== '') : [];
	const nothing = !isDryRun && changedNothing(outcomes);
	const isSilent = !isDryRun && !nothing && [...effort, ...notes].length === 0;
	if (outcomes.length < 2 && isSilent) return undefined;
	const counts = countsOf(rows);
	const rowsText = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`;
	const became = isDryRun ? `${rowsText} would be` : rowsText;
	const told = [
		counts ? `${became}: ${counts}` : isDryRun ? `${rowsText} checked` : rowsText,
		...(others.length > 0 ? [`others: ${countsOf(others)}`] : []),
		...switchedOn(outcomes),
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
