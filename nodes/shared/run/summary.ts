import type { NodeExecutionHint } from 'n8n-workflow';
import type { Deed } from '../client/perform';
import type { Session } from '../client/session';
import type { Outcome } from './outcome';

const deeds: readonly Deed[] = ['created', 'updated', 'unchanged', 'deleted', 'missing'];

/** `3 created, 1 failed`: what became of the rows, without what did not occur. */
export function countsOf(outcomes: readonly Outcome[]): string {
	const failed = outcomes.filter((outcome) => 'failure' in outcome).length;
	const told = deeds.map((deed) => {
		const count = outcomes.filter((outcome) => 'deed' in outcome && outcome.deed === deed).length;
		return count > 0 ? `${count} ${deed}` : '';
	});
	return [...told, failed > 0 ? `${failed} failed` : ''].filter(Boolean).join(', ');
}

/** The sentence that closes a run; undefined where there is nothing to tell, as for one row that was read at once. */
export function summaryOf(
	outcomes: readonly Outcome[],
	session: Session | undefined,
): NodeExecutionHint | undefined {
	const waits = session?.pacer.waits;
	const paced = waits && waits.count > 0;
	const effort = [
		paced
			? `waited ${waits.count} times for the service, ${Math.ceil(waits.milliseconds / 1000)} seconds in all`
			: '',
		session && session.effort.repeats > 0 ? `repeated ${session.effort.repeats} requests` : '',
	].filter(Boolean);
	const counts = countsOf(outcomes);
	if (outcomes.length < 2 && effort.length === 0) return undefined;
	const rows = outcomes.length === 1 ? '1 row' : `${outcomes.length} rows`;
	const message = [`${rows}${counts ? `: ${counts}` : ''}`, ...effort].join('; ');
	return { message: `${message}.`, location: 'outputPane' };
}
