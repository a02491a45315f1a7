import {
	fieldsNamed,
	isEncoded,
	paramsOf,
	searchTextOf,
	type EncodedRow,
	type Problem,
} from '../contract/encodeRow';
import type { Row } from './readRows';

/** What a Create or Update makes its resource unique by, as one text; undefined for other operations. */
const keyOf = (row: EncodedRow): string | undefined =>
	row.operation === 'upsert'
		? JSON.stringify(paramsOf(fieldsNamed(row, row.contract.key.uniqueBy)))
		: undefined;

/** All that a row asks for, as one text. */
const contentOf = ({ fields }: EncodedRow): string =>
	JSON.stringify([paramsOf(fields), fields.map(({ cleared }) => cleared === true)]);

/** The problem of a row that contradicts an earlier one. */
function contradiction({ contract }: EncodedRow, first: number): Problem {
	const { searchBy } = contract.key;
	const searched = contract.fields.find(({ wire }) => wire.key === searchBy);
	return {
		field: searched?.displayName ?? searchBy,
		key: searchBy,
		reason: `is the same as in row ${first + 1}, with other values; keep one row for each`,
	};
}

/**
 * Rows of one run that would create or update the same resource. Those that want the very same are done once; of those
 * that contradict each other each but the first gets a problem, before anything is sent: which of them should win is not
 * the node's to guess.
 */
export function markRepeats(rows: readonly Row[]): Row[] {
	const firsts = new Map<string, { index: number; content: string }>();
	return rows.map((row) => {
		const { encoded, index } = row;
		const key =
			isEncoded(encoded) && searchTextOf(encoded) !== undefined ? keyOf(encoded) : undefined;
		if (!isEncoded(encoded) || key === undefined) return row;
		const content = contentOf(encoded);
		const first = firsts.get(key);
		if (!first) {
			firsts.set(key, { index, content });
			return row;
		}
		return first.content === content
			? { ...row, repeats: first.index }
			: { index, encoded: [contradiction(encoded, first.index)] };
	});
}
