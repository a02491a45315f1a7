import { columnName, type ColumnNamePair } from './columns';
import { writableFields, fillableFields, type FillableField } from './columnTargets';
import { Invalid, type EncodeOptions, type OperationName } from './types';
import type { ResourceContract } from './resourceTypes';
import {
	duplicatesIn,
	isEmptyDeep,
	isRecord,
	isTextual,
	isUnset,
	parseJson,
	quoteText,
} from './values';

/** Name of the list of pairs in the form, and the names of its inputs. */
export const pairsName = 'columns';
export const pairInputs = { field: 'field', column: 'column' } as const;

/** Max number of pairs, far above the number of fields. */
const maxPairs = 1000;

/** The inputs of a pair, before they are checked. */
type Pair = Readonly<Record<string, unknown>>;

/** Returns the list of pairs inside the form's value, or the value itself. */
function listIn(value: unknown): unknown {
	const inner = isRecord(value) ? value[pairsName] : undefined;
	return isRecord(inner) || Array.isArray(inner) ? inner : value;
}

/**
 * Returns the pairs in a value. Accepts the form's value, an array of pairs, an object from fields to columns, or
 * JSON of these.
 */
function pairsIn(value: unknown): readonly Pair[] | undefined {
	if (isEmptyDeep(value)) return [];
	const list = listIn(typeof value === 'string' ? parseJson(value) : value);
	if (Array.isArray(list)) {
		const pairs = Array.from<unknown>(list).filter((pair) => !isEmptyDeep(pair));
		return pairs.every(isRecord) ? pairs : undefined;
	}
	if (!isRecord(list)) return undefined;
	if (pairInputs.field in list || pairInputs.column in list) return [list];
	return Object.entries(list).map(([field, column]) => ({ field, column }));
}

const cellText = (value: unknown): string | undefined => {
	if (isUnset(value)) return '';
	return isTextual(value) ? String(value) : undefined;
};

const isNamed = ({ name, names, target }: FillableField, heading: string) =>
	[name, target.displayName, ...names].some((name) => columnName(name) === columnName(heading));

/** Returns the field with a name, or the reason why the operation has no such field. */
type FieldFinder = (heading: string) => FillableField | string;

function fieldFinder(
	contract: ResourceContract,
	operation: OperationName,
	options: Pick<EncodeOptions, 'matchBy'>,
): FieldFinder {
	const all = writableFields(contract);
	const fields = fillableFields(contract, operation, options);
	return (heading) => {
		const field =
			all.find(({ name }) => name === heading) ??
			all.find((candidate) => isNamed(candidate, heading));
		if (!field) {
			const names = fields.map(({ name }) => name).join(', ');
			return `contains the field ${quoteText(heading)}, which a ${contract.name.toLowerCase()} does not have; use one of ${names}`;
		}
		const { name = operation } = contract.operations.find(({ value }) => value === operation) ?? {};
		return (
			fields.find((fillable) => fillable.name === field.name) ??
			`maps a column to ${field.target.displayName}, which ${name} does not have; remove the pair`
		);
	};
}

/** Returns a pair, the reason why it is invalid, or undefined if it is empty. */
function readPair(pair: Pair, findField: FieldFinder): ColumnNamePair | string | undefined {
	const field = cellText(pair[pairInputs.field]);
	const column = cellText(pair[pairInputs.column]);
	if (field === undefined || column === undefined) {
		return 'contains a pair that does not consist of two texts; enter the name of a field and the heading of a column';
	}
	if (field === '' && column === '') return undefined;
	if (field === '') return `has the column ${quoteText(column)} without a field; choose its field`;
	const match = findField(field);
	if (typeof match === 'string') return match;
	const { target } = match;
	if (column === '') {
		return `has the field ${target.displayName} without a column; enter the heading of its column`;
	}
	return { target, column };
}

/** Returns a reason for each field or column that occurs in several pairs. */
function repeated(pairs: readonly ColumnNamePair[]): string[] {
	const names = pairs.map(({ target }) => target.displayName);
	const columns = pairs.map(({ column }) => column);
	return [
		...duplicatesIn(names).map((name) => `has the field ${name} twice; remove one of the pairs`),
		...duplicatesIn(columns).map(
			(column) =>
				`has the column ${quoteText(column)} for more than one field; remove one of the pairs`,
		),
	];
}

/** Returns the pairs of Column Names, without empty pairs, or the reasons why they are invalid. */
export function readColumnNames(
	contract: ResourceContract,
	operation: OperationName,
	value: unknown,
	options: Pick<EncodeOptions, 'matchBy'> = {},
): readonly ColumnNamePair[] | Invalid {
	const entries = pairsIn(value);
	if (!entries || entries.length > maxPairs) {
		const example = `[{"field": "${contract.key.searchBy}", "column": "Short name"}]`;
		return new Invalid([
			`cannot be read as pairs of field and column; add them one by one, or enter a list such as ${example}`,
		]);
	}
	const findField = fieldFinder(contract, operation, options);
	const read = entries.map((pair) => readPair(pair, findField));
	const reasons = read.filter((result) => typeof result === 'string');
	const pairs = read.filter((result) => typeof result === 'object');
	const all = [...new Set([...reasons, ...repeated(pairs)])];
	return all.length > 0 ? new Invalid(all) : pairs;
}
