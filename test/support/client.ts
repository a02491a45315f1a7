import { setTimeout as wait } from 'node:timers/promises';
import type { EncodedRow } from '../../nodes/shared/contract/encodedRow';
import { startOperation } from '../../nodes/shared/operations/handlers';
import { ApiClient } from '../../nodes/shared/transport/client';
import type { Service } from '../../nodes/shared/transport/exchange';
import { RowRequests } from '../../nodes/shared/transport/rowRequests';
import { secretMask } from '../../nodes/shared/transport/secrets';
import type { Clock } from '../../nodes/shared/transport/throttle';
import { runSettings } from './runSettings.ts';
import { type ClientOptions, RateLimiter } from '../../nodes/shared/transport/limiter';

/** The mask of a service without an API key. */
export const noMask = secretMask([], '');

/** The clock of this process. */
export const realClock: Clock = {
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

/** Executes one row, and returns the resources that it yields. */
export async function executeOn(
	service: Service,
	row: EncodedRow,
	options: Partial<ClientOptions> = {},
) {
	const client = clientOn(service, options);
	const requests = new RowRequests(client);
	try {
		const begun = startOperation(row.operation, {
			contract: row.contract,
			first: row,
			isComplete: true,
			isDryRun: false,
			hasStray: false,
			completedIds: new Set<string>(),
			settings: runSettings(),
		});
		return [...(await begun.execute(requests, row)).resources];
	} finally {
		requests.end();
		client.close();
	}
}
