import type { INodeProperties } from 'n8n-workflow';
import { collectionsOf } from './formLayout';
import type { Columns, EncodeOptions, OperationName, Parameters, FormPlace } from './types';
import type { DerivedField, Field } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';
import { isBlank, isEmpty, isRecord } from './values';

export const mapAutomatically = 'autoMapInputData';
export const mapManually = 'defineBelow';

/** The parameter that says where the values of a row come from, under the name and values that n8n's own nodes have. */
export const mappingMode = {
	displayName: 'Mapping Column Mode',
	name: 'mappingColumnMode',
	type: 'options',
	// n8n shows the variants of a field for both values as soon as this one is an expression.
	noDataExpression: true,
	options: [
		{
			name: 'Map Automatically',
			value: mapAutomatically,
			description: 'Map columns of the input items to fields with the same name',
		},
		{
			name: 'Map Each Column Manually',
			value: mapManually,
			description: 'Set the value of each field in the form',
		},
	],
	default: mapManually,
	description: 'How to set the values of the fields',
} satisfies INodeProperties;

export const inputsToIgnore = {
	displayName: 'Inputs to Ignore',
	name: 'inputsToIgnore',
	type: 'string',
	default: '',
	placeholder: 'e.g. notes, owner',
	description: 'The columns to ignore, separated by commas, semicolons or line breaks',
	displayOptions: { show: { mappingColumnMode: [mapAutomatically] } },
} satisfies INodeProperties;

/** The operations whose rows write a resource, and can take their values from columns. */
export const takesColumns = (operation: OperationName): boolean =>
	['create', 'sync', 'update', 'upsert'].includes(operation);

/** A longer name is compared to the letter, in characters. */
const longestName = 1000;

/**
 * A name as it is compared: `Expiration Date`, `expiration_date` and `expirationDate` are the same. Of a name without letters
 * and digits, such as `#`, its signs are compared.
 */
export const columnName = (name: string): string =>
	name.length > longestName
		? name
		: name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '') || name.replace(/[\s\p{Cf}]/gu, '');

/** What a column fills: a field, or one input of a field that has several. */
export interface ColumnTarget {
	readonly displayName: string;
	readonly property: DerivedField | Field | ResourceContract['id'];
	readonly place: FormPlace;
	/** Name of the input. */
	readonly inputName?: string;
	/** Whether the cell of a column whose name says more goes before. */
	readonly isFallback?: true;
}

/** A column that fills nothing. */
export interface IgnoredColumn {
	readonly column: string;
	/** Why, or what it could fill; undefined if there is nothing to say. */
	readonly reason?: string;
}

/** Which columns fill which fields. */
export interface ColumnMap {
	/** In the order in which one that fills the same replaces the one before, unless its cell is empty. */
	readonly targets: ReadonlyMap<string, ColumnTarget>;
	/** Columns that are taken by another name than the field's own. */
	readonly renamed: ReadonlySet<string>;
	/** Columns that fill nothing. */
	readonly ignored: readonly IgnoredColumn[];
	/** Columns that fill nothing, except those that the settings leave out. */
	readonly unknown: readonly string[];
	/** Columns of secrets, which are taken only if an option says so. */
	readonly secret: ReadonlyMap<string, ColumnTarget>;
	/** Columns that fill the same. */
	readonly conflicts: ReadonlyArray<{
		readonly target: ColumnTarget;
		readonly columns: readonly string[];
	}>;
	/** Pairs of Column Names whose column is in Inputs to Ignore as well. */
	readonly ignoredPairs: readonly ColumnNamePair[];
	/** Names of columns in Inputs to Ignore that the input does not have. */
	readonly unusedIgnored: readonly string[];
	/** Pairs of Column Names whose column the input does not have. */
	readonly unusedNamed: readonly ColumnNamePair[];
}

/** A pair of Column Names: the heading of a column, and what it fills. */
export interface ColumnNamePair {
	readonly target: ColumnTarget;
	readonly column: string;
}

/** The values of a collection or of the row, to be filled further. */
const copyOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : {});

/** The inputs of a field that has several: the form keeps them under the name of their set. */
export function inputsIn({ options: [set] = [] }: INodeProperties, value: unknown) {
	return copyOf(isRecord(value) && set && set.name in value ? value[set.name] : value);
}

/** Whether an empty cell leaves the value of the form, because no update can clear the field. */
const isKept = ({ property, place }: ColumnTarget): boolean =>
	place === 'top' && 'wire' in property && !property.required && !property.wire.empty;

/**
 * The parameters of a row with the values of its columns. A column beats a fixed value of the form, unless its cell is
 * empty and empty cells are skipped; an expression of the form that gives a value
 * beats the column.
 *
 * @param isExpression whether the form has an expression for what a column fills
 */
export function withColumnValues(
	contract: ResourceContract,
	operation: OperationName,
	parameters: Parameters,
	{ targets }: ColumnMap,
	row: Columns,
	isExpression: (target: ColumnTarget) => boolean,
	{ emptyValues }: EncodeOptions,
): Parameters {
	const collections = collectionsOf(contract, operation).map(
		(collection) => [collection, copyOf(parameters[collection])] as const,
	);
	const values: Record<string, unknown> = { ...parameters, ...Object.fromEntries(collections) };
	const holders = new Map<FormPlace, Record<string, unknown>>([['top', values], ...collections]);
	for (const [column, target] of targets) {
		if (!Object.hasOwn(row, column)) continue;
		const { property, place, inputName } = target;
		const { name } = property;
		const cell = row[column];
		const looksEmpty = isEmpty(cell, property) || (inputName !== undefined && isBlank(cell));
		const isSkipped = (emptyValues === 'skip' || isKept(target)) && looksEmpty;
		const holder = holders.get(place) ?? values;
		const inputs = inputName === undefined ? holder : inputsIn(property, holder[name]);
		const key = inputName ?? name;
		if (isExpression(target) && !isEmpty(inputs[key], property)) continue;
		if (isSkipped && Object.hasOwn(inputs, key)) continue;
		holder[name] = inputName === undefined ? cell : { ...inputs, [inputName]: cell };
	}
	return values;
}
