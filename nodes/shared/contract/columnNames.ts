import { columnName, type ColumnNamePair } from './columns';
import { writableFields, fillableFields, type FillableField } from './columnTargets';
import { Invalid, type EncodeOptions, type OperationName } from './types';
import type { ResourceContract } from './resourceTypes';
import { isEmptyDeep, isRecord, isTextual, isUnset, parseJson, quoteText } from './values';

/** Name of the list of pairs in the form, and of the inputs of a pair. */
export const pairsName = 'columns';
export const pairInputs = { field: 'field', column: 'column' } as const;

/** Max number of pairs: many more than there are fields. */
const maxPairs = 1000;

/** A pair as it was set, before its values are checked. */
type Pair = Readonly<Record<string, unknown>>;

/** Returns the list that the form keeps under its name, or the value itself. */
function listIn(value: unknown): unknown {
	const inner = isRecord(value) ? value[pairsName] : undefined;
	return isRecord(inner) || Array.isArray(inner) ? inner : value;
}

/** Returns the pairs in a value: the form's own, an array of pairs, an object from fields to columns, or JSON of these. */
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

const textOf = (value: unknown): string | undefined => {
	if (isUnset(value)) return '';
	return isTextual(value) ? String(value) : undefined;
};

const isNamed = ({ name, names, target }: FillableField, heading: string) =>
	[name, target.displayName, ...names].some((name) => columnName(name) === columnName(heading));

/** Finds fields by the names that the form or an expression gives them. */
class FieldFinder {
	private readonly contract: ResourceContract;
	private readonly operation: OperationName;
	private readonly all: readonly FillableField[];
	private readonly fields: readonly FillableField[];

	constructor(
		contract: ResourceContract,
		operation: OperationName,
		options: Pick<EncodeOptions, 'matchBy'>,
	) {
		this.contract = contract;
		this.operation = operation;
		this.all = writableFields(contract);
		this.fields = fillableFields(contract, operation, options);
	}

	/** Returns the field of the operation that has a name, or the reason why there is none. */
	find(heading: string): FillableField | string {
		const field = this.all.find(({ name }) => name === heading) ?? this.looselyNamed(heading);
		const { operations, name: resource } = this.contract;
		if (!field) {
			const names = this.fields.map(({ name }) => name).join(', ');
			return `names the field ${quoteText(heading)}, which a ${resource.toLowerCase()} does not have; use one of ${names}`;
		}
		const fillable = this.fields.find(({ name }) => name === field.name);
		if (fillable) return fillable;
		const { name = this.operation } =
			operations.find(({ value }) => value === this.operation) ?? {};
		return `maps a column to ${field.target.displayName}, which ${name} does not have; remove the pair`;
	}

	private looselyNamed(heading: string): FillableField | undefined {
		return this.all.find((field) => isNamed(field, heading));
	}
}

/** Returns one pair, the reason why it cannot be, or undefined if it is empty. */
function readPair(pair: Pair, finder: FieldFinder): ColumnNamePair | string | undefined {
	const field = textOf(pair[pairInputs.field]);
	const column = textOf(pair[pairInputs.column]);
	if (field === undefined || column === undefined) {
		return 'has a pair that is not made of two texts; give the name of a field and the heading of a column';
	}
	if (field === '' && column === '') return undefined;
	if (field === '') return `has the column ${quoteText(column)} without a field; choose its field`;
	const match = finder.find(field);
	if (typeof match === 'string') return match;
	const { target } = match;
	if (column === '') {
		return `has the field ${target.displayName} without a column; enter the heading of its column`;
	}
	return { target, column };
}

/** Returns what is wrong with pairs that repeat a field or a column. */
function repeated(pairs: readonly ColumnNamePair[]): string[] {
	const names = pairs.map(({ target }) => target.displayName);
	const columns = pairs.map(({ column }) => column);
	const again = (texts: readonly string[]) => {
		const seen = new Set<string>();
		return [...new Set(texts.filter((text) => seen.has(text) || !seen.add(text)))];
	};
	return [
		...again(names).map((name) => `has the field ${name} twice; remove one of the pairs`),
		...again(columns).map(
			(column) =>
				`has the column ${quoteText(column)} for more than one field; remove one of the pairs`,
		),
	];
}

/** Returns the pairs of Column Names, or reasons that continue after its name. Pairs without values are left out. */
export function readColumnNames(
	contract: ResourceContract,
	operation: OperationName,
	value: unknown,
	options: Pick<EncodeOptions, 'matchBy'> = {},
): readonly ColumnNamePair[] | Invalid {
	const entries = pairsIn(value);
	if (!entries || entries.length > maxPairs) {
		const example = '[{"field": "alias", "column": "Short name"}]';
		return new Invalid([
			`cannot be read as pairs of field and column; add them one by one, or give a list such as ${example}`,
		]);
	}
	const finder = new FieldFinder(contract, operation, options);
	const read = entries.map((pair) => readPair(pair, finder));
	const reasons = read.filter((result) => typeof result === 'string');
	const pairs = read.filter((result) => typeof result === 'object');
	const all = [...new Set([...reasons, ...repeated(pairs)])];
	return all.length > 0 ? new Invalid(all) : pairs;
}
