import type { PlannedRequest, Problem } from '../contract/plan';
import { isPlanned, type Row } from './row';

/** The key of a Create or Update, as one text; undefined for other plans. */
function keyOf({ task, key, fields }: PlannedRequest): string | undefined {
	if (task !== 'upsert') return undefined;
	const identity = fields.filter(({ field }) => key.identity.includes(field.wire.key));
	return JSON.stringify(identity.map(({ field, values }) => [field.wire.key, values]));
}

/** The problem of a row whose key stands in an earlier row. */
function repeatOf({ key, fields }: PlannedRequest, first: number): Problem {
	const searched = fields.find(({ field }) => field.wire.key === key.searchBy);
	return {
		field: searched?.field.displayName ?? key.searchBy,
		key: key.searchBy,
		reason: `is the same as in row ${first + 1}; keep one row for each`,
	};
}

/**
 * Rows of one run that would create or update the same resource: each but the first gets a problem, before anything is
 * sent. Which of them should win is not the node's to guess.
 */
export function refuseRepeats(rows: readonly Row[]): Row[] {
	const firsts = new Map<string, number>();
	return rows.map(({ index, planned }) => {
		const key = isPlanned(planned) ? keyOf(planned) : undefined;
		if (!isPlanned(planned) || key === undefined) return { index, planned };
		const first = firsts.get(key);
		firsts.set(key, first ?? index);
		return { index, planned: first === undefined ? planned : [repeatOf(planned, first)] };
	});
}
