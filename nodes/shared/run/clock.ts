import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import type { Clock } from '../client/pacer';

/** So often, in milliseconds, a wait looks whether the execution was cancelled. */
const slice = 250;

/** The clock of an execution: it does not jump with the machine's time, and its waits end when the execution is cancelled. */
export const clockOf = (context: IExecuteFunctions): Clock => {
	const now = () => performance.now();
	return {
		now,
		sleep: async (milliseconds) => {
			const until = now() + milliseconds;
			for (let left = milliseconds; left > 0; left = until - now()) {
				await sleep(Math.min(left, slice));
				context.getExecutionCancelSignal()?.throwIfAborted();
			}
		},
	};
};
