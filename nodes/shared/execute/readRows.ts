import { sleep } from 'n8n-workflow';
import {
	type ColumnMap,
	type ColumnTarget,
	joinsInputs,
	withColumnValues,
} from '../contract/columns';
import { sentTextOf } from '../contract/encodedRow';
import { draftRow, finishRow, type RowDraft } from '../contract/encode';
import { oneLine } from '../contract/text';
import { isOfScope, type RowRun } from '../contract/layout';
import { collectNames, nameFinder, type RequestedNames } from '../contract/names';
import { hasScope } from '../contract/operations';
import { scopeText } from '../contract/scope';
import type { Columns, FormParameter, Parameters, Problem } from '../contract/types';
import { isBlank, isRecord, shorten } from '../contract/values';
import type { ReadNames } from '../operations/list';
import type { Row } from './outcome';
import { expressionsIn, hasExpression, type NodeRun } from './sheet';

/** How the rows of a run are read. */
export interface Reading extends RowRun {
	/** Undefined if all values come from the form. */
	readonly columns?: ColumnMap;
	/** Reads the lists of the names that rows contain. */
	readonly readNames: (requested: RequestedNames) => Promise<ReadNames>;
}

/** Number of rows between two pauses. */
const batchSize = 100;

/** Lets n8n do other work between many rows. This is the only pause outside of the rate limiter. */
export async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batchSize === batchSize - 1) await sleep(0);
}

/** The parameters of one row that could be read, and the problems with the others. */
interface RowParameters {
	readonly values: Parameters;
	readonly failed: readonly Problem[];
}

/** Reads parameters of one row. An expression that fails becomes a problem of the row. */
function readParameters(
	{ context }: NodeRun,
	properties: readonly FormParameter[],
	index: number,
): RowParameters {
	const values: Record<string, unknown> = {};
	const failed: Problem[] = [];
	for (const property of properties) {
		const { name: key, displayName: field } = property;
		try {
			// A parameter that another one hides has no value; the empty text means "not set".
			values[key] = context.getNodeParameter(key, index, '');
		} catch (error) {
			const hasMessage = isRecord(error) && typeof error.message === 'string';
			const reason = hasMessage ? shorten(String(error.message), 200) : 'n8n reports no reason';
			const what = `has an expression that fails (${reason}); correct the expression`;
			failed.push({ field, key, what, ...(isOfScope(property) && { isRunLevel: true }) });
		}
	}
	return { values, failed };
}

/**
 * Returns a reader of the parameters of a row. It reads a parameter without an expression once for all rows, and a collection as
 * a whole.
 */
function parameterReader(run: NodeRun, { layout, options, columns }: Reading) {
	const form = run.node.parameters;
	const { parameters, collections } = layout;
	const hasOwn = (property: FormParameter) => hasExpression(form[property.name]);
	const varying = parameters.filter(hasOwn);
	const fixed = readParameters(
		run,
		parameters.filter((property) => !hasOwn(property)),
		0,
	);
	const isExpression = expressionsIn(form);
	return (index: number): RowParameters => {
		const own = readParameters(run, varying, index);
		const values = { ...fixed.values, ...own.values };
		const cells = run.items[index]?.json ?? {};
		const mapped = { collections, options, parameters: values, cells, isExpression };
		return {
			values: columns ? withColumnValues({ ...mapped, columns }) : values,
			failed: [...fixed.failed, ...own.failed],
		};
	};
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
function withColumnNames(
	problems: readonly Problem[],
	map: ColumnMap,
	cells: Columns,
	isReplaced: (target: ColumnTarget) => boolean,
): Problem[] {
	const used = [...map].filter(
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

/** Max number of characters of the name of a row. */
const maxName = 40;

/**
 * Returns a function that completes a row with the IDs of its names. The problems of a row name the columns of their values. If
 * each problem is a name of a list that could not be read, the row has the reason.
 */
function rowCompleter(run: NodeRun, { operation, columns }: Reading, names: ReadNames) {
	const isExpression = expressionsIn(run.node.parameters);
	const find = nameFinder(names.lists);
	return (index: number, draft: RowDraft): Row => {
		const { row, problems } = finishRow(draft, find);
		const isGenerated = row.fields.some(({ isRandom }) => isRandom) && problems.length > 0;
		const text = isGenerated ? undefined : sentTextOf(row, row.contract.key.searchBy);
		const name = shorten(oneLine(text ?? '').trim(), maxName) || undefined;
		const isScopeKnown = hasScope(operation) && !problems.some(({ isRunLevel }) => isRunLevel);
		const known = { index, name, scope: isScopeKnown ? scopeText(row.scope) : undefined };
		if (problems.length === 0) return { ...known, encoded: row };
		const reasons = problems.map(
			({ unreadNames }) => unreadNames && names.failures.get(unreadNames),
		);
		const unreadNames = reasons.includes(undefined) ? undefined : reasons[0];
		if (!columns || unreadNames) return { ...known, unreadNames, encoded: problems };
		const cells = run.items[index]?.json ?? {};
		return { ...known, encoded: withColumnNames(problems, columns, cells, isExpression) };
	};
}

/**
 * Reads and encodes all rows before anything is written. If rows contain names instead of IDs, it then reads the lists of these
 * names. If a list cannot be read, the rows that need it are invalid.
 *
 * @throws ServiceError if the run ends before the names are read
 */
export async function readRows(run: NodeRun, reading: Reading): Promise<Row[]> {
	const read = parameterReader(run, reading);
	const requested: RequestedNames = new Map();
	const drafts: RowDraft[] = [];
	for (const [position, index] of run.rows.entries()) {
		await yieldBetweenBatches(position);
		const { values, failed } = read(index);
		const { row, problems } = draftRow(reading, values);
		// The other values of a row with a failed expression are unknown, but not the scope.
		const ofScope = problems.filter(({ isRunLevel }) => isRunLevel);
		drafts.push({ row, problems: failed.length > 0 ? [...failed, ...ofScope] : problems });
		collectNames([...row.fields, ...row.changes, ...row.scope], requested);
	}
	const unread: ReadNames = { lists: new Map(), failures: new Map() };
	const names = requested.size > 0 ? await reading.readNames(requested) : unread;
	const complete = rowCompleter(run, reading, names);
	const rows: Row[] = [];
	for (const [position, draft] of drafts.entries()) {
		await yieldBetweenBatches(position);
		rows.push(complete(run.rows[position] ?? 0, draft));
	}
	return rows;
}
