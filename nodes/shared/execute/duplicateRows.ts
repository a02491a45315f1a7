import { comparableValues, identifierOf } from '../contract/compare';
import {
	fieldsNamed,
	isEncoded,
	paramsOf,
	sentTextOf,
	type EncodedRow,
} from '../contract/encodedRow';
import type { Problem } from '../contract/types';
import { defaultMatch } from '../contract/matchBy';
import { operationTable } from '../contract/operations';
import type { MatchChoice } from '../contract/resourceTypes';
import type { Row } from './readRows';
import type { RowNumbers } from './rowNumbers';

/** Returns the fields that compare rows without an identifier: those of Match By, or the unique key. */
const keyFieldsOf = ({ contract, match }: EncodedRow): NonNullable<MatchChoice['fields']> =>
	match.fields ?? defaultMatch(contract).fields ?? contract.key;

/** Returns whether a row has a key. A row whose resource the form sets has none: it is executed like any other row. */
function hasKey(row: EncodedRow): boolean {
	const { operation, options } = row;
	if (options.matchBy === undefined && operationTable[operation].creates === undefined)
		return false;
	return (
		identifierOf(row) !== undefined || sentTextOf(row, keyFieldsOf(row).searchBy) !== undefined
	);
}

/** Returns the values of some fields of a row as one text, which is the same for equal values. */
const textOf = (row: EncodedRow, keys: readonly string[]): string =>
	JSON.stringify(
		fieldsNamed(row, keys).map(({ field, values }) => [
			field.wire.key,
			comparableValues(field, values),
		]),
	);

const searchKeyOf = (row: EncodedRow) => textOf(row, [keyFieldsOf(row).searchBy]);

/** Returns whether a row lacks a part of its key, so that it may mean the resource of any row with the same searched text. */
function isAmbiguous(row: EncodedRow): boolean {
	const { uniqueBy } = keyFieldsOf(row);
	return (
		// A create takes the value that the service chooses.
		operationTable[row.operation].creates !== 'always' &&
		identifierOf(row) === undefined &&
		fieldsNamed(row, uniqueBy).length < uniqueBy.length
	);
}

/** Returns the key of each row that has one. */
function keysOf(rows: readonly EncodedRow[]): Map<EncodedRow, string> {
	const compared = rows.filter(hasKey);
	const ambiguous = new Set(compared.filter(isAmbiguous).map(searchKeyOf));
	return new Map(
		compared.map((row) => {
			const identifier = identifierOf(row);
			if (identifier !== undefined) return [row, `identifier ${identifier}`];
			const searchKey = searchKeyOf(row);
			return [row, ambiguous.has(searchKey) ? searchKey : textOf(row, keyFieldsOf(row).uniqueBy)];
		}),
	);
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
 * Finds rows of one run with the same key. Identical rows are executed once. A row with other values gets a problem, because
 * the node cannot know which values to use.
 */
export function markDuplicates(rows: readonly Row[], numbers: RowNumbers): Row[] {
	const keys = keysOf(rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : [])));
	const firsts = new Map<string, { readonly index: number; readonly content: string }>();
	return rows.map((row) => {
		const { encoded, index } = row;
		const key = isEncoded(encoded) ? keys.get(encoded) : undefined;
		if (!isEncoded(encoded) || key === undefined) return row;
		const content = contentOf(encoded);
		const first = firsts.get(key);
		if (!first) {
			firsts.set(key, { index, content });
			return row;
		}
		return first.content === content
			? { ...row, duplicateOf: first.index }
			: { ...row, encoded: [contradiction(encoded, numbers.row(first.index))] };
	});
}
