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
 * Returns the problems of a row. A problem that comes from a cell names its column.
 *
 * @param isExpression returns whether the form has an expression for a target, which takes precedence over the cell
 */
export const withColumnNames = (
	problems: readonly Problem[],
	{ targets }: Pick<ColumnMap, 'targets'>,
	cells: Columns,
	isExpression: (target: ColumnTarget) => boolean,
): Problem[] =>
	problems.map((problem) => {
		const columns = [...targets]
			.filter(
				([column, target]) =>
					isAbout(problem, target) && !isExpression(target) && !isBlank(cells[column]),
			)
			.map(([column]) => columnText(column));
		if (columns.length === 0) return problem;
		const names = `${columns.length === 1 ? 'column' : 'columns'} ${columns.join(' and ')}`;
		return {
			...problem,
			reason: `${problem.reason}, or add the ${names} to ${inputsToIgnore.displayName}`,
		};
	});
