import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import type { Outcome } from '../operations/operation';
import type { ApiClient } from '../transport/client';
import { isFailed, type RowOutcome } from './outcome';

/** So often, in milliseconds, a long run says how far it is. */
const every = 10_000;

/**
 * Tells n8n's log, and in a manual run the browser of the person who watches, how far a run is: at most every ten
 * seconds, so that short runs stay silent.
 */
export function progressOf(context: IExecuteFunctions, total: number): () => void {
	let done = 0;
	let toldAt = performance.now();
	return () => {
		done += 1;
		if (performance.now() - toldAt < every) return;
		toldAt = performance.now();
		const line = `${context.getNode().name}: ${done} of ${total} rows done`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
}

type Word = Outcome | 'failed' | 'repeated';

/** In the order in which they are told. A row that was only read needs no word. */
const words: readonly Word[] = [
	'created',
	'updated',
	'unchanged',
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
	const changes = (['created', 'deleted', 'updated'] as const).some((word) => words.has(word));
	return !changes && (words.has('missing') || words.has('unchanged'));
}

/** The sentence that closes a run; undefined where there is nothing to tell, as for one row that was read at once. */
export function summaryOf(
	outcomes: readonly RowOutcome[],
	client: ApiClient | undefined,
): NodeExecutionHint | undefined {
	const effort = client ? effortOf(client) : '';
	const nothing = changedNothing(outcomes);
	if (outcomes.length < 2 && !effort && !nothing) return undefined;
	const rows = `${outcomes.length} ${outcomes.length === 1 ? 'row' : 'rows'}`;
	const counts = countsOf(outcomes);
	const told = [counts ? `${rows}: ${counts}` : rows, ...(effort ? [effort] : [])].join('; ');
	const message = nothing ? `Nothing was changed. ${told}.` : `${told}.`;
	return { message, location: 'outputPane' };
}
