import { setTimeout as wait } from 'node:timers/promises';
import type { Send } from '../../nodes/shared/client/http';
import { perform } from '../../nodes/shared/client/perform';
import { Session, type SessionOptions } from '../../nodes/shared/client/session';
import type { PlannedRequest } from '../../nodes/shared/contract/plan';

export const sessionOptions: SessionOptions = {
	concurrency: 1,
	requestsPerMinute: 0,
	maxWait: 0,
	ignoreMissing: false,
};

/** A run's session as the nodes make one, on a clock of this process and without any wait unless told. */
export const sessionOn = (
	service: { root: string; send: Send },
	options: Partial<SessionOptions> = {},
): Session =>
	new Session(
		service,
		{ now: () => performance.now(), sleep: async (milliseconds) => await wait(milliseconds) },
		{ ...sessionOptions, ...options },
	);

/** Carries out one planned request, and returns what it found. */
export const performOn = async (
	service: { root: string; send: Send },
	plan: PlannedRequest,
	options: Partial<SessionOptions> = {},
) => [...(await perform(sessionOn(service, options).forRow(), plan)).found];
