import type { IExecuteFunctions, INodeParameters } from 'n8n-workflow';
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
import { formParameters, layoutOf } from '../contract/formLayout';
import { fixedKeys, matchOf, readsIdentifier } from '../contract/matchBy';
import { changesExisting, operationTable } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import type { EncodeOptions, OperationName } from '../contract/types';
import {
	isBlank,
	isRecord,
	isSecret,
	isTextual,
	isUnset,
	quote,
	quoteText,
	unwrapLocator,
} from '../contract/values';
import { nodeOptions } from '../description/nodeOptions';
import { inputsToIgnore } from '../description/parameters';
import { cutText } from './byteLimits';
import { columnText, expressionsIn, formValueOf } from './cells';
import { settingsError } from './nodeErrors';
import type { RunOptions } from './options';
import { isRowNumber } from './rowNumbers';

/** Max number of columns in an error or a hint, and max bytes of their names. */
const maxColumnsNamed = 30;
const maxNames = 500;

/** Max number of columns in an error that suggests what to do with each. */
const maxSuggested = 4;

/** Joins texts with commas, cut to the max size of an error or a hint. */
function columnList(columns: readonly string[]): string {
	const more = columns.length - maxColumnsNamed;
	const names = cutText(columns.slice(0, maxColumnsNamed).join(', '), maxNames);
	return `${names}${more > 0 ? ` and ${more} more` : ''}`;
}

/** Returns `a`, `a and b`, or `a, b and c`. */
const joined = (texts: readonly string[]): string =>
	texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Returns the names of columns in quotes, and the number of those that are too many to name. */
function quotedColumns(columns: readonly string[]): string {
	const more = columns.length - maxSuggested;
	const names = columns.slice(0, maxSuggested).map(quoteText);
	return joined(more > 0 ? [...names, `${more} more`] : names);
}

/**
 * Returns the columns in Inputs to Ignore, and its names that no column has. A name matches exactly if the input has such a
 * column.
 *
 * @throws NodeOperationError if the value is not a list of names
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

/** What decides which columns a run uses: the settings, the form and the items. */
interface ColumnRun {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	readonly options: EncodeOptions;
	readonly form: INodeParameters;
	readonly items: ReturnType<IExecuteFunctions['getInputData']>;
	/** The fields that columns can fill. */
	readonly fields: readonly FillableField[];
	readonly targets: ColumnMap['targets'];
}

/** Returns whether a cell has a value for a field. A flag or a formula error is no password. */
const isValue = (cell: unknown, { property }: ColumnTarget): boolean =>
	!isBlank(cell) && !(isSecret(property) && isNoPassword(cell));

/** Returns whether a column has a value for a field. */
const hasValue = ({ items }: ColumnRun, column: string, target: ColumnTarget): boolean =>
	items.some(({ json: { [column]: cell } }) => isValue(cell, target));

/** Returns whether the form has a value or an expression for a target. */
const isInForm = ({ form }: ColumnRun, target: ColumnTarget): boolean =>
	!isBlank(unwrapLocator(formValueOf(form, target)));

/** Returns whether a column has a value for a field in a row in which neither a column nor the form fills the field. */
function isLost(run: ColumnRun, column: string, { target }: FillableField): boolean {
	const { property, inputName } = target;
	const isSame = (other: ColumnTarget) =>
		other.property === property &&
		(inputName === undefined || other.inputName === undefined || other.inputName === inputName);
	const filling = [...run.targets].filter(([, other]) => isSame(other));
	return (
		!isInForm(run, target) &&
		run.items.some(
			({ json }) =>
				isValue(json[column], target) &&
				!filling.some(([other, otherTarget]) => isValue(json[other], otherTarget)),
		)
	);
}

/** A required field that neither a column nor the form fills, and what to do instead of adding a column. */
interface MissingField {
	readonly displayName: string;
	readonly name: string;
	readonly remedy: string;
}

/** Returns the required fields that neither a column nor the form fills. */
function missingFields(run: ColumnRun): MissingField[] {
	const { contract, operation, options, fields, targets, form } = run;
	const mapped = new Set([...targets.values()].map(({ property }) => property));
	const { match, fields: laidOut } = layoutOf(contract, operation, options);
	const otherMatch = 'choose another Match By';
	if (readsIdentifier(operation, contract, options)) {
		const isMissing = options.matchBy !== undefined && !mapped.has(contract.id);
		return isMissing ? [{ displayName: match.name, name: match.value, remedy: otherMatch }] : [];
	}
	const scope = form[formParameters.syncScope.name];
	const inScope = contract.sync.scope
		.filter(({ name, scope: { isPrefix } }) => !isPrefix && isRecord(scope) && name in scope)
		.map((entry) => entry.scope.field);
	return fields.flatMap(({ name, target }) => {
		const { property, displayName } = target;
		if (!('wire' in property) || mapped.has(property) || isInForm(run, target)) return [];
		const { key, on } = property.wire;
		const isKey = changesExisting(operation) && match.fields?.searchBy === key;
		const isNeeded =
			isKey || laidOut.some(({ field, isRequired }) => isRequired && field === property);
		const remedy = on[operation] ? 'set the field in the form' : otherMatch;
		return isNeeded && !inScope.includes(property.name) ? [{ displayName, name, remedy }] : [];
	});
}

