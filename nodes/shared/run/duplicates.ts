import type { PlannedRequest, Problem } from '../contract/encode';
import type { Row } from './row';

/** The key of a Create or Update, as one text; undefined for other plans. */
function keyOf({ task, key, fields }: PlannedRequest): string | undefined {
	if (task !== 'upsert') return undefined;
	const identity = fields.filter(({ field }) => key.identity.includes(field.wire.key));
	return JSON.stringify(identity.map(({ field, values }) => [field.wire.key, values]));
}

/**
 * Rows of one run that would create or update the same resource: each but the first gets a problem, before anything is
 * sent. Which of them should win is not the node's to guess.
 */
export function refuseRepeats(rows: readonly Row[]): Row[] {
	const firsts = new Map<string, number>();
	return rows.map((row) => {
		const key = 'task' in row.planned ? keyOf(row.planned) : undefined;
		if (key === undefined) return row;
		const first = firsts.get(key);
		if (first === undefined) {
			firsts.set(key, row.index);
			return row;
		}
		const { searchBy } = (row.planned as PlannedRequest).key;
		const [field] = (row.planned as PlannedRequest).fields.filter(
			(encoded) => encoded.field.wire.key === searchBy,
		);
		const reason = `is the same as in row ${first + 1}; keep one row for each`;
		const problem: Problem = { field: field?.field.displayName ?? searchBy, key: searchBy, reason };
		return { index: row.index, planned: [problem] };
	});
}
