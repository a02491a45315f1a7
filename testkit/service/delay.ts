/**
 * Waits on the timers of the moment, so that virtual time shortens the wait.
 *
 * @throws the signal's reason if it is aborted first
 */
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
	await new Promise<void>((resolve, reject) => {
		const stop = () => {
			clearTimeout(timer);
			reject(signal.reason as Error);
		};
		const timer = setTimeout(() => {
			signal.removeEventListener('abort', stop);
			resolve();
		}, milliseconds);
		signal.addEventListener('abort', stop, { once: true });
	});
}