/** Returns the sentences about required fields that no column fills; empty without such a field. */
function missingText(missing: readonly MissingField[], columns: readonly string[]): string {
	const [first] = missing;
	if (!first) return '';
	const names = joined(missing.map(({ name }) => name));
	const labels = joined(missing.map(({ displayName }) => displayName));
	const [column, them] = missing.length === 1 ? ['column', 'one'] : ['columns', 'them'];
	const hasColumns = columns.length > 0;
	const came = hasColumns ? columnList(columns.map(columnText)) : 'none';
	const rename = hasColumns ? `Rename ${them} to` : `Add the ${column}`;
	return `No column fills ${labels}. Columns that came: ${came}. ${rename} ${names}, or ${first.remedy}.`;
}

/** A column that fills no field, and the field that it looks like. */
interface LeftOver {
	readonly column: string;
	readonly field: FillableField;
}

/** Returns the columns that look like a field, and have values in rows in which nothing fills it. */
function leftOverColumns(run: ColumnRun, columns: Iterable<string>): LeftOver[] {
	const similarField = similarFieldFinder(run.fields);
	const harmless = new Set(
		run.contract.output.flatMap(({ name, displayName }) => [name, displayName]).map(columnName),
	);
	return [...columns].flatMap((column) => {
		const field = harmless.has(columnName(column)) ? undefined : similarField(column);
		return field && isLost(run, column, field) ? [{ column, field }] : [];
	});
}

/** Returns the sentences about left-over columns that look like fields; empty without such a column. */
function leftOverText(leftOver: readonly LeftOver[]): string {
	if (leftOver.length === 0) return '';
	const columns = quotedColumns(leftOver.map(({ column }) => column));
	const names = [...new Set(leftOver.slice(0, maxSuggested).map(({ field }) => field.name))];
	const each =
		leftOver.length === names.length ? 'them' : names.length === 1 ? 'one of them' : 'one each';
	const [noun, is, them, target] =
		leftOver.length === 1 ? ['Column', 'is', 'it', 'it'] : ['Columns', 'are', 'them', each];
	return `${noun} ${columns} ${is} not used. Add ${them} to ${inputsToIgnore.displayName}, or rename ${target} to ${joined(names)}.`;
}

/** Returns the sentence about columns with passwords that are not mapped; empty without such a column. It quotes no value. */
function passwordText(columns: readonly string[]): string {
	if (columns.length === 0) return '';
	const [noun, contain, them] =
		columns.length === 1
			? ['column', 'contains passwords and is', 'it']
			: ['columns', 'contain passwords and are', 'them'];
	return `The ${noun} ${columnList(columns.map(columnText))} ${contain} not mapped. Add ${nodeOptions.mapPasswords.displayName} under Options, or add ${them} to ${inputsToIgnore.displayName}.`;
}

/** Returns a note if new resources get a generated key, although an ignored column may have it. */
function generatedKeyNote(
	{ contract, operation }: ColumnRun,
	leftOver: readonly LeftOver[],
): string {
	const keys = leftOver.filter(
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
	{ encode: options, mapPasswords }: RunOptions,
): RunColumns {
	const node = context.getNode();
	const items = context.getInputData();
	const columns = new Set(items.flatMap(({ json }) => Object.keys(json)));
	const { ignored, unmatched } = ignoredColumns(context, columns);
	const named = [...columns].filter((column) => !isRowNumber(column));
	const usable = named.filter((column) => !ignored.has(column));
	const fields = fillableFields(contract, operation, options.matchBy);
	const { targets: all, conflicts } = mapColumns(fields, usable);
	const [conflict] = conflicts;
	if (conflict) {
		const both = `The columns ${quotedColumns(conflict.columns)} both fill ${conflict.displayName}`;
		const remedy = `keep one of them, or add the other to ${inputsToIgnore.displayName}`;
		throw settingsError(node, `${both}; ${remedy}`);
	}
	const isLeftOut = ({ property }: ColumnTarget) => isSecret(property) && !mapPasswords;
	const secret = [...all].filter(([, target]) => isLeftOut(target));
	const targets = new Map([...all].filter(([, target]) => !isLeftOut(target)));
	const run = { contract, operation, options, items, fields, targets, form: node.parameters };
	const isReplaced = expressionsIn(node.parameters);
	const passwords = secret.filter(
		([column, target]) => !isReplaced(target) && hasValue(run, column, target),
	);
	const missing = missingFields(run);
	const leftOver = leftOverColumns(
		run,
		usable.filter((column) => !all.has(column)),
	).filter(({ field }) => missing.every(({ name }) => name !== field.name));
	const problems = [
		missingText(missing, named),
		leftOverText(leftOver),
		passwordText(passwords.map(([column]) => column)),
	].filter((text) => text !== '');
	if (problems.length > 0) throw settingsError(node, problems.join(' '));
	return {
		targets,
		unmatched,
		secret: secret.map(([column]) => column),
		ignored: named.filter((column) => !targets.has(column)),
		note: generatedKeyNote(run, leftOverColumns(run, ignored)),
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
export function columnsHint(columns: RunColumns): string {
	const { targets, ignored, secret, unmatched, note } = columns;
	const mapped = [...targets].map(([column, target]) =>
		isNamed(column, target) ? columnText(column) : `${columnText(column)} (${target.displayName})`,
	);
	const leftOut = ignored.map((column) =>
		secret.includes(column)
			? `${columnText(column)} (only with ${nodeOptions.mapPasswords.displayName})`
			: columnText(column),
	);
	const lists: Array<[label: string, columns: readonly string[]]> = [
		['Mapped columns', mapped.length > 0 ? mapped : ['none']],
		['Ignored columns', leftOut],
		[`In ${inputsToIgnore.displayName}, but in no item`, unmatched.map(columnText)],
	];
	const sentences = lists
		.filter(([, names]) => names.length > 0)
		.map(([label, names]) => `${label}: ${columnList(names)}`);
	return `${[...sentences, ...(note ? [note] : [])].join('. ')}.`;
}
