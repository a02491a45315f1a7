import type { INodeProperties } from 'n8n-workflow';
import { collectionsOf } from './placement';
import type {
	Columns,
	DerivedField,
	EncodeOptions,
	Field,
	OperationName,
	Parameters,
	Place,
	ResourceContract,
} from './types';
import { isEmpty, isRecord } from './values';

export const autoMapInputData = 'autoMapInputData';
export const defineBelow = 'defineBelow';

/** The parameter that says where the values of a row come from, under the name and values that n8n's own nodes have. */
export const dataToSend = {
	displayName: 'Data to Send',
	name: 'dataToSend',
	type: 'options',
	// n8n shows the variants of a field for both values as soon as this one is an expression.
	noDataExpression: true,
	options: [
		{
			name: 'Auto-Map Input Data to Columns',
			value: autoMapInputData,
			description: 'Use the columns of the input items that are named like a field',
		},
		{
			name: 'Define Below for Each Column',
			value: defineBelow,
			description: 'Set the value of each field',
		},
	],
	default: defineBelow,
	description: 'Whether to take the values from the columns of the input, or from the form',
} satisfies INodeProperties;

export const inputsToIgnore = {
	displayName: 'Inputs to Ignore',
	name: 'inputsToIgnore',
	type: 'string',
	default: '',
	placeholder: 'e.g. notes, owner',
	description: 'Columns that are not taken, as a list or as comma-separated text',
	displayOptions: { show: { dataToSend: [autoMapInputData] } },
} satisfies INodeProperties;

/** The operations whose rows write a resource, and can take their values from columns. */
export const takesColumns = (operation: OperationName): boolean =>
	['create', 'sync', 'update', 'upsert'].includes(operation);

/** A longer name is compared to the letter, in characters. */
const longestName = 1000;

/** A name as it is compared: `Expiration Date`, `expiration_date` and `expirationDate` are the same. */
export const columnName = (name: string): string =>
	name.length > longestName ? name : name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');

/** What a column fills: a field, or one input of a field that has several. */
export interface Target {
	readonly property: DerivedField | Field;
	readonly place: Place;
	/** Name of the input. */
	readonly part?: string;
	/** Whether the cell of a column whose name says more goes before. */
	readonly isSpare?: true;
}

/** Which columns fill which fields. */
export interface ColumnMap {
	/** In the order in which one that fills the same replaces the one before, unless its cell is empty. */
	readonly taken: ReadonlyMap<string, Target>;
	/** Columns that fill nothing. */
	readonly left: readonly string[];
	/** Columns that fill nothing and that nobody told to leave out. */
	readonly unknown: readonly string[];
	/** Columns of secrets, which are taken only where an option says so. */
	readonly secret: readonly string[];
	/** Columns that fill the same. */
	readonly conflicts: ReadonlyArray<{
		readonly target: Target;
		readonly columns: readonly string[];
	}>;
}

/** All targets of an operation, by the names that columns have for them. */
function targetsOf(contract: ResourceContract, operation: OperationName): Map<string, Target> {
	const targets = new Map<string, Target>();
	const add = (names: readonly string[], target: Target) =>
		names.forEach((name) => targets.set(columnName(name), target));
	for (const field of contract.fields) {
		const place = field.wire.on[operation];
		const names = [field.name, field.displayName, field.wire.key];
		if (!place) continue;
		const { column } = field.wire;
		if (column) add([column], { property: field, place, isSpare: true });
		add(names, { property: field, place });
	}
	for (const property of contract.derivedFields ?? []) {
		const place = property.derive.on[operation];
		if (!place) continue;
		add([property.name, property.displayName], { property, place });
		for (const part of property.derive.parts ?? []) add([part], { property, place, part });
	}
	return targets;
}

/** Which columns are not taken. */
export interface ColumnChoice {
	/** Names of those to ignore. */
	readonly ignored: readonly string[];
	/** Names of those that are used otherwise. */
	readonly used: readonly string[];
	/** Whether secrets are taken. */
	readonly mapPasswords: boolean;
}

