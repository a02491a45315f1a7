import { type INodeParameters, isExpression } from 'n8n-workflow';
import { type ColumnMap, type ColumnTarget, inputsIn, joinsInputs } from '../contract/columns';
import type { Columns, Problem } from '../contract/types';
import { isBlank, isRecord, quoteText, shorten } from '../contract/values';

/** Returns the expressions in a value of the form, at any depth. */
export function expressionsOf(value: unknown): string[] {
	if (typeof value === 'string') return isExpression(value) ? [value] : [];
	if (Array.isArray(value)) return value.flatMap(expressionsOf);
	return isRecord(value) ? Object.values(value).flatMap(expressionsOf) : [];
}

/** Returns whether a value of the form contains an expression at any depth. */
export const hasExpression = (value: unknown): boolean => expressionsOf(value).length > 0;

/** Returns the value that the form has for the target of a column, or the expression for the whole collection. */
export function formValueOf(
	form: INodeParameters,
	{ property, place, inputName }: ColumnTarget,
): unknown {
	const { name } = property;
	const holder: unknown = place === 'top' ? form : form[place];
	const value = isRecord(holder) ? holder[name] : holder;
	const isWhole = inputName === undefined || !isRecord(value);
	return isWhole ? value : inputsIn(property, value)[inputName];
}

/** Returns a function that returns whether the form has an expression for the target of a column. */
export const expressionsIn =
	(form: INodeParameters) =>
	(target: ColumnTarget): boolean =>
		hasExpression(formValueOf(form, target));

/** Returns the name of a column, shortened. Adds quotes if it could be misread, such as an empty name. */
export function columnText(column: string): string {
	const text = shorten(column);
	const isPlain = /^[\p{L}\p{N}_]([\p{L}\p{N} _.()-]*[\p{L}\p{N}_)])?$/u.test(text);
	return isPlain ? text : quoteText(column);
}

/** Returns whether a problem is about the value for a target. */
function isAbout({ key, input, isRunLevel }: Problem, target: ColumnTarget): boolean {
	const { property, inputName } = target;
	const targetKey = 'wire' in property ? property.wire.key : property.name;
	const isWhole = inputName === undefined || joinsInputs(target);
	return !isRunLevel && key === targetKey && (isWhole || input === inputName);
}

/**
 * Returns the problems of a row. The first problem that comes from a cell has its columns.
 *
 * @param isReplaced returns whether the form has an expression for a target, which takes precedence over the cell
 */
export function withColumnNames(
	problems: readonly Problem[],
	{ targets }: Pick<ColumnMap, 'targets'>,
	cells: Columns,
	isReplaced: (target: ColumnTarget) => boolean,
): Problem[] {
	const used = [...targets].filter(
		([column, target]) => !isBlank(cells[column]) && !isReplaced(target),
	);
	const named = new Set<string>();
	return problems.map((problem) => {
		const columns = used.filter(([, target]) => isAbout(problem, target)).map(([column]) => column);
		const names = columns.join('\n');
		if (columns.length === 0 || named.has(names)) return problem;
		named.add(names);
		return { ...problem, columns };
	});
}
