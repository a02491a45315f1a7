import { sleep, type IExecuteFunctions } from 'n8n-workflow';
import { withColumnValues, type ColumnMap } from '../contract/columns';
import type { RowRun } from '../contract/encodeContext';
import { collectRowNames, draftRow, finishRow, type RowDraft } from '../contract/encodeRow';
import type { Problem, Columns, FormParameter, Parameters } from '../contract/types';
import { oneLine } from '../contract/text';
import { sentTextOf, type EncodedRow } from '../contract/encodedRow';
import { isOfScope, layoutOf } from '../contract/formLayout';
import { nameFinder, type FindName, type RequestedNames } from '../contract/names';
import { hasScope } from '../contract/operations';
import { scopeText } from '../contract/scope';
import { isRecord, shorten } from '../contract/values';
import type { ReadNames } from '../operations/readNames';
import type { Failure } from '../transport/failures';
import { expressionsIn, hasExpression, withColumnNames } from './cells';

/** One input item: its encoded values, or its problems. */
export interface Row {
	/** Index of the input item. */
	readonly index: number;
	readonly encoded: EncodedRow | readonly Problem[];
	/** The alias or name of the row, so that the user finds it in the sheet. */
	readonly name?: string;
	/** Index of an earlier row with identical values. */
	readonly duplicateOf?: number;
	/** The scope of a Sync row that cannot be encoded, as text; undefined if the scope itself is invalid. */
	readonly scope?: string;
	/** Why a list of names could not be read, if the row is valid apart from these names. */
	readonly unreadNames?: Failure;
}

/** How the rows of a run are read. */
export interface Reading extends RowRun {
	/** Indexes of the input items that are rows. */
	readonly rows: readonly number[];
	/** The targets of the columns; undefined if all values come from the form. */
	readonly columns?: Pick<ColumnMap, 'targets'>;
	/** Reads the lists of the names that rows contain. */
	readonly readNames: (requested: RequestedNames) => Promise<ReadNames>;
}

/** Number of rows between two pauses. */
const batchSize = 100;

/** Lets n8n do other work between many rows. This is the only pause outside of the rate limiter. */
export async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batchSize === batchSize - 1) await sleep(0);
}

/** The value of one parameter, or the problem with it. */
type ParameterRead = { readonly value: unknown } | { readonly problem: Problem };

/** Reads one parameter of one row. An expression that fails becomes a problem of the row. */
function readParameter(
	context: IExecuteFunctions,
	property: FormParameter,
	index: number,
): ParameterRead {
	const { name: key, displayName: field } = property;
	try {
		// A parameter that another one hides has no value; the empty text means "not set".
		return { value: context.getNodeParameter(key, index, '') };
	} catch (error) {
		const hasMessage = isRecord(error) && typeof error.message === 'string';
		const reason = hasMessage ? shorten(String(error.message), 200) : 'n8n reports no reason';
		const what = `has an expression that fails (${reason}); correct the expression`;
		const problem: Problem = { field, key, what };
		return { problem: isOfScope(property) ? { ...problem, isRunLevel: true } : problem };
	}
}

/** The parameters of one row that could be read, and the problems with the others. */
interface RowParameters {
	readonly values: Parameters;
	readonly failed: readonly Problem[];
}

/**
 * Returns a reader of the parameters of a row. It reads a parameter without an expression once for all rows, and a collection as
 * a whole.
 */
function parameterReader(
	context: IExecuteFunctions,
	{ contract, operation, options, columns }: Reading,
): (index: number, cells: Columns) => RowParameters {
	const form = context.getNode().parameters;
	const { parameters, collections } = layoutOf(contract, operation, options);
	const once = new Map<FormParameter, ParameterRead>();
	for (const property of parameters) {
		if (!hasExpression(form[property.name]))
			once.set(property, readParameter(context, property, 0));
	}
	const isExpression = expressionsIn(form);
	return (index, cells) => {
		const failed: Problem[] = [];
		const values: Record<string, unknown> = {};
		for (const property of parameters) {
			const read = once.get(property) ?? readParameter(context, property, index);
			if ('problem' in read) failed.push(read.problem);
			else values[property.name] = read.value;
		}
		const mapped = { collections, options, parameters: values, cells, isExpression };
		return { values: columns ? withColumnValues({ ...mapped, columns }) : values, failed };
	};
}

/** Returns the problems with parameters, and those with the scope of a row whose other values are unknown. */
const withRunLevel = (failed: readonly Problem[], problems: readonly Problem[]) =>
	failed.some(({ isRunLevel }) => isRunLevel)
		? failed
		: [...failed, ...problems.filter(({ isRunLevel }) => isRunLevel)];

/** A row that is complete apart from the IDs of its names. */
interface OpenRow {
	readonly index: number;
	readonly draft: RowDraft;
}

/** Returns why a list of names could not be read, if each problem of a row is a name of such a list. */
function unreadNamesOf(
	problems: readonly Problem[],
	failures: ReadNames['failures'],
): Failure | undefined {
	const reasons = problems.map(({ unreadNames }) => unreadNames && failures.get(unreadNames));
	return reasons.includes(undefined) ? undefined : reasons[0];
}

/** Returns a function that completes a row. The problems of a row name the columns of their values. */
function rowCompleter(context: IExecuteFunctions, { operation, columns }: Reading) {
	const isExpression = expressionsIn(context.getNode().parameters);
	const items = context.getInputData();
	return ({ index, draft }: OpenRow, find?: FindName, failures?: ReadNames['failures']): Row => {
		const { row, problems } = finishRow(draft, find);
		const text =
			row.isKeyRandom && problems.length > 0 ? '' : sentTextOf(row, row.contract.key.searchBy);
		const name = oneLine(text ?? '').trim() || undefined;
		if (problems.length === 0) return { index, name, encoded: row };
		const isScopeKnown = hasScope(operation) && !problems.some(({ isRunLevel }) => isRunLevel);
		const scope = isScopeKnown ? scopeText(row.scope) : undefined;
		const unreadNames = failures && unreadNamesOf(problems, failures);
		if (!columns || unreadNames) return { index, name, scope, unreadNames, encoded: problems };
		const cells = items[index]?.json ?? {};
		return { index, name, scope, encoded: withColumnNames(problems, columns, cells, isExpression) };
	};
}

/**
 * Reads and encodes all rows before anything is written. If rows contain names instead of IDs, it then reads the lists of these
 * names. If a list cannot be read, the rows that need it are invalid.
 *
 * @throws ServiceError if the run ends before the names are read
 */
export async function readRows(context: IExecuteFunctions, reading: Reading): Promise<Row[]> {
	const read = parameterReader(context, reading);
	const complete = rowCompleter(context, reading);
	const items = context.getInputData();
	const requested: RequestedNames = new Map();
	const rows: Row[] = [];
	const open: Array<OpenRow & { readonly position: number }> = [];
	for (const [position, index] of reading.rows.entries()) {
		await yieldBetweenBatches(position);
		const { values, failed } = read(index, items[index]?.json ?? {});
		const { row, problems } = draftRow(reading, values);
		const draft = { row, problems: failed.length > 0 ? withRunLevel(failed, problems) : problems };
		if (collectRowNames(row, requested)) open.push({ position, index, draft });
		else rows[position] = complete({ index, draft });
	}
	if (open.length === 0) return rows;
	const { lists, failures } = await reading.readNames(requested);
	const find = nameFinder(lists);
	for (const [count, row] of open.entries()) {
		await yieldBetweenBatches(count);
		rows[row.position] = complete(row, find, failures);
	}
	return rows;
}
