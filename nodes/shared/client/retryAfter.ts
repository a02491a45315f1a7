/**
 * Milliseconds that a Retry-After header asks for: whole seconds, or a date. A date is compared with the service's own
 * clock where the answer tells it, so that neither clock needs to be right.
 */
export function retryAfterOf(headers: Readonly<Record<string, string>>): number | undefined {
	const after = headers['retry-after']?.trim();
	if (!after) return undefined;
	if (/^\d+$/.test(after)) return Number(after) * 1000;
	const until = Date.parse(after);
	const now = Date.parse(headers.date ?? '');
	return Number.isNaN(until)
		? undefined
		: Math.max(0, until - (Number.isNaN(now) ? Date.now() : now));
}
