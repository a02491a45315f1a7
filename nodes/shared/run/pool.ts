/**
 * Works through inputs side by side and keeps their order.
 *
 * @param width how many are under way at the same time
 * @param work never rejects; what it returns goes to the input's place
 * @param goesOn asked after each result, and once before the first; when it says no, what is under way is finished and
 *   no other input is begun
 * @returns one result per input; undefined for those that were not begun
 */
export async function inOrder<T, R>(
	inputs: readonly T[],
	width: number,
	work: (input: T) => Promise<R>,
	goesOn: (latest: R | undefined) => boolean,
): Promise<Array<R | undefined>> {
	const results = new Array<R | undefined>(inputs.length).fill(undefined);
	let open = goesOn(undefined);
	const queue = inputs.entries();
	const worker = async () => {
		// The workers share one iterator, so each input is taken once.
		for (const [index, input] of queue) {
			const result = await work(input);
			results[index] = result;
			open &&= goesOn(result);
			if (!open) return;
		}
	};
	const workers = open ? Math.min(width, inputs.length) : 0;
	await Promise.all(Array.from({ length: workers }, worker));
	return results;
}
