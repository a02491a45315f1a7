import type { INodeExecutionData } from 'n8n-workflow';
import { isNoPassword } from '../contract/codecs/scalar';
import {
	type ColumnMap,
	columnName,
	type ColumnTarget,
	type FillableField,
	fillableFields,
	mapColumns,
	similarFieldFinder,
} from '../contract/columns';
import { fixedKeys, formParameters, type RowRun } from '../contract/layout';
import { changesExisting, operationTable } from '../contract/operations';
import type { EncodeOptions } from '../contract/types';
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
import { joinTexts } from './byteLimits';
import { columnText, expressionsIn, formValueOf } from './cells';
import { settingsError } from './nodeErrors';
import { columnsIn, isRowNumber, type NodeRun } from './sheet';

/** The columns in Inputs to Ignore, and its names that no column has. */
export interface IgnoredColumns {
	readonly ignored: ReadonlySet<string>;
	readonly unmatched: readonly string[];
}

/**
 * Reads Inputs to Ignore. A name matches exactly if the input has such a column.
 *
 * @throws NodeOperationError if the value is not a list of names
 */
export function ignoredColumns({ context, node, items }: NodeRun): IgnoredColumns {
	const value: unknown = context.getNodeParameter(inputsToIgnore.name, 0, '');
	const text = typeof value === 'string' ? value.split(',') : [value];
	const list: unknown[] = Array.isArray(value) ? value : text;
	const entries = list.filter((entry) => !isUnset(entry));
	if (!entries.every(isTextual)) {
		const message = `${inputsToIgnore.displayName} ${quote(value, inputsToIgnore)} is not a list of columns; write it as notes, owner`;
		throw settingsError(node, message);
	}
	const columns = columnsIn(items);
	const names = entries.map((entry) => String(entry).trim());
	const others = names.filter((name) => !columns.has(name));
	const normalized = new Set(others.map(columnName));
	const ignored = [...columns].filter(
		(column) => names.includes(column) || normalized.has(columnName(column)),
	);
	const matched = new Set(ignored.map(columnName));
	const unmatched = others.filter((name) => !matched.has(columnName(name)));
	return { ignored: new Set(ignored), unmatched };
}

/** What decides which columns a run uses: the settings, the form, the items, and the columns that fill fields. */
interface ColumnRun extends RowRun {
	readonly items: readonly INodeExecutionData[];
	/** The fields that columns can fill. */
	readonly fields: readonly FillableField[];
	readonly targets: ColumnMap['targets'];
	/** Returns whether the form has a value or an expression for a target. */
	readonly isInForm: (target: ColumnTarget) => boolean;
}

/** Returns whether a cell has a value for a field. A flag or a formula error is no password. */
const isValue = (cell: unknown, { property }: ColumnTarget): boolean =>
	!isBlank(cell) && !(isSecret(property) && isNoPassword(cell));

/** Returns whether two targets are the same field or input, or a field and one of its inputs. */
const overlaps = (one: ColumnTarget, other: ColumnTarget): boolean =>
	one.property === other.property &&
	(one.inputName === other.inputName || !one.inputName || !other.inputName);

/** Returns whether a column has a value for a field in a row in which neither a column nor the form fills the field. */
function isLost({ items, targets, isInForm }: ColumnRun, column: string, target: ColumnTarget) {
	const filling = [...targets].filter(([, other]) => overlaps(target, other));
	const isLostIn = ({ json }: INodeExecutionData) =>
		isValue(json[column], target) && !filling.some(([other, to]) => isValue(json[other], to));
	return !isInForm(target) && items.some(isLostIn);
}

/** Returns the required fields that neither a column nor the form fills. */
function missingFields(run: ColumnRun, scope: unknown): FillableField[] {
	const { contract, operation, layout, targets, isInForm } = run;
	const mapped = new Set([...targets.values()].map(({ property }) => property));
	const { match, fields: laidOut, readsIdentifier: hasIdentifier } = layout;
	const inScope = contract.sync.scope
		.filter(({ name, scope: { isPrefix } }) => !isPrefix && isRecord(scope) && name in scope)
		.map((entry) => entry.scope.field);
	return run.fields.filter(({ target }) => {
		const { property } = target;
		if (mapped.has(property) || isInForm(target)) return false;
		if (hasIdentifier || !('wire' in property)) return hasIdentifier && property === contract.id;
		const isKey = changesExisting(operation) && match.fields?.searchBy === property.wire.key;
		const isRequired = laidOut.some((each) => each.isRequired && each.field === property);
		return (isKey || isRequired) && !inScope.includes(property.name);
	});
}