const isSecret = ({ typeOptions }: INodeProperties) => Boolean(typeOptions?.password);

/** Returns the columns that fill the same: a field as a whole is the same as each of its inputs. */
function conflictsIn(entries: ReadonlyArray<readonly [string, Target]>): ColumnMap['conflicts'] {
	const wholes = new Map(
		entries.flatMap(([, target]) =>
			target.part === undefined ? [[target.property, target] as const] : [],
		),
	);
	const groups = new Map<Target, string[]>();
	for (const [column, target] of entries) {
		const filled = wholes.get(target.property) ?? target;
		const columns = groups.get(filled) ?? [];
		columns.push(column);
		groups.set(filled, columns);
	}
	return [...groups]
		.map(([target, columns]) => ({ target, columns }))
		.filter(({ columns }) => columns.length > 1);
}

/** Finds out what each column fills. The ID is none of the fields, so that no column becomes one by accident. */
export function mapColumns(
	contract: ResourceContract,
	operation: OperationName,
	columns: Iterable<string>,
	{ ignored, used, mapPasswords }: ColumnChoice,
): ColumnMap {
	const targets = targetsOf(contract, operation);
	const all = new Set(columns);
	// A name to the letter means that column alone, so that one of two can be left out.
	const exact = new Set(ignored);
	const loose = new Set(ignored.filter((name) => !all.has(name)).map(columnName));
	const isIgnored = (column: string) => exact.has(column) || loose.has(columnName(column));
	const usedNames = new Set(used.map(columnName));
	const taken = new Map<string, Target>();
	const left: string[] = [];
	const unknown: string[] = [];
	const secret: string[] = [];
	for (const column of all) {
		const name = columnName(column);
		const target = targets.get(name);
		const isMeant = !isIgnored(column) && !usedNames.has(name);
		if (target && isMeant && (mapPasswords || !isSecret(target.property))) {
			taken.set(column, target);
		} else if (!usedNames.has(name)) {
			left.push(column);
			if (target && isMeant) secret.push(column);
			else if (isMeant && name !== 'id') unknown.push(column);
		}
	}
	const spares = [...taken].filter(([, { isSpare }]) => isSpare);
	const entries = [...taken].filter(([, { isSpare }]) => !isSpare);
	const conflicts = conflictsIn(entries);
	return { taken: new Map([...spares, ...entries]), left, unknown, secret, conflicts };
}

/** The values of a collection or of the row, to be filled further. */
const copyOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : {});

/** The inputs of a field that has several: the form keeps them under the name of their set. */
export function inputsIn({ options: [set] = [] }: INodeProperties, value: unknown) {
	return copyOf(isRecord(value) && set && set.name in value ? value[set.name] : value);
}

/**
 * The parameters of a row with the values of its columns. A column beats a fixed value of the form, unless its cell is
 * empty and empty cells are skipped; an expression of the form that gives a value
 * beats the column.
 *
 * @param isExpression whether the form has an expression for what a column fills
 */
export function withColumns(
	contract: ResourceContract,
	operation: OperationName,
	parameters: Parameters,
	{ taken }: ColumnMap,
	row: Columns,
	isExpression: (target: Target) => boolean,
	{ emptyValues }: EncodeOptions,
): Parameters {
	const [collection = ''] = collectionsOf(contract, operation);
	const values = { ...parameters };
	const added = copyOf(parameters[collection]);
	for (const [column, target] of taken) {
		if (!Object.hasOwn(row, column)) continue;
		const { property, place, part } = target;
		const { name } = property;
		const cell = row[column];
		const isSkipped = emptyValues === 'skip' && isEmpty(cell, property);
		const holder = place === 'top' ? values : added;
		const inputs = part === undefined ? holder : inputsIn(property, holder[name]);
		const key = part ?? name;
		if (isExpression(target) && !isEmpty(inputs[key], property)) continue;
		if (isSkipped && Object.hasOwn(inputs, key)) continue;
		holder[name] = part === undefined ? cell : { ...inputs, [part]: cell };
	}
	return collection ? { ...values, [collection]: added } : values;
}
