import { comparableValues } from '../contract/compare';
import {
	fieldsNamed,
	isEncoded,
	paramsOf,
	type EncodedRow,
	type Problem,
} from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import type { MatchChoice } from '../contract/resourceTypes';
import { defaultMatch, fixedKeys } from '../contract/matchBy';
import { identifierOf, searchedText } from '../contract/sameResource';
import type { Row } from './readRows';
import type { RowNumbers } from './rowNumbers';

/** The fields by which a row without an identifier is compared with other rows: one that creates a resource, by its unique key. */
const keyFieldsOf = ({ contract, match }: EncodedRow): NonNullable<MatchChoice['fields']> =>
	match.fields ?? defaultMatch(contract).fields ?? contract.key;

/** Whether a row is compared with the others, and has what it is compared by. */
function isCompared(row: EncodedRow): boolean {
	const { operation, options } = row;
	const isMapped = operation === 'update' && options.takesColumns === true;
	if (!['create', 'sync', 'upsert'].includes(operation) && !isMapped) return false;
	return identifierOf(row) !== undefined || searchedText(row, keyFieldsOf(row)) !== undefined;
}

/** Whether a row gives all that makes its resource unique. */
const isKeyComplete = (row: EncodedRow): boolean => {
	const { uniqueBy } = keyFieldsOf(row);
	return fieldsNamed(row, uniqueBy).length === uniqueBy.length;
};

/** The values of fields in the form that equal values share, as one text. */
const textsOf = (fields: readonly EncodedField[]): string =>
	JSON.stringify(
		fields.map(({ field, values }) => [field.wire.key, comparableValues(field, values)]),
	);

/**
 * What tells the resources of rows apart, as one text for each row. A row with an incomplete key may mean the resource of
 * any other one that is searched by the same text. Of creates, the service may give it a resource of its own.
 */
function keysOf(rows: readonly EncodedRow[]): Map<EncodedRow, string> {
	const searchKeyOf = (row: EncodedRow) => textsOf(fieldsNamed(row, [keyFieldsOf(row).searchBy]));
	const isOpen = (row: EncodedRow) =>
		row.operation !== 'create' && identifierOf(row) === undefined && !isKeyComplete(row);
	const open = new Set(rows.filter(isOpen).map(searchKeyOf));
	return new Map(
		rows.map((row) => {
			const identifier = identifierOf(row);
			if (identifier !== undefined) return [row, `identifier ${identifier}`];
			const { searchBy, uniqueBy } = keyFieldsOf(row);
			const isAny = open.size > 0 && open.has(searchKeyOf(row));
			const names = isAny ? [searchBy] : uniqueBy;
			return [row, textsOf(fieldsNamed(row, names))];
		}),
	);
}

const fieldContent = ({ values, cleared }: EncodedField): string =>
	JSON.stringify([values, cleared === true]);

/** All that a row asks for, as one text. */
const contentOf = ({ fields, change, rewrite }: EncodedRow): string =>
	JSON.stringify([
		paramsOf(fields),
		fields.map(({ cleared }) => cleared === true),
		change && [change.mode, paramsOf([change])],
		rewrite?.inputs,
	]);

/** A value that a row gives, as it is compared with that of another row of the same resource. */
interface Given {
	readonly field: string;
	readonly key: string;
	readonly content: string;
}

/** The values that a row of Update gives, apart from what finds its resource. */
function givenBy(row: EncodedRow): Given[] {
	const { contract, match, fields, rewrite } = row;
	const fixed = fixedKeys(contract, match);
	const written = fields.filter(({ field }) => !fixed.includes(field.wire.key));
	const inputs = Object.entries(rewrite?.inputs ?? {});
	// A row that gives an address overwrites the one that another row rewrites.
	const texts = rewrite?.fields ?? [];
	return [
		...texts.map(({ displayName, wire }) => ({
			field: displayName,
			key: wire.key,
			content: 'rewritten',
		})),
		...written.map((one) => ({
			field: (one.source ?? one.field).displayName,
			key: one.field.wire.key,
			content: fieldContent(one),
		})),
		...inputs.map(([name, value]) => ({
			field: `${rewrite?.source.displayName ?? ''} (${name})`,
			key: name,
			content: JSON.stringify(value),
		})),
	];
}