/** A column that fills no field, and the field that it looks like. */
interface LeftOver {
	readonly column: string;
	readonly field: FillableField;
}

/** Returns the columns that look like a field, and have values in rows in which nothing fills it. */
function leftOverColumns(run: ColumnRun, columns: readonly string[]): LeftOver[] {
	const similarField = similarFieldFinder(run.fields);
	const harmless = new Set(run.contract.output.map(({ name }) => columnName(name)));
	return columns.flatMap((column) => {
		const field = harmless.has(columnName(column)) ? undefined : similarField(column);
		return field && isLost(run, column, field.target) ? [{ column, field }] : [];
	});
}

/** The columns of a run. */
export interface RunColumns extends Pick<ColumnMap, 'targets'>, Pick<IgnoredColumns, 'unmatched'> {
	/** Columns that fill no field. */
	readonly ignored: readonly string[];
	/** Columns for passwords, if the settings do not allow them. */
	readonly secret: readonly string[];
	/** A sentence about what the ignored columns cause; empty if there is nothing to report. */
	readonly note: string;
}

/**
 * Returns the fields of the columns of all items.
 *
 * @throws NodeOperationError if two columns fill the same field, if nothing fills a required field, if a left-over column looks
 * like a field that nothing fills, or if a column has passwords that are not mapped
 */
export function readColumns(
	{ node, items }: NodeRun,
	rowRun: RowRun,
	{ ignored, unmatched }: IgnoredColumns,
	mapsPasswords: boolean,
): RunColumns {
	const { contract, operation, options } = rowRun;
	const form = node.parameters;
	const columns = [...columnsIn(items)].filter((column) => !isRowNumber(column));
	const usable = columns.filter((column) => !ignored.has(column));
	const fields = fillableFields(contract, operation, options.matchBy);
	const { targets: all, conflicts } = mapColumns(fields, usable);
	const [conflict] = conflicts;
	if (conflict) throw settingsError(node, conflictText(conflict));
	const isLeftOut = ({ property }: ColumnTarget) => isSecret(property) && !mapsPasswords;
	const secret = [...all].filter(([, target]) => isLeftOut(target));
	const targets = new Map([...all].filter(([, target]) => !isLeftOut(target)));
	const isInForm = (target: ColumnTarget) => !isBlank(unwrapLocator(formValueOf(form, target)));
	const run: ColumnRun = { ...rowRun, items, fields, targets, isInForm };
	const isReplaced = expressionsIn(form);
	const passwords = secret.filter(
		([column, target]) =>
			!isReplaced(target) && items.some(({ json }) => isValue(json[column], target)),
	);
	const missing = missingFields(run, form[formParameters.syncScope.name]);
	const unused = usable.filter((column) => !all.has(column));
	const leftOver = leftOverColumns(run, unused).filter(({ field }) =>
		missing.every(({ name }) => name !== field.name),
	);
	const problems = [
		...missingText(run, missing, columns),
		...leftOverText(leftOver),
		...passwordText(passwords.map(([column]) => column)),
	];
	if (problems.length > 0) throw settingsError(node, problems.join(' '));
	const unmapped = columns.filter((column) => !targets.has(column));
	return {
		...{ targets, unmatched, ignored: unmapped, secret: secret.map(([column]) => column) },
		note: generatedKeyNote(run, leftOverColumns(run, unmapped)),
	};
}

/** Returns the options with which the rows of a run are encoded, once its columns are known. */
export function withColumnsKnown(
	{ contract, options, layout }: RowRun,
	columns: RunColumns | undefined,
): EncodeOptions {
	if (!columns || options.matchBy === undefined) return options;
	const fixed = fixedKeys(contract, layout.match);
	const isValueOf = ({ property }: ColumnTarget) =>
		'wire' in property ? !fixed.includes(property.wire.key) : property !== contract.id;
	return { ...options, hasValueColumns: [...columns.targets.values()].some(isValueOf) };
}

/** Max bytes of the names of columns in an error or a hint. */
const maxNames = 500;

/** Max number of columns in an error that suggests what to do with each. */
const maxSuggested = 4;

/** Returns the names of columns, up to the max size of an error or a hint. */
const columnList = (columns: readonly string[]): string => joinTexts(columns, ', ', maxNames);

/** Returns `a`, `a and b`, or `a, b and c`. */
const joined = (texts: readonly string[]): string =>
	texts.length < 2 ? texts.join('') : `${texts.slice(0, -1).join(', ')} and ${texts.at(-1)}`;

