import { sleep } from 'n8n-workflow';
import type { Clock } from './clock';
import { RateLimiter } from './rateLimiter';

/** The clock of this process, which does not jump with the machine's time. */
const processClock: Clock = {
	now: () => performance.now(),
	sleep,
	random: Math.random,
};

/** The limiters of this process, by address and key. Held in memory only. */
const limiters = new Map<string, RateLimiter>();

/**
 * The rate limiter that all executions of this process share which use a service with the same key. Those that are idle
 * are dropped when another one is asked for.
 *
 * @param root address of the API
 */
export function limiterFor(root: string, apiKey: string): RateLimiter {
	const name = `${root}\n${apiKey}`;
	for (const [other, limiter] of limiters) {
		if (other !== name && limiter.isIdle()) limiters.delete(other);
	}
	const known = limiters.get(name);
	const limiter = known && !known.isIdle() ? known : new RateLimiter(processClock);
	limiters.set(name, limiter);
	return limiter;
}
