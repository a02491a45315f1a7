import { sleep } from 'n8n-workflow';
import type { Clock } from './clock';
import { digest, newSalt } from './digest';
import { RateLimiter } from './rateLimiter';

/** The clock of this process, which does not jump with the machine's time. */
const processClock: Clock = {
	now: () => performance.now(),
	sleep,
	random: Math.random,
};

/** The limiters of this process, by a digest of address and key: no copy of the key outlives its run. */
const limiters = new Map<string, RateLimiter>();

const salt = newSalt();

/** How often it is checked whether a limiter is idle, in milliseconds. */
const checkInterval = 60_000;

/** Drops a limiter once it is idle. The timer of an AbortSignal does not keep a process alive, as that of a sleep would. */
function dropWhenIdle(name: string, limiter: RateLimiter): void {
	const check = () => {
		if (limiter.isIdle()) limiters.delete(name);
		else dropWhenIdle(name, limiter);
	};
	AbortSignal.timeout(checkInterval).addEventListener('abort', check, { once: true });
}

/**
 * Returns the rate limiter that all executions of this process share which use a service with the same key.
 *
 * @param root address of the API
 */
export async function limiterFor(root: string, apiKey: string): Promise<RateLimiter> {
	const name = await digest(salt, [root, apiKey]);
	const known = limiters.get(name);
	if (known) return known;
	const limiter = new RateLimiter(processClock);
	limiters.set(name, limiter);
	dropWhenIdle(name, limiter);
	return limiter;
}
