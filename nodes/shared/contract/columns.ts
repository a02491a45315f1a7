import type { INodeProperties } from 'n8n-workflow';
import { collectionsOf } from './formLayout';
import type { Columns, EncodeOptions, OperationName, Parameters, FormPlace } from './types';
import type { DerivedField, Field } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';
import { isBlank, isEmpty, isRecord } from './values';

/** Max length of a name to normalize, in characters. Longer names must match exactly. */
const longestName = 1000;

/**
 * Returns a normalized name: `Expiration Date`, `expiration_date` and `expirationDate` are equal. A name without
 * letters and digits, such as `#`, keeps its other characters.
 */
export const columnName = (name: string): string =>
	name.length > longestName
		? name
		: name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name.replace(/[\s\p{Cf}]/gu, '');

/** The target of a column: a field, or an input of a field that has several. */
export interface ColumnTarget {
	readonly displayName: string;
	readonly property: DerivedField | Field | ResourceContract['id'];
	readonly place: FormPlace;
	/** Name of the input. */
	readonly inputName?: string;
	/** Whether another column for the same field takes precedence. */
	readonly isFallback?: true;
}

/** A column that fills no field. */
export interface IgnoredColumn {
	readonly column: string;
	/** Why it fills no field, or which field it may mean; undefined if there is nothing to report. */
	readonly reason?: string;
}

/** Which columns fill which fields. */
export interface ColumnMap {
	/** The targets by column. A later column for the same target takes precedence, unless its cell is empty. */
	readonly targets: ReadonlyMap<string, ColumnTarget>;
	/** Columns with a synonym, or a name from Column Names. */
	readonly renamed: ReadonlySet<string>;
	/** Columns that fill no field. */
	readonly ignored: readonly IgnoredColumn[];
	/** Columns without a target, except columns that the settings ignore. */
	readonly unknown: readonly string[];
	/** Columns for passwords, if the settings do not allow them. */
	readonly secret: ReadonlyMap<string, ColumnTarget>;
	/** Columns with the name of a mode, which only the form sets, and the label of the mode. */
	readonly modes: ReadonlyMap<string, string>;
	/** Columns that fill the same target. */
	readonly conflicts: ReadonlyArray<{
		readonly target: ColumnTarget;
		readonly columns: readonly string[];
	}>;
	/** Pairs of Column Names whose column is also in Inputs to Ignore. */
	readonly ignoredPairs: readonly ColumnNamePair[];
	/** Names in Inputs to Ignore that the input does not have. */
	readonly unusedIgnored: readonly string[];
	/** Pairs of Column Names whose column the input does not have. */
	readonly unusedNamed: readonly ColumnNamePair[];
}

/** A pair of Column Names: the name of a column, and its target. */
export interface ColumnNamePair {
	readonly target: ColumnTarget;
	readonly column: string;
}

/** Returns a copy of an object; an empty object for any other value. */
const copyOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : {});

/** Returns a copy of a field's inputs, which the form stores under the name of the fixed collection. */
export function inputsIn({ options: [set] = [] }: INodeProperties, value: unknown) {
	return copyOf(isRecord(value) && set && set.name in value ? value[set.name] : value);
}

/** Returns whether an empty cell keeps the value of the form, because no update can clear the field. */
const keepsFormValue = ({ property, place }: ColumnTarget): boolean =>
	place === 'top' && 'wire' in property && !property.wire.on.update;

/** A row whose values come from the form and from columns. */
interface MappedRow {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly options: Pick<EncodeOptions, 'emptyValues'>;
	/** The values of the form. */
	readonly parameters: Parameters;
	readonly columns: Pick<ColumnMap, 'targets'>;
	/** The cells of the row, by column. */
	readonly cells: Columns;
	/** Returns whether the form has an expression for a target. */
	readonly isExpression: (target: ColumnTarget) => boolean;
}

/**
 * Returns the parameters of a row with the values of its columns. A column takes precedence over a fixed value of the form,
 * unless its cell is empty and empty cells are skipped. An expression with a value takes precedence over the column.
 */
export function withColumnValues({
	contract,
	operation,
	options: { emptyValues },
	parameters,
	columns: { targets },
	cells,
	isExpression,
}: MappedRow): Parameters {
	const collections = collectionsOf(contract, operation).map(
		(collection) => [collection, copyOf(parameters[collection])] as const,
	);
	const values: Record<string, unknown> = { ...parameters, ...Object.fromEntries(collections) };
	const holders = new Map<FormPlace, Record<string, unknown>>([['top', values], ...collections]);
	for (const [column, target] of targets) {
		if (!Object.hasOwn(cells, column)) continue;
		const { property, place, inputName } = target;
		const { name } = property;
		const cell = cells[column];
		const looksEmpty = isEmpty(cell, property) || (inputName !== undefined && isBlank(cell));
		const isSkipped = (emptyValues === 'skip' || keepsFormValue(target)) && looksEmpty;
		const holder = holders.get(place) ?? values;
		const inputs = inputName === undefined ? holder : inputsIn(property, holder[name]);
		const key = inputName ?? name;
		if (isExpression(target) && !isEmpty(inputs[key], property)) continue;
		if (isSkipped && Object.hasOwn(inputs, key)) continue;
		holder[name] = inputName === undefined ? cell : { ...inputs, [inputName]: cell };
	}
	return values;
}
