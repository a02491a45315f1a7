import type { INodeExecutionData } from 'n8n-workflow';
import { isNoPassword } from '../contract/codecs/scalar';
import {
	type ColumnMap,
	columnName,
	type ColumnTarget,
	columnTargets,
	mapColumns,
	similarTargetFinder,
} from '../contract/columns';
import { fixedKeys, formParameters, type RowRun } from '../contract/layout';
import { changesExisting, isPartial, operationTable } from '../contract/operations';
import {
	isBlank,
	isRecord,
	isSecret,
	isTextual,
	isUnset,
	quote,
	unwrapLocator,
} from '../contract/values';
import type { Parameters } from '../contract/types';
import { inputsToIgnore } from '../description/parameters';
import { columnProblemTexts, type LeftOverColumn, type RunColumns } from './columnTexts';
import { settingsError } from './nodeErrors';
import { columnsIn, expressionsIn, formValueOf, isRowNumber, type NodeRun } from './sheet';

/**
 * Returns the columns in Inputs to Ignore. A name matches exactly if the input has such a column.
 *
 * @throws NodeOperationError if the value is not a list of names
 */
export function ignoredColumns({ context, node, items }: NodeRun): ReadonlySet<string> {
	const value: unknown = context.getNodeParameter(inputsToIgnore.name, 0, '');
	const entries: unknown[] = [typeof value === 'string' ? value.split(',') : value].flat();
	const set = entries.filter((entry) => !isUnset(entry));
	if (!set.every(isTextual)) {
		const message = `${inputsToIgnore.displayName} ${quote(value, inputsToIgnore)} is not a list of columns; write it as notes, owner`;
		throw settingsError(node, message);
	}
	const columns = columnsIn(items);
	const names = new Set(set.map((entry) => String(entry).trim()));
	const others = new Set([...names].filter((name) => !columns.has(name)).map(columnName));
	return new Set([...columns].filter((name) => names.has(name) || others.has(columnName(name))));
}

/** What decides which columns a run uses: the settings, the form, the items, and the columns that fill fields. */
interface ColumnRun extends RowRun {
	readonly items: readonly INodeExecutionData[];
	readonly targets: readonly ColumnTarget[];
	readonly map: ColumnMap;
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

/** Returns the columns that look like a field, and have values in rows in which neither a column nor the form fills it. */
function leftOverColumns(run: ColumnRun, columns: readonly string[]): LeftOverColumn[] {
	const { items, targets, map, isInForm, contract } = run;
	const similarTarget = similarTargetFinder(targets);
	const harmless = new Set(contract.output.map(({ name }) => columnName(name)));
	return columns.flatMap((column) => {
		const target = harmless.has(columnName(column)) ? undefined : similarTarget(column);
		if (!target || isInForm(target)) return [];
		const filling = [...map].filter(([, other]) => overlaps(target, other));
		const isLost = ({ json }: INodeExecutionData) =>
			isValue(json[column], target) && !filling.some(([other, to]) => isValue(json[other], to));
		return items.some(isLost) ? [{ column, target }] : [];
	});
}

/** Returns a function that returns whether a column or the form fills the field of a target. */
function fillCheck({ map, isInForm }: ColumnRun): (target: ColumnTarget) => boolean {
	const mapped = new Set([...map.values()].map(({ property }) => property));
	return (target) => mapped.has(target.property) || isInForm(target);
}

/** Returns the required fields that neither a column nor the form fills. */
function missingFields(run: ColumnRun, scope: unknown): ColumnTarget[] {
	const { contract, operation, layout } = run;
	const isFilled = fillCheck(run);
	const { match, fields: laidOut, readsIdentifier: hasIdentifier } = layout;
	const inScope = contract.sync.scope
		.filter(({ name, scope: { isPrefix } }) => !isPrefix && isRecord(scope) && name in scope)
		.map((entry) => entry.scope.field);
	return run.targets.filter((target) => {
		const { property } = target;
		if (isFilled(target)) return false;
		if (hasIdentifier || !('wire' in property)) return hasIdentifier && property === contract.id;
		const isKey = changesExisting(operation) && match.fields?.searchBy === property.wire.key;
		const isRequired = laidOut.some((each) => each.isRequired && each.field === property);
		return (isKey || isRequired) && !inScope.includes(property.name);
	});
}

/** Returns whether neither a column nor the form has a value that an update by Match By would change. */
function changesNothing(run: ColumnRun, form: Parameters): boolean {
	const { contract, operation, layout, options } = run;
	if (!isPartial(operation) || options.matchBy === undefined) return false;
	if (!isBlank(form[formParameters.clearFields.name])) return false;
	const fixed = fixedKeys(contract, layout.match);
	const isFilled = fillCheck(run);
	return !run.targets.some((target) => {
		const { property } = target;
		const isFixed =
			'wire' in property ? fixed.includes(property.wire.key) : property === contract.id;
		return !isFixed && isFilled(target);
	});
}

/** Returns whether a target is the field by which a resource is found, and a create generates it. */
const isGeneratedKey = ({ contract, operation }: RowRun, { property }: ColumnTarget): boolean =>
	operationTable[operation].creates !== undefined &&
	'wire' in property &&
	property.wire.key === contract.key.searchBy;

/**
 * Returns the fields of the columns of all items.
 *
 * @throws NodeOperationError if two columns fill the same field, if nothing fills a required field, if a left-over column looks
 * like a field that nothing fills, or if a column has passwords that are not mapped
 */
export function readColumns(
	{ node, items }: NodeRun,
	rowRun: RowRun,
	ignored: ReadonlySet<string>,
	mapsPasswords: boolean,
): RunColumns {
	const { contract, operation, options } = rowRun;
	const form = node.parameters;
	const columns = [...columnsIn(items)].filter((column) => !isRowNumber(column));
	const usable = columns.filter((column) => !ignored.has(column));
	const targets = columnTargets(contract, operation, options.matchBy);
	const { map: all, conflicts } = mapColumns(targets, usable);
	const isLeftOut = ({ property }: ColumnTarget) => isSecret(property) && !mapsPasswords;
	const secret = [...all].filter(([, target]) => isLeftOut(target));
	const map: ColumnMap = new Map([...all].filter(([, target]) => !isLeftOut(target)));
	const isInForm = (target: ColumnTarget) => !isBlank(unwrapLocator(formValueOf(form, target)));
	const run: ColumnRun = { ...rowRun, items, targets, map, isInForm };
	const isReplaced = expressionsIn(form);
	const hasPasswords = ([column, target]: readonly [string, ColumnTarget]) =>
		!isReplaced(target) && items.some(({ json }) => isValue(json[column], target));
	const missing = missingFields(run, form[formParameters.syncScope.name]);
	const [first] = missing;
	const unused = usable.filter((column) => !all.has(column));
	const problems = columnProblemTexts({
		...{ conflicts, missing, columns, changesNothing: changesNothing(run, form) },
		isInForm:
			first !== undefined && 'wire' in first.property && !!first.property.wire.on[operation],
		leftOver: leftOverColumns(run, unused).filter(({ target }) => !missing.includes(target)),
		passwords: secret.filter(hasPasswords).map(([column]) => column),
	});
	if (problems.length > 0) throw settingsError(node, problems.join(' '));
	const unmapped = columns.filter((column) => !map.has(column));
	return {
		...{ map, ignored: unmapped, secret: secret.map(([column]) => column) },
		unusedKeys: leftOverColumns(run, unmapped).filter(({ target }) => isGeneratedKey(run, target)),
	};
}
