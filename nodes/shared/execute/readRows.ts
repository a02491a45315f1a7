import { sleep } from 'n8n-workflow';
import { type RunColumns, withColumnNames, withColumnValues } from '../contract/columns';
import { comparableValues, identifierOf } from '../contract/compare';
import { draftRow, finishRow, type RowDraft } from '../contract/encode';
import { fieldsNamed, isEncoded, secretsOf, sentTextOf } from '../contract/encodedRow';
import { oneLine } from '../contract/text';
import { isOfScope, type RowRun } from '../contract/layout';
import { collectNames, nameFinder, type RequestedNames } from '../contract/names';
import { hasScope, operationTable } from '../contract/operations';
import type { EncodedField, EncodedRow } from '../contract/resourceTypes';
import { scopeText } from '../contract/scope';
import type { FormParameter, Problem } from '../contract/types';
import { isRecord, shorten } from '../contract/values';
import type { ReadNames } from '../operations/list';
import { passwordMask } from '../transport/secrets';
import type { Row } from './outcome';
import { hasExpression, type NodeRun, type RowNumbers } from './sheet';

/** How the rows of a run are read. */
export interface Reading extends RowRun {
	/** Undefined if all values come from the form. */
	readonly columns?: RunColumns;
	/** Reads the lists of the names that rows contain. */
	readonly readNames: (requested: RequestedNames) => Promise<ReadNames>;
}

/** Number of rows between two pauses. */
const batchSize = 100;

/** Lets n8n do other work between many rows. This is the only pause outside of the rate limiter. */
export async function yieldBetweenBatches(index: number): Promise<void> {
	if (index % batchSize === batchSize - 1) await sleep(0);
}

