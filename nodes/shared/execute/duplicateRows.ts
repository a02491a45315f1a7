import { comparableValues } from '../contract/compare';
import {
	fieldsNamed,
	isEncoded,
	paramsOf,
	sentTextOf,
	type EncodedRow,
	type ListChange,
	type Problem,
} from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import type { MatchChoice, ResourceContract } from '../contract/resourceTypes';
import { defaultMatch, fixedKeys } from '../contract/matchBy';
import { isPartial, operationTable } from '../contract/operations';
import { identifierOf } from '../contract/sameResource';
import { shorten } from '../contract/values';
import type { Row } from './readRows';
import type { RowNumbers } from './rowNumbers';

/** Returns the fields that compare rows without an identifier: those of Match By, or the unique key. */
const keyFieldsOf = ({ contract, match }: EncodedRow): NonNullable<MatchChoice['fields']> =>
	match.fields ?? defaultMatch(contract).fields ?? contract.key;

/** Returns whether a row is compared with other rows, and has the values for it. */
function isCompared(row: EncodedRow): boolean {
	const { operation, options } = row;
	const { groupsDuplicates } = operationTable[operation];
	if (!groupsDuplicates || (groupsDuplicates === 'ifMapped' && !options.takesColumns)) return false;
	return (
		identifierOf(row) !== undefined || sentTextOf(row, keyFieldsOf(row).searchBy) !== undefined
	);
}

/** Returns whether a row has all fields that identify its resource. */
const isKeyComplete = (row: EncodedRow): boolean => {
	const { uniqueBy } = keyFieldsOf(row);
	return fieldsNamed(row, uniqueBy).length === uniqueBy.length;
};

/** Returns the values of fields as one text, which is the same for equal values. */
const textsOf = (fields: readonly EncodedField[]): string =>
	JSON.stringify(
		fields.map(({ field, values }) => [field.wire.key, comparableValues(field, values)]),
	);

/**
 * Returns a text for each row that identifies its resource. A row with an incomplete key may mean the resource of any row
 * with the same searched text, unless it creates a resource of its own.
 */
