import { comparableValues, identifierOf } from '../contract/compare';
import { type EncodedRow, fieldsNamed, isEncoded, paramsOf } from '../contract/encodedRow';
import type { Problem } from '../contract/types';
import type { EncodedField } from '../contract/resourceTypes';
import { operationTable } from '../contract/operations';
import type { Row } from './outcome';
import type { RowNumbers } from './sheet';

/** Returns the fields that compare rows without an identifier: those of Match By, or the unique key. */
const keyFieldsOf = ({ contract, match }: EncodedRow) => match.fields ?? contract.key;

/** What identifies the resource of a row. */
interface RowKey {
	readonly text: string;
	/** The text that rows have in common which may mean the same resource. */
	readonly search: string;
	/** Whether the row lacks a part of its key, so that it may mean the resource of any row with the same search text. */
	readonly isAmbiguous: boolean;
}

/** Returns values in their normalized form, as one text. */
const comparableText = (fields: readonly EncodedField[]): string =>
	JSON.stringify(fields.map(({ field, values }) => [field.name, comparableValues(field, values)]));

/** Returns the key of a row; undefined if the form sets its resource. Such a row is executed like any other row. */
function keyOf(row: EncodedRow): RowKey | undefined {
	const { creates } = operationTable[row.operation];
	if (row.options.matchBy === undefined && creates === undefined) return undefined;
	const identifier = identifierOf(row);
	if (identifier !== undefined) return { text: identifier, search: identifier, isAmbiguous: false };
	const { searchBy, uniqueBy } = keyFieldsOf(row);
	const fields = fieldsNamed(row, uniqueBy);
	const searched = fieldsNamed(row, [searchBy]);
	if (searched.length === 0) return undefined;
	// A create takes the value that the service chooses.
	const isAmbiguous = creates !== 'always' && fields.length < uniqueBy.length;
	return { text: comparableText(fields), search: comparableText(searched), isAmbiguous };
}

/** Returns all values of a row as one text. */
const contentOf = ({ fields, changes }: EncodedRow): string =>
	JSON.stringify([
		paramsOf(fields),
		fields.map(({ cleared }) => cleared === true),
		changes.map((change) => [change.mode, paramsOf([change])]),
	]);

/** Returns the problem of a row with the key of an earlier row, and other values. */
function contradiction(row: EncodedRow, first: string): Problem {
	const { contract, match } = row;
	const isIdentified = identifierOf(row) !== undefined;
	const { searchBy } = keyFieldsOf(row);
	const keyField = contract.fields.find(({ wire }) => wire.key === searchBy);
	return {
		field: isIdentified ? match.name : (keyField?.displayName ?? searchBy),
		key: isIdentified ? contract.id.name : searchBy,
		what: `has the same value as ${first}, but other fields differ; keep only one of the two`,
	};
}

/**
 * Finds rows of one run with the same key. Identical rows become duplicates of the first one. A row with other values gets a
 * problem, because the node cannot know which values to use.
 */
export function mergeDuplicates(rows: readonly Row[], numbers: RowNumbers): Row[] {
	const keys = rows.map(({ encoded }) => (isEncoded(encoded) ? keyOf(encoded) : undefined));
	const ambiguous = new Set(keys.flatMap((key) => (key?.isAmbiguous ? key.search : [])));
	const firsts = new Map<string, { readonly index: number; readonly encoded: EncodedRow }>();
	const duplicates = new Map<number, number[]>();
	const different = rows.flatMap((row, at): Row[] => {
		const { index, encoded } = row;
		const key = keys[at];
		if (!key || !isEncoded(encoded)) return [row];
		const text = ambiguous.has(key.search) ? key.search : key.text;
		const first = firsts.get(text);
		if (!first) firsts.set(text, { index, encoded });
		if (!first) return [row];
		if (contentOf(first.encoded) !== contentOf(encoded)) {
			return [{ ...row, encoded: [contradiction(encoded, numbers.row(first.index))] }];
		}
		const same = duplicates.get(first.index) ?? [];
		same.push(index);
		duplicates.set(first.index, same);
		return [];
	});
	return different.map((row) => ({ ...row, duplicates: duplicates.get(row.index) }));
}
