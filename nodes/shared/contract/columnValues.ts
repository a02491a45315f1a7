import type { INodeProperties } from 'n8n-workflow';
import { joinsInputs, type ColumnMap, type ColumnTarget } from './columns';
import { collectionsOf } from './formLayout';
import type { Columns, EncodeOptions, FormPlace, OperationName, Parameters } from './types';
import type { ResourceContract } from './resourceTypes';
import { isBlank, isEmpty, isRecord, without } from './values';

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

/** A target, and its value in a row. */
type Filled = readonly [target: ColumnTarget, cell: unknown];

/** The cells of inputs that make one value together. */
interface Joined {
	readonly target: ColumnTarget;
	readonly inputs: Readonly<Record<string, unknown>>;
}

/** Returns the values of a row for the targets of columns. The cells of some inputs make one value together. */
function filledTargets({ columns: { targets }, cells }: MappedRow): Filled[] {
	const filled: Filled[] = [];
	const joined = new Map<ColumnTarget['property'], Joined>();
	for (const [column, target] of targets) {
		if (!Object.hasOwn(cells, column)) continue;
		const cell = cells[column];
		if (target.inputName === undefined || !joinsInputs(target)) {
			filled.push([target, cell]);
			continue;
		}
		const { inputs } = joined.get(target.property) ?? { inputs: {} };
		joined.set(target.property, {
			target: without(target, 'inputName'),
			inputs: isBlank(cell) ? inputs : { ...inputs, [target.inputName]: cell },
		});
	}
	for (const { target, inputs } of joined.values()) {
		filled.push([target, Object.keys(inputs).length > 0 ? inputs : '']);
	}
	return filled;
}

/**
 * Returns the parameters of a row with the values of its columns. A column takes precedence over a fixed value of the form,
 * unless its cell is empty and empty cells are skipped. An expression with a value takes precedence over the column.
 */
export function withColumnValues(row: MappedRow): Parameters {
	const { contract, operation, options, parameters, isExpression } = row;
	const collections = collectionsOf(contract, operation).map(
		(collection) => [collection, copyOf(parameters[collection])] as const,
	);
	const values: Record<string, unknown> = { ...parameters, ...Object.fromEntries(collections) };
	const holders = new Map<FormPlace, Record<string, unknown>>([['top', values], ...collections]);
	for (const [target, cell] of filledTargets(row)) {
		const { property, place, inputName } = target;
		const { name } = property;
		const looksEmpty = isEmpty(cell, property) || (inputName !== undefined && isBlank(cell));
		const isSkipped = (options.emptyValues === 'skip' || keepsFormValue(target)) && looksEmpty;
		const holder = holders.get(place) ?? values;
		const inputs = inputName === undefined ? holder : inputsIn(property, holder[name]);
		const key = inputName ?? name;
		if (isExpression(target) && !isEmpty(inputs[key], property)) continue;
		if (isSkipped && Object.hasOwn(inputs, key)) continue;
		holder[name] = inputName === undefined ? cell : { ...inputs, [inputName]: cell };
	}
	return values;
}