function duplicateKeys(rows: readonly EncodedRow[]): Map<EncodedRow, string> {
	const searchKeyOf = (row: EncodedRow) => textsOf(fieldsNamed(row, [keyFieldsOf(row).searchBy]));
	const isAmbiguous = (row: EncodedRow) =>
		operationTable[row.operation].creates !== 'always' &&
		identifierOf(row) === undefined &&
		!isKeyComplete(row);
	const ambiguous = new Set(rows.filter(isAmbiguous).map(searchKeyOf));
	return new Map(
		rows.map((row) => {
			const identifier = identifierOf(row);
			if (identifier !== undefined) return [row, `identifier ${identifier}`];
			const { searchBy, uniqueBy } = keyFieldsOf(row);
			const comparesText = ambiguous.size > 0 && ambiguous.has(searchKeyOf(row));
			return [row, textsOf(fieldsNamed(row, comparesText ? [searchBy] : uniqueBy))];
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

/** A value of a row, as it is compared with other rows of the same resource. */
interface ComparedValue {
	/** Label of the field. */
	readonly field: string;
	readonly key: string;
	readonly content: string;
}

/** Max length of an entry of a list in a message, in characters. */
const maxShownKey = 200;

/** Returns the value that a row sets. */
const comparedField = ({ field, values, cleared }: EncodedField): ComparedValue => ({
	field: field.displayName,
	key: field.wire.key,
	content: JSON.stringify([values, cleared === true]),
});

/** Returns the entries that a row adds or removes, and the list, which another row may replace. */
const listValues = ({ field, mode, values }: ListChange): ComparedValue[] => [
	...values.map(([, text]) => ({
		field: `${field.displayName} (${shorten(text, maxShownKey)})`,
		key: `${field.wire.key}[${text}]`,
		content: mode,
	})),
	{ field: field.displayName, key: field.wire.key, content: 'merged' },
];

/** Returns the values that a row of Update writes. */
function writtenValues(row: EncodedRow): ComparedValue[] {
	const { contract, match, fields } = row;
	const fixed = fixedKeys(contract, match);
	const written = fields.filter(({ field }) => !fixed.includes(field.wire.key));
	return [...row.changes.flatMap(listValues), ...written.map(comparedField)];
}

/** The first row of a resource, and the first row that writes each field. */
interface FirstRow {
	readonly index: number;
	readonly content: string;
	readonly fields: Map<string, { readonly index: number; readonly content: string }>;
}

/** The unique keys of rows whose resources Match By finds by other fields. */
class UniqueKeys {
	private readonly firstIndexes = new Map<string, number>();

	/** Adds a row. Returns the index of an earlier row with the same key; undefined if there is none. */
	add(row: EncodedRow, index: number): number | undefined {
		const { key } = row.contract;
		if (
			row.match.fields?.searchBy === key.searchBy ||
			sentTextOf(row, key.searchBy) === undefined
		) {
			return undefined;
		}
		const text = textsOf(fieldsNamed(row, key.uniqueBy));
		const first = this.firstIndexes.get(text);
		if (first === undefined) this.firstIndexes.set(text, index);
		return first;
	}
}

/** Returns the label of the field with a contract key. */
const labelForKey = ({ fields }: ResourceContract, key: string): string =>
	fields.find(({ wire }) => wire.key === key)?.displayName ?? key;

/** Returns the problem of a row that writes the unique key of an earlier row. */
const sameKey = ({ contract }: EncodedRow, first: string): Problem => ({
	field: labelForKey(contract, contract.key.searchBy),
	key: contract.key.searchBy,
	reason: `has the same value as ${first}; set a different value for each ${contract.value}`,
});

/** Returns the problem of a row with the resource of an earlier row, and other values. */
function contradictionProblem(row: EncodedRow, first: string): Problem {
	const { contract, match } = row;
	const isIdentified = identifierOf(row) !== undefined;
	const { searchBy } = keyFieldsOf(row);
	return {
		field: isIdentified ? match.name : labelForKey(contract, searchBy),
		key: isIdentified ? contract.id.name : searchBy,
		reason: `has the same value as ${first}, but other fields differ; keep only one of the two`,
	};
}

/** Returns the problems of a row of Update whose resource gets another value from an earlier row. Adds the fields of the row. */
function fieldProblems(
	row: EncodedRow,
	index: number,
	{ fields: written }: FirstRow,
	numbers: RowNumbers,
): Problem[] {
	return writtenValues(row).flatMap(({ field, key, content }): Problem[] => {
		const earlier = written.get(key);
		if (!earlier) written.set(key, { index, content });
		if (!earlier || earlier.content === content) return [];
		const reason = `differs from ${numbers.row(earlier.index)}, which changes the same ${row.contract.value}; keep only one of the two`;
		return [{ field, key, reason }];
	});
}

/**
 * Finds rows of one run that would write the same resource. Rows with identical values are executed once. Rows that contradict
 * an earlier row get a problem, because the node cannot know which values to use. Mapped rows of Update may change different
 * fields of one resource.
 */
export function markDuplicates(rows: readonly Row[], numbers: RowNumbers): Row[] {
	const encodedRows = rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : []));
	const keys = duplicateKeys(encodedRows.filter(isCompared));
	const firstRows = new Map<string, FirstRow>();
	const uniqueKeys = new UniqueKeys();
	return rows.map((row) => {
		const { encoded, index } = row;
		const key = isEncoded(encoded) ? keys.get(encoded) : undefined;
		if (!isEncoded(encoded) || key === undefined) return row;
		const content = contentOf(encoded);
		const first = firstRows.get(key) ?? { index, content, fields: new Map() };
		firstRows.set(key, first);
		const isFirst = first.index === index;
		if (!isFirst && first.content === content) return { ...row, duplicateOf: first.index };
		if (isPartial(encoded.operation)) {
			const problems = fieldProblems(encoded, index, first, numbers);
			return problems.length > 0 ? { ...row, encoded: problems } : row;
		}
		if (!isFirst)
			return { ...row, encoded: [contradictionProblem(encoded, numbers.row(first.index))] };
		const same = uniqueKeys.add(encoded, index);
		return same === undefined ? row : { ...row, encoded: [sameKey(encoded, numbers.row(same))] };
	});
}
