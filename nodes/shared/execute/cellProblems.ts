import { joinsInputs, type ColumnMap, type ColumnTarget } from '../contract/columns';
import type { Problem } from '../contract/encodedRow';
import type { Columns } from '../contract/types';
import { isBlank } from '../contract/values';
import { inputsToIgnore } from '../description/parameters';
import { columnText } from './columnErrors';

/** Returns whether a problem is about the value for a target. */
function isAbout({ key, reason, isRunLevel }: Problem, target: ColumnTarget): boolean {
	const { property, inputName } = target;
	const isSameKey = key === ('wire' in property ? property.wire.key : property.name);
	const isSameInput = inputName === undefined || joinsInputs(target) || reason.includes(inputName);
	return isSameKey && isSameInput && !isRunLevel;
}

/**
 * Returns the problems of a row. The first problem that comes from a cell names its column.
 *
 * @param isExpression returns whether the form has an expression for a target, which takes precedence over the cell
 */
export const withColumnNames = (
	problems: readonly Problem[],
	{ targets }: Pick<ColumnMap, 'targets'>,
	cells: Columns,
	isExpression: (target: ColumnTarget) => boolean,
): Problem[] => {
	const used = [...targets].filter(
		([column, target]) => !isBlank(cells[column]) && !isExpression(target),
	);
	const named = new Set<string>();
	return problems.map((problem) => {
		const columns = used.filter(([, target]) => isAbout(problem, target));
		const names = columns.map(([column]) => columnText(column)).join(' and ');
		if (columns.length === 0 || named.has(names)) return problem;
		named.add(names);
		const remedy = `or add the ${columns.length === 1 ? 'column' : 'columns'} ${names} to ${inputsToIgnore.displayName}`;
		const joint = problem.reason.includes(';') ? ',' : ';';
		return { ...problem, reason: `${problem.reason}${joint} ${remedy}` };
	});
};
