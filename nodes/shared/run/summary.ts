import type { NodeExecutionHint } from 'n8n-workflow';
import type { Deed } from '../client/perform';
import type { Session } from '../client/session';
import type { Outcome } from './outcome';

/** In the order in which they are told. A row that was only read needs no word. */
const words: ReadonlyArray<Deed | 'failed'> = [
	'created',
	'updated',
	'unchanged',
	'deleted',
	'missing',
	'failed',
];

/** What became of a row, in a word. */
const wordFor = (outcome: Outcome) => ('failure' in outcome ? 'failed' : outcome.deed);

/** `3 created, 1 failed`: what became of the rows, without what did not occur. */
function countsOf(outcomes: readonly Outcome[]): string {
	const counts = new Map<string, number>();
	for (const outcome of outcomes) {
		counts.set(wordFor(outcome), (counts.get(wordFor(outcome)) ?? 0) + 1);
	}
	return words
		.flatMap((word) => (counts.has(word) ? `${counts.get(word)} ${word}` : []))
		.join(', ');
}

/** `2 waits of 41 seconds in all, 12 repeats`: what the run did beside its rows. */
function effortOf({ pacer, repeats }: Session): string {
	const { count, milliseconds } = pacer.waits;
	const seconds = Math.ceil(milliseconds / 1000);
	const waits = `${count} ${count === 1 ? 'wait' : 'waits'} of ${seconds} seconds in all`;
	const again = `${repeats} ${repeats === 1 ? 'repeat' : 'repeats'}`;
	return [count > 0 ? [waits] : [], repeats > 0 ? [again] : []].flat().join(', ');
}

/** Whether rows were meant to change something, and none did. */
function changedNothing(outcomes: readonly Outcome[]): boolean {
	const words = new Set(outcomes.map(wordFor));
	const changes = (['created', 'deleted', 'updated'] as const).some((word) => words.has(word));
	return !changes && (words.has('missing') || words.has('unchanged'));
}

/** The sentence that closes a run; undefined where there is nothing to tell, as for one row that was read at once. */
export function summaryOf(
	outcomes: readonly Outcome[],
	session: Session | undefined,
): NodeExecutionHint | undefined {
	const effort = session ? effortOf(session) : '';
	const nothing = changedNothing(outcomes);
	if (outcomes.length < 2 && !effort && !nothing) return undefined;
	const rows = `${outcomes.length} ${outcomes.length === 1 ? 'row' : 'rows'}`;
	const counts = countsOf(outcomes);
	const told = [counts ? `${rows}: ${counts}` : rows, ...(effort ? [effort] : [])].join('; ');
	const message = nothing ? `Nothing was changed. ${told}.` : `${told}.`;
	return { message, location: 'outputPane' };
}