/** Returns the parameters of one row that could be read, and the problems with expressions that fail. */
export function readParameters(
	{ context }: NodeRun,
	properties: readonly FormParameter[],
	index: number,
) {
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
function parameterReader(run: NodeRun, reading: Reading) {
	const { layout, columns } = reading;
	const varying = layout.parameters.filter(({ name }) => hasExpression(run.node.parameters[name]));
	const fixed = layout.parameters.filter((property) => !varying.includes(property));
	const { values, failed } = readParameters(run, fixed, 0);
	const mapped = [...(columns?.map ?? [])];
	return (index: number) => {
		const own = readParameters(run, varying, index);
		const all = { ...values, ...own.values };
		const cells = run.items[index]?.json ?? {};
		// Extract from File leaves out empty cells.
		const lacked = mapped.filter(([column]) => !Object.hasOwn(cells, column));
		return {
			values: columns ? withColumnValues(reading, columns, all, cells) : all,
			lacked: new Set(lacked.map(([, { property }]) => property)),
			failed: [...failed, ...own.failed],
		};
	};
}

/** Max number of characters of the name of a row. */
const maxName = 40;

/**
 * Returns a function that completes a row with the IDs of its names. The problems of a row name the columns of their values. If
 * each problem is a name of a list that could not be read, the row has the reason.
 */
function rowCompleter(run: NodeRun, { operation, columns }: Reading, names: ReadNames) {
	const find = nameFinder(names.lists);
	return (index: number, draft: RowDraft): Row => {
		const { row, problems: found } = finishRow(draft, find);
		const isGenerated = row.fields.some(({ isRandom }) => isRandom) && found.length > 0;
		const text = isGenerated ? undefined : sentTextOf(row, row.contract.key.searchBy);
		const name = shorten(oneLine(text ?? '').trim(), maxName) || undefined;
		const isScopeKnown = hasScope(operation) && !found.some(({ isRunLevel }) => isRunLevel);
		const known = { index, name, scope: isScopeKnown ? scopeText(row.scope) : undefined };
		if (found.length === 0) return { ...known, encoded: row };
		// Another cell may contain the password by mistake.
		const { json } = passwordMask(secretsOf(row));
		const problems = json(found, JSON.stringify(found)) as typeof found;
		const reasons = problems.map(({ unreadNames: list }) => list && names.failures.get(list));
		const unreadNames = reasons.includes(undefined) ? undefined : reasons[0];
		if (!columns || unreadNames) return { ...known, unreadNames, encoded: problems };
		return { ...known, encoded: withColumnNames(problems, columns, run.items[index]?.json ?? {}) };
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
		const { values, failed, lacked } = read(index);
		const { row, problems } = draftRow({ ...reading, lacked }, values);
		// The other values of a row with a failed expression are unknown, but not the scope.
		const ofScope = problems.filter(({ isRunLevel }) => isRunLevel);
		drafts.push({ row, problems: failed.length > 0 ? [...failed, ...ofScope] : problems });
		collectNames([...row.fields, ...row.changes, ...row.scope], requested);
	}
	const unread: ReadNames = { lists: new Map(), failures: new Map() };
	const names = requested.size > 0 ? await reading.readNames(requested) : unread;
	const complete = rowCompleter(run, reading, names);
	return drafts.map((draft, position) => complete(run.rows[position] ?? 0, draft));
}

/** Returns the fields that compare rows without an identifier: those of Match By, or the unique key. */
const keyFieldsOf = ({ contract, match }: EncodedRow) => match.fields ?? contract.key;

/** Returns values in their normalized form, as one text. */
const comparableText = (fields: readonly EncodedField[]): string =>
	JSON.stringify(fields.map(({ field, values }) => [field.name, comparableValues(field, values)]));

/**
 * Returns the key of a row, and the text that rows have in common which may mean the same resource. An ambiguous row lacks a part
 * of its key, so that it may mean the resource of any row with the same search text. Undefined if the form sets the resource:
 * such a row is executed like any other row.
 */
function keyOf(row: EncodedRow) {
	const { creates } = operationTable[row.operation];
	if (row.options.matchBy === undefined && creates === undefined) return undefined;
	const identifier = identifierOf(row);
	if (identifier !== undefined) return { text: identifier, search: identifier, isAmbiguous: false };
	const { searchBy, uniqueBy } = keyFieldsOf(row);
	const fields = fieldsNamed(row, uniqueBy);
	const searched = fieldsNamed(row, [searchBy]);
	if (searched.length === 0) return undefined;
	// A create takes the value that the service chooses.
	const isAmbiguous = creates !== 'always' && fields.length < uniqueBy.length;
	return { text: comparableText(fields), search: comparableText(searched), isAmbiguous };
}

/** Returns all values of a row as one text. */
const contentOf = ({ fields, changes }: EncodedRow): string =>
	JSON.stringify([
		comparableText(fields),
		changes.map((change) => [change.mode, comparableText([change])]),
	]);

/** Returns the problem of a row with the key of an earlier row, and other values. */
function contradiction(row: EncodedRow, first: string): Problem {
	const { contract, match } = row;
	const isIdentified = identifierOf(row) !== undefined;
	const { searchBy } = keyFieldsOf(row);
	const keyField = contract.fields.find(({ wire }) => wire.key === searchBy);
	return {
		field: isIdentified ? match.name : (keyField?.displayName ?? searchBy),
		key: isIdentified ? contract.id.name : searchBy,
		what: `has the same value as ${first}, but other fields differ; keep only one of the two`,
	};
}

/**
 * Finds rows of one run with the same key. Identical rows become duplicates of the first one. A row with other values gets a
 * problem, because the node cannot know which values to use.
 */
export function mergeDuplicates(rows: readonly Row[], numbers: RowNumbers): Row[] {
	const keys = rows.map(({ encoded }) => (isEncoded(encoded) ? keyOf(encoded) : undefined));
	const ambiguous = new Set(keys.flatMap((key) => (key?.isAmbiguous ? key.search : [])));
	const firsts = new Map<string, Row & { encoded: EncodedRow; duplicates: number[] }>();
	return rows.flatMap((row, at): Row[] => {
		const { index, encoded } = row;
		const key = keys[at];
		if (!key || !isEncoded(encoded)) return [row];
		const text = ambiguous.has(key.search) ? key.search : key.text;
		const first = firsts.get(text) ?? { ...row, encoded, duplicates: [] };
		if (!firsts.has(text)) {
			firsts.set(text, first);
			return [first];
		}
		if (contentOf(first.encoded) !== contentOf(encoded)) {
			return [{ ...row, encoded: [contradiction(encoded, numbers.row(first.index))] }];
		}
		first.duplicates.push(index);
		return [];
	});
}