/** The first row of a resource, and for each field the first row that has it. */
interface First {
	readonly index: number;
	readonly content: string;
	readonly fields: Map<string, { readonly index: number; readonly content: string }>;
}

/** What makes the resources of rows unique, if Match By finds them by something else. */
class UniqueTexts {
	private readonly firstRows = new Map<string, number>();

	/** Adds a row, and returns the position of an earlier one with the same text; undefined if there is none. */
	add(row: EncodedRow, index: number): number | undefined {
		const { key } = row.contract;
		if (row.match.fields?.searchBy === key.searchBy || searchedText(row, key) === undefined) {
			return undefined;
		}
		const text = textsOf(fieldsNamed(row, key.uniqueBy));
		const first = this.firstRows.get(text);
		if (first === undefined) this.firstRows.set(text, index);
		return first;
	}
}

/** The problem of a row that gives its resource the alias or name of another one. */
function sameAlias({ contract }: EncodedRow, first: string): Problem {
	const { searchBy } = contract.key;
	const field = contract.fields.find(({ wire }) => wire.key === searchBy)?.displayName ?? searchBy;
	return {
		field,
		key: searchBy,
		reason: `is the same as in ${first}; give each ${contract.value} its own`,
	};
}

/** The problem of a row that contradicts an earlier one. */
function contradiction(row: EncodedRow, first: string): Problem {
	const { contract, match } = row;
	const isIdentified = identifierOf(row) !== undefined;
	const { searchBy } = keyFieldsOf(row);
	const searched = contract.fields.find(({ wire }) => wire.key === searchBy);
	return {
		field: isIdentified ? match.name : (searched?.displayName ?? searchBy),
		key: isIdentified ? contract.id.name : searchBy,
		reason: `is the same as in ${first}, with other values; keep one row for each`,
	};
}

/** The problems of a row of Update: an earlier row gives the same resource another value of a field. Notes its own fields. */
function fieldProblems(
	row: EncodedRow,
	index: number,
	{ fields: known }: First,
	numbers: RowNumbers,
): Problem[] {
	return givenBy(row).flatMap(({ field, key, content }): Problem[] => {
		const earlier = known.get(key);
		if (!earlier) known.set(key, { index, content });
		if (!earlier || earlier.content === content) return [];
		const reason = `differs from ${numbers.row(earlier.index)}, which changes the same ${row.contract.value}; keep one of the rows`;
		return [{ field, key, reason }];
	});
}

/**
 * Rows of one run that would write the same resource. Those that want the very same are done once; of those
 * that contradict each other each but the first gets a problem, before anything is sent: which of them should win is not
 * the node's to guess. Mapped rows of Update may change different fields of one resource.
 */
export function markDuplicates(rows: readonly Row[], numbers: RowNumbers): Row[] {
	const encodedRows = rows.flatMap(({ encoded }) => (isEncoded(encoded) ? [encoded] : []));
	const keys = keysOf(encodedRows.filter(isCompared));
	const firsts = new Map<string, First>();
	const aliases = new UniqueTexts();
	return rows.map((row) => {
		const { encoded, index } = row;
		const key = isEncoded(encoded) ? keys.get(encoded) : undefined;
		if (!isEncoded(encoded) || key === undefined) return row;
		const content = contentOf(encoded);
		const first = firsts.get(key) ?? { index, content, fields: new Map() };
		firsts.set(key, first);
		if (first.index !== index && first.content === content)
			return { ...row, duplicateOf: first.index };
		if (encoded.operation === 'update') {
			const problems = fieldProblems(encoded, index, first, numbers);
			return problems.length > 0 ? { ...row, encoded: problems } : row;
		}
		if (first.index !== index) {
			return { ...row, encoded: [contradiction(encoded, numbers.row(first.index))] };
		}
		const taken = aliases.add(encoded, index);
		return taken === undefined
			? row
			: { ...row, encoded: [sameAlias(encoded, numbers.row(taken))] };
	});
}
