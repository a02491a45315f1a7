import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { isNoPassword } from '../contract/codecs/scalar';
import {
	columnName,
	fillableFields,
	mapColumns,
	similarFieldFinder,
	type ColumnMap,
	type ColumnTarget,
	type FillableField,
} from '../contract/columns';
import { formParameters } from '../contract/formLayout';
import { fixedKeys, matchOf, readsIdentifier } from '../contract/matchBy';
import { changesExisting, operationTable } from '../contract/operations';
import { isRequired } from '../contract/target';
import type { EncodeOptions, OperationName } from '../contract/types';
import type { ResourceContract } from '../contract/resourceTypes';
import { isBlank, isRecord, isSecret, isTextual, isUnset, quote } from '../contract/values';
import { nodeOptions } from '../description/nodeOptions';
import { inputsToIgnore } from '../description/parameters';
import {
	columnList,
	conflictError,
	leftOverText,
	missingText,
	passwordText,
	type LeftOver,
	type MissingField,
} from './columnErrors';
import { columnText } from './cellProblems';
import { expressionsIn, valuesIn } from './formExpressions';
import type { RunOptions } from './options';
import { settingsError } from './nodeErrors';
import { isRowNumber } from './rowNumbers';

type Items = ReturnType<IExecuteFunctions['getInputData']>;

/** The columns of a run. */
export interface RunColumns extends Pick<ColumnMap, 'targets'> {
	/** Columns that fill no field. */
	readonly ignored: readonly string[];
	/** Names in Inputs to Ignore that no column has. */
	readonly unmatched: readonly string[];
	/** Columns for passwords, if the settings do not allow them. */
	readonly secret: readonly string[];
	/** A sentence about what the ignored columns cause; empty if there is nothing to report. */
	readonly note: string;
}

/**
 * Returns the columns in Inputs to Ignore, and its names that no column has. A name matches exactly if the input has such a
 * column.
 */
export function ignoredColumns(context: IExecuteFunctions, columns: ReadonlySet<string>) {
	const value: unknown = context.getNodeParameter(inputsToIgnore.name, 0, '');
	const list: unknown[] = Array.isArray(value)
		? value
		: typeof value === 'string'
			? value.split(',')
			: [value];
	const entries = list.filter((entry) => !isUnset(entry));
	if (!entries.every(isTextual)) {
		const message = `${inputsToIgnore.displayName} ${quote(value, inputsToIgnore)} is not a list of columns; write it as notes, owner`;
		throw settingsError(context.getNode(), message);
	}
	const names = entries.map((entry) => String(entry).trim());
	const others = names.filter((name) => !columns.has(name));
	const normalized = new Set(others.map(columnName));
	const ignored = [...columns].filter(
		(column) => names.includes(column) || normalized.has(columnName(column)),
	);
	const matched = new Set(ignored.map(columnName));
	return {
		ignored: new Set(ignored),
		unmatched: others.filter((name) => !matched.has(columnName(name))),
	};
}

/** What decides whether a field has values: the columns, their cells and the form. */
interface Values {
	readonly items: Items;
	readonly targets: ColumnMap['targets'];
	/** Returns whether the form has a value or an expression for a target. */
	readonly isInForm: (target: ColumnTarget) => boolean;
}

/** Returns whether a column has a value for a field. A flag or a formula error is no password. */
const hasValue = (items: Items, column: string, { property }: ColumnTarget): boolean =>
	items.some(
		({ json: { [column]: cell } }) => !isBlank(cell) && !(isSecret(property) && isNoPassword(cell)),
	);

/** Returns whether a column with values or the form fills a field. */
function isFilled({ items, targets, isInForm }: Values, { target }: FillableField): boolean {
	const { property, inputName } = target;
	const isSame = (other: ColumnTarget) =>
		other.property === property &&
		(inputName === undefined || other.inputName === undefined || other.inputName === inputName);
	return (
		isInForm(target) ||
		[...targets].some(([column, other]) => isSame(other) && hasValue(items, column, other))
	);
}

/** Returns the required fields that neither a column nor the form fills. */
function missingFields(
	contract: ResourceContract,
	operation: OperationName,
	options: EncodeOptions,
	{ form, targets, isInForm }: Values & { readonly form: Readonly<Record<string, unknown>> },
): MissingField[] {
	const mapped = new Set([...targets.values()].map(({ property }) => property));
	const match = matchOf(contract, options);
	const otherMatch = 'choose another Match By';
	if (readsIdentifier(operation, contract, options)) {
		const isMissing = options.matchBy !== undefined && !mapped.has(contract.id);
		return isMissing ? [{ displayName: match.name, name: match.value, remedy: otherMatch }] : [];
	}
	const scope = form[formParameters.syncScope.name];
	const isInScope = (name: string) =>
		isRecord(scope) &&
		contract.sync.scope.some(
			({ name: entry, scope: { field, isPrefix } }) =>
				field === name && !isPrefix && entry in scope,
		);
	return fillableFields(contract, operation, options.matchBy).flatMap(({ name, target }) => {
		const { property, displayName } = target;
		if (!('wire' in property) || mapped.has(property) || isInForm(target)) return [];
		const { key, on } = property.wire;
		const isKey = changesExisting(operation) && match.fields?.searchBy === key;
		const isNeeded = isKey || isRequired({ contract, operation, options }, property);
		const remedy = on[operation] ? 'set the field in the form' : otherMatch;
		return isNeeded && !isInScope(property.name) ? [{ displayName, name, remedy }] : [];
	});
}