/** Returns the names of columns in quotes, and the number of those that are too many to name. */
function quotedColumns(columns: readonly string[]): string {
	const more = columns.length - maxSuggested;
	const names = columns.slice(0, maxSuggested).map(quoteText);
	return joined(more > 0 ? [...names, `${more} more`] : names);
}

const conflictText = ({ columns, displayName }: ColumnMap['conflicts'][number]): string =>
	`The columns ${quotedColumns(columns)} both fill ${displayName}; keep one of them, or add the other to ${inputsToIgnore.displayName}`;

/** Returns the sentences about required fields that no column fills. */
function missingText(
	{ operation }: ColumnRun,
	missing: readonly FillableField[],
	columns: readonly string[],
): string[] {
	const [first] = missing;
	if (!first) return [];
	const { property } = first.target;
	const isInForm = 'wire' in property && property.wire.on[operation] !== undefined;
	const remedy = isInForm ? 'set the field in the form' : 'choose another Match By';
	const names = joined(missing.map(({ name }) => name));
	const labels = joined(missing.map(({ target }) => target.displayName));
	const [column, them] = missing.length === 1 ? ['column', 'one'] : ['columns', 'them'];
	const came = columnList(columns.map(columnText)) || 'none';
	const rename = columns.length > 0 ? `Rename ${them} to` : `Add the ${column}`;
	return [
		`No column fills ${labels}. Columns that came: ${came}. ${rename} ${names}, or ${remedy}.`,
	];
}

/** Returns the sentences about left-over columns that look like fields. */
function leftOverText(leftOver: readonly LeftOver[]): string[] {
	if (leftOver.length === 0) return [];
	const columns = quotedColumns(leftOver.map(({ column }) => column));
	const names = [...new Set(leftOver.slice(0, maxSuggested).map(({ field }) => field.name))];
	const [start, them] =
		leftOver.length === 1 ? [`Column ${columns} is`, 'it'] : [`Columns ${columns} are`, 'them'];
	const each = names.length === 1 ? 'one of them' : 'one each';
	const target = leftOver.length === names.length ? them : each;
	return [
		`${start} not used. Add ${them} to ${inputsToIgnore.displayName}, or rename ${target} to ${joined(names)}.`,
	];
}

/** Returns the sentence about columns with passwords that are not mapped. It quotes no value. */
function passwordText(columns: readonly string[]): string[] {
	if (columns.length === 0) return [];
	const names = columnList(columns.map(columnText));
	const [start, them] =
		columns.length === 1
			? [`The column ${names} contains passwords and is`, 'it']
			: [`The columns ${names} contain passwords and are`, 'them'];
	return [
		`${start} not mapped. Add ${nodeOptions.mapPasswords.displayName} under Options, or add ${them} to ${inputsToIgnore.displayName}.`,
	];
}

/** Returns a note if new resources get a generated key, although an ignored column may have it. */
function generatedKeyNote({ contract, operation }: ColumnRun, leftOver: readonly LeftOver[]) {
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

/** Returns the name of a column, and of its field if it differs. */
function mappingText([column, target]: readonly [string, ColumnTarget]): string {
	const { property, inputName, displayName } = target;
	const key = 'wire' in property ? property.wire.key : displayName;
	const names = [inputName ?? property.name, key, displayName].map(columnName);
	const isNamed = names.includes(columnName(column));
	return isNamed ? columnText(column) : `${columnText(column)} (${displayName})`;
}

/** Returns `Mapped columns: url, slug (Alias). Ignored columns: notes.` */
export function columnsHint({ targets, ignored, secret, unmatched, note }: RunColumns): string {
	const passwords = `(only with ${nodeOptions.mapPasswords.displayName})`;
	const leftOut = ignored.map((column) =>
		secret.includes(column) ? `${columnText(column)} ${passwords}` : columnText(column),
	);
	const lists: Array<[label: string, names: readonly string[]]> = [
		['Mapped columns', targets.size > 0 ? [...targets].map(mappingText) : ['none']],
		['Ignored columns', leftOut],
		[`In ${inputsToIgnore.displayName}, but in no item`, unmatched.map(columnText)],
	];
	const sentences = lists
		.filter(([, names]) => names.length > 0)
		.map(([label, names]) => `${label}: ${columnList(names)}`);
	return `${[...sentences, ...(note ? [note] : [])].join('. ')}.`;
}
