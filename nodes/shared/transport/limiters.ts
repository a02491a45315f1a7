import { sleep } from 'n8n-workflow';
import type { Clock } from './clock';
import { digest, newSalt } from './digest';
import { RateLimiter } from './rateLimiter';

/** The clock of this process. It does not jump if the time of the machine is set. */
const processClock: Clock = {
	now: () => performance.now(),
	sleep,
	random: Math.random,
};

/** The limiters of this process, by a digest of address and key, so that no copy of the key outlives its run. */
const limiters = new Map<string, RateLimiter>();

const salt = newSalt();

/** Milliseconds between two checks whether a limiter is idle. */
const checkInterval = 60_000;

/** Drops a limiter when it is idle. Unlike a sleep, the timer of an AbortSignal does not keep the process alive. */
function dropWhenIdle(name: string, limiter: RateLimiter): void {
	const check = () => {
		if (limiter.isIdle()) limiters.delete(name);
		else dropWhenIdle(name, limiter);
	};
	AbortSignal.timeout(checkInterval).addEventListener('abort', check, { once: true });
}

/**
 * Returns the rate limiter that all executions of this process share if they use a service with the same key.
 *
 * @param root the address of the API
 */
export async function limiterFor(root: string, apiKey: string): Promise<RateLimiter> {
	const name = await digest(salt, [root, apiKey]);
	const existing = limiters.get(name);
	if (existing) return existing;
	const limiter = new RateLimiter(processClock);
	limiters.set(name, limiter);
	dropWhenIdle(name, limiter);
	return limiter;
}