/** Returns the columns that look like a field that nothing fills, and have values for it. */
function similarColumns(
	contract: ResourceContract,
	fields: readonly FillableField[],
	columns: Iterable<string>,
	values: Values,
): LeftOver[] {
	const similarField = similarFieldFinder(fields);
	const harmless = new Set(
		contract.output.flatMap(({ name, displayName }) => [name, displayName]).map(columnName),
	);
	return [...columns].flatMap((column) => {
		const field = harmless.has(columnName(column)) ? undefined : similarField(column);
		const isLost =
			field && !isFilled(values, field) && hasValue(values.items, column, field.target);
		return isLost ? [{ column, field }] : [];
	});
}

/** Returns a note if new resources get a generated key, although an ignored column may have it. */
function generatedKeyNote(
	contract: ResourceContract,
	operation: OperationName,
	lost: readonly LeftOver[],
): string {
	const keys = lost.filter(
		({ field: { target } }) =>
			'wire' in target.property && target.property.wire.key === contract.key.searchBy,
	);
	const [first] = keys;
	if (!first || operationTable[operation].creates === undefined) return '';
	const { displayName } = first.field.target;
	const names = columnList(keys.map(({ column }) => columnText(column)));
	return `New ${contract.value}s get a generated ${displayName.toLowerCase()}, because nothing fills ${displayName} and ${names} ${keys.length === 1 ? 'is' : 'are'} ignored`;
}

/**
 * Returns the fields of the columns of all items, because the first item may not have all columns.
 *
 * @throws NodeOperationError if two columns fill the same field, if nothing fills a required field, if a left-over column looks
 * like a field that nothing fills, if a column has passwords that are not mapped, or if Inputs to Ignore cannot be read
 */
export function readColumns(
	context: IExecuteFunctions,
	contract: ResourceContract,
	operation: OperationName,
	{ encode, mapPasswords }: RunOptions,
): RunColumns {
	const node = context.getNode();
	const items = context.getInputData();
	const columns = new Set(items.flatMap(({ json }) => Object.keys(json)));
	const { ignored, unmatched } = ignoredColumns(context, columns);
	const usable = [...columns].filter((column) => !ignored.has(column) && !isRowNumber(column));
	const fields = fillableFields(contract, operation, encode.matchBy);
	const { targets: all, conflicts } = mapColumns(fields, usable);
	const [conflict] = conflicts;
	if (conflict) throw conflictError(node, conflict);

	const isSecretColumn = ([, { property }]: readonly [string, ColumnTarget]) =>
		isSecret(property) && !mapPasswords;
	const secret = [...all].filter(isSecretColumn);
	const targets = new Map([...all].filter((entry) => !isSecretColumn(entry)));
	const isReplaced = expressionsIn(node.parameters);
	const passwords = secret.filter(
		([column, target]) => !isReplaced(target) && hasValue(items, column, target),
	);
	const values = { items, targets, isInForm: valuesIn(node.parameters), form: node.parameters };
	const missing = missingFields(contract, operation, encode, values);
	const lost = similarColumns(
		contract,
		fields,
		usable.filter((column) => !all.has(column)),
		values,
	);
	const problems = [
		missingText(
			missing,
			[...columns].filter((column) => !isRowNumber(column)),
		),
		leftOverText(lost.filter(({ field }) => missing.every(({ name }) => name !== field.name))),
		passwordText(passwords.map(([column]) => column)),
	].filter((text) => text !== '');
	if (problems.length > 0) throw settingsError(node, problems.join(' '));

	const lostByChoice = similarColumns(contract, fields, ignored, values);
	return {
		targets,
		unmatched,
		secret: secret.map(([column]) => column),
		ignored: [...columns].filter((column) => !targets.has(column) && !isRowNumber(column)),
		note: generatedKeyNote(contract, operation, lostByChoice),
	};
}

/** Returns the options with which the rows of a run are encoded, once its columns are known. */
export function withColumnsKnown(
	options: EncodeOptions,
	contract: ResourceContract,
	columns: RunColumns | undefined,
): EncodeOptions {
	if (!columns || options.matchBy === undefined) return options;
	const fixed = fixedKeys(contract, matchOf(contract, options));
	const isValue = ({ property }: ColumnTarget) =>
		'wire' in property ? !fixed.includes(property.wire.key) : property !== contract.id;
	return { ...options, hasValueColumns: [...columns.targets.values()].some(isValue) };
}

/** Returns whether a column has the name of its field, so that the hint need not repeat it. */
function isNamed(column: string, { property, inputName, displayName }: ColumnTarget): boolean {
	const key = 'wire' in property ? [property.wire.key] : [];
	const names = [inputName ?? property.name, ...key, displayName];
	return names.some((name) => columnName(name) === columnName(column));
}

/** Returns `Mapped columns: url, slug (Alias). Ignored columns: notes.` */
export function columnsHint(columns: RunColumns): NodeExecutionHint {
	const { targets, ignored, secret, unmatched, note } = columns;
	const mapped = [...targets].map(([column, target]) =>
		isNamed(column, target) ? columnText(column) : `${columnText(column)} (${target.displayName})`,
	);
	const leftOut = ignored.map((column) =>
		secret.includes(column)
			? `${columnText(column)} (only with ${nodeOptions.mapPasswords.displayName})`
			: columnText(column),
	);
	const sentences = [
		`Mapped columns: ${mapped.length > 0 ? columnList(mapped) : 'none'}`,
		...(leftOut.length > 0 ? [`Ignored columns: ${columnList(leftOut)}`] : []),
		...(unmatched.length > 0
			? [
					`In ${inputsToIgnore.displayName}, but in no item: ${columnList(unmatched.map(columnText))}`,
				]
			: []),
		...(note ? [note] : []),
	];
	return { message: `${sentences.join('. ')}.`, location: 'outputPane' };
}
