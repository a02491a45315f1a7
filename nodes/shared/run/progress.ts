import type { IExecuteFunctions } from 'n8n-workflow';

/** So often, in milliseconds, a long run says how far it is. */
const every = 10_000;

/**
 * Tells n8n's log, and in a manual run the browser of the person who watches, how far a run is: at most every ten
 * seconds, so that short runs stay silent.
 */
export function progressOf(context: IExecuteFunctions, total: number): () => void {
	let done = 0;
	let toldAt = performance.now();
	return () => {
		done += 1;
		if (performance.now() - toldAt < every) return;
		toldAt = performance.now();
		const line = `${context.getNode().name}: ${done} of ${total} rows done`;
		context.logger.info(line);
		context.sendMessageToUI(line);
	};
}
