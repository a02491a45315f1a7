import {
	fieldsNamed,
	isEncoded,
	paramsOf,
	searchTextOf,
	type EncodedRow,
	type Problem,
} from '../contract/encodeRow';
import type { Row } from './readRows';

/** Whether a row gives all that makes its resource unique. */
const isKeyComplete = (row: EncodedRow): boolean =>
	fieldsNamed(row, row.contract.key.uniqueBy).length === row.contract.key.uniqueBy.length;

/**
 * What tells the resources of rows apart, as one text for each row. A row with an incomplete key may mean the resource of
 * any other one that is searched by the same text.
 */
function keysOf(rows: readonly EncodedRow[]): Map<EncodedRow, string> {
	const open = new Set(rows.filter((row) => !isKeyComplete(row)).map(searchTextOf));
	return new Map(
		rows.map((row) => {
			const { searchBy, uniqueBy } = row.contract.key;
			const names = open.has(searchTextOf(row)) ? [searchBy] : uniqueBy;
			return [row, JSON.stringify(paramsOf(fieldsNamed(row, names)))];
		}),
	);
}

/** All that a row asks for, as one text. */
const contentOf = ({ fields }: EncodedRow): string =>
	JSON.stringify([paramsOf(fields), fields.map(({ cleared }) => cleared === true)]);

/** The first row of a key. */
interface First {
	readonly index: number;
	readonly content: string;
	readonly row: EncodedRow;
}

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
 * Rows of one run that would write the same resource. Those that want the very same are done once; of those
 * that contradict each other each but the first gets a problem, before anything is sent: which of them should win is not
 * the node's to guess.
 */
export function markRepeats(rows: readonly Row[]): Row[] {
	const encodedRows = rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : []));
	const makesKeys = encodedRows.some(({ isKeyMade }) => isKeyMade);
	const compared = encodedRows.filter(
		(row) =>
			['sync', 'upsert'].includes(row.operation) ||
			(makesKeys && row.operation === 'create' && searchTextOf(row) !== undefined),
	);
	const keys = keysOf(compared);
	const firsts = new Map<string, First>();
	return rows.map((row) => {
		const { encoded, index } = row;
		const key = isEncoded(encoded) ? keys.get(encoded) : undefined;
		if (!isEncoded(encoded) || key === undefined) return row;
		const content = contentOf(encoded);
		const first = firsts.get(key);
		if (!first) {
			firsts.set(key, { index, content, row: encoded });
			return row;
		}
		// Of creates, the service refuses a second one; only an alias that nobody wrote is to be told of before.
		const isMade = encoded.isKeyMade || first.row.isKeyMade;
		if (encoded.operation === 'create' && !isMade) return row;
		return first.content === content
			? { ...row, repeats: first.index }
			: { ...row, encoded: [contradiction(encoded, first.index)] };
	});
}
