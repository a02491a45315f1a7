import { sleep } from 'n8n-workflow';
import type { Clock } from '../client/pacer';

/** So often, in milliseconds, a wait looks whether it was cancelled. */
const slice = 250;

/**
 * A clock that does not jump with the machine's time.
 *
 * @param cancelled the signal that ends its waits, if there is one at that moment
 */
export const clockOf = (cancelled: () => AbortSignal | undefined): Clock => {
	const now = () => performance.now();
	return {
		now,
		sleep: async (milliseconds) => {
			const until = now() + milliseconds;
			for (let left = milliseconds; left > 0; left = until - now()) {
				await sleep(Math.min(left, slice));
				cancelled()?.throwIfAborted();
			}
		},
	};
};
