import type { RequestQueue } from './requestQueue';
import type { Place } from './runQueue';
import { NotSentError } from './queueOptions';
import type { Throttle } from './throttle';

/**
 * Rejects the requests whose rows would exceed Max Wait during the current pause of the service. Adds the pause to the
 * waits of the other runs.
 *
 * @returns when the next request exceeds Max Wait; Infinity if there is no pause
 */
export function enforceMaxWait(queue: RequestQueue, throttle: Throttle, now: number): number {
	const { blockedSince, pausedUntil, pauseReason, pauses } = throttle;
	if (blockedSince === undefined) return Infinity;
	const remaining = Math.max(0, pausedUntil - now);
	const waitedBy = ({ queuedAt, waited }: Place) =>
		waited.totalWith(Math.max(queuedAt, blockedSince), now);
	const patienceOf = (place: Place) => place.run.options.maxWait - waitedBy(place);
	const isImpatient = (place: Place) => remaining > patienceOf(place);
	const errorOf = (place: Place) =>
		new NotSentError({ reason: pauseReason, waited: waitedBy(place), remaining: remaining });
	for (const run of new Set(queue.all.filter(isImpatient).map((request) => request.run))) {
		run.reject(isImpatient, errorOf);
	}
	for (const { run } of queue.all) run.addPause(pauses, now, now + remaining);
	return queue.all.reduce(
		(next, request) => Math.min(next, now + patienceOf(request) + 1),
		Infinity,
	);
}
