import { setTimeout as wait } from 'node:timers/promises';
import { ApiClient } from '../../nodes/shared/transport/client';
import type { Service } from '../../nodes/shared/transport/exchange';
import { secretMask } from '../../nodes/shared/transport/secrets';
import type { Clock } from '../../nodes/shared/transport/throttle';
import { type ClientOptions, RateLimiter } from '../../nodes/shared/transport/limiter';

/** The mask of a service without an API key. */
export const noMask = secretMask([], '');

/** The clock of this process. */
const realClock: Clock = {
	now: () => performance.now(),
	sleep: async (milliseconds) => await wait(milliseconds, undefined, { ref: false }),
	random: Math.random,
};

/** A run's client as the nodes make one, with a rate limiter of its own and without any wait unless told. */
export const clientOn = (
	service: Service,
	options: Partial<ClientOptions> = {},
	limiter = new RateLimiter(realClock),
): ApiClient =>
	new ApiClient(service, limiter, {
		concurrency: 1,
		pace: 0,
		maxWait: 0,
		timeout: 30_000,
		...options,
	});
