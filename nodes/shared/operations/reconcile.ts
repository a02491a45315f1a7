import type { IDataObject } from 'n8n-workflow';
import { differences, isSame, isSameApartFromCase } from '../contract/compare';
import { keyLockOf, lockOf, type EncodedRow } from '../contract/encodedRow';
import type { Problem } from '../contract/types';
import { reasonText } from '../contract/values';
import type { EncodedField } from '../contract/fieldTypes';
import { isDefaultMatch } from '../contract/matchBy';
import { flagOf } from '../contract/readers';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/failures';
import { takenStatuses } from './createOnce';
import { findCandidates } from './find';
import { inferKeys, type KeyedRow } from './inferKey';
import { matchProblems, problemsOfMatches, type Existing, type RowProblems } from './matching';
import { caseVariantAdvice, idIn, nameOf } from './resource';
import { repeatAll, resultOf, type OperationRun, type Result, type Run } from './types';
import type { Writer } from './writer';

/** The step that makes a resource equal to its row. */
interface ReconcileStep {
	/** The current resource; undefined if the step creates it. */
	readonly existing?: IDataObject;
	/** The fields to write. */
	readonly changes: readonly EncodedField[];
}

/** @throws ServiceError with the problems, if there are any */
function refuse(problems: readonly Problem[], advice: string): void {
	if (problems.length === 0) return;
	const texts = problems.map((problem) => `${problem.field} ${reasonText(problem)}`);
	throw rejection(texts.join('. '), advice, {
		fieldErrors: Object.fromEntries(
			problems.map((problem) => [problem.key, [reasonText(problem)]]),
		),
	});
}

const nothingWritten = 'Nothing was written for this item.';

/**
 * Returns the step of a row.
 *
 * @param candidates the resources with the text of the row
 * @throws ServiceError if several resources match, or if none matches although the row needs one
 */
function stepFor(row: EncodedRow, candidates: readonly IDataObject[]): ReconcileStep {
	refuse(matchProblems(row, candidates), nothingWritten);
	const existing = candidates.find((resource) => isSame(row, resource));
	return existing ? { existing, changes: differences(row, existing) } : { changes: [] };
}

/** Returns whether a step enables a resource that is disabled. */
const isReenabled = ({ contract }: EncodedRow, { existing, changes }: ReconcileStep): boolean =>
	changes.some(
		({ field, values }) =>
			field.name === contract.disabledField &&
			values[0]?.[1] === '0' &&
			flagOf(existing?.[field.wire.key]) === true,
	);

/** Executes the step of a row. */
async function writeStep(
	requests: RowRequests,
	row: EncodedRow,
	writer: Writer,
	step: ReconcileStep,
): Promise<Result> {
	const { existing, changes } = step;
	if (!existing) {
		refuse(
			row.incompleteFields,
			`Nothing was sent. The ${row.contract.value} does not exist, so it would be created without the field that belongs to it.`,
		);
		return await writer.createOne(requests, row);
	}
	if (changes.length === 0) return { ...writer.keepOne(row, existing), existing };
	const update = { id: idIn(existing) ?? '', fields: changes, before: existing };
	const result = await writer.updateOne(requests, row, { ...update, outcome: 'updated' });
	return { ...result, existing, ...(isReenabled(row, step) ? { isReenabled: true } : {}) };
}

/** Checks that refuse a resource by throwing a ServiceError. */
export interface ResourceChecks {
	/** Checks a resource that a look-up found. */
	readonly checkFound?: (resource: IDataObject) => void;
	/** Checks a resource after the write. */
	readonly checkWritten?: (resource: IDataObject) => void;
}

/** Returns whether a failure shows that the list is outdated: the resource exists, or no longer exists. */
function isOutdated(
	{ existing }: ReconcileStep,
	{ failure }: ServiceError,
	row: EncodedRow,
): boolean {
	if (failure.outcome === 'unknown') return false;
	if (existing) return failure.isMissing === true;
	const keys = Object.keys(failure.fieldErrors ?? {});
	const isAboutKey = keys.length === 0 || keys.includes(row.contract.key.searchBy);
	return takenStatuses.includes(failure.statusCode) && isAboutKey;
}

/**
 * Returns the resource whose key differs from the key of a row only in case, if it has all values of the row. A service that
 * ignores case may have stored the row with another case.
 */
function caseVariantOf(
	row: EncodedRow,
	candidates: readonly IDataObject[],
): IDataObject | undefined {
	const [first, ...more] = candidates.filter((resource) => isSameApartFromCase(row, resource));
	return first && more.length === 0 && differences(row, first).length === 0 ? first : undefined;
}

/**
 * @throws ServiceError if another row of the run created the resource, because the service stored its alias in another case,
 * or its destination in another form
 */
function checkNotCreatedByRun(row: EncodedRow, { existing }: ReconcileStep, writer: Writer): void {
	if (!existing || !writer.checks.hasCreated(existing)) return;
	throw rejection(
		`Another item of this run created ${nameOf(row, existing)}, and the service treats this item as the same ${row.contract.value}`,
		`${nothingWritten} Keep only one of the two.`,
	);
}

/** Returns an error with one more sentence of advice. */
const withAdvice = ({ failure }: ServiceError, advice = ''): ServiceError =>
	new ServiceError({ ...failure, advice: `${failure.advice} ${advice}`.trim() });

/**
 * Makes a resource equal to its row: writes the fields that differ, or creates the resource.
 *
 * @param listed the resources of the list with the text of the row. Without them, and if the list is outdated, it looks them up.
 * @throws ServiceError if a request or a check fails, or if several resources match
 */
async function reconcile(
	requests: RowRequests,
	{ row, problemsWith }: KeyedRow,
	listed: readonly IDataObject[] | undefined,
	{ writer, checkFound, checkWritten }: ResourceChecks & { readonly writer: Writer },
): Promise<Result> {
	let candidates: readonly IDataObject[] = [];
	const lookUp = async () => {
		const matches = await findCandidates(requests, row);
		refuse(problemsWith(matches), nothingWritten);
		candidates = writer.current(row, matches);
		writer.checks.noteExisting(row, matches);
		const step = stepFor(row, candidates);
		checkNotCreatedByRun(row, step, writer);
		if (step.existing) checkFound?.(step.existing);
		return step;
	};
	const write = async (step: ReconcileStep) => {
		const result = await writeStep(requests, row, writer, step);
		result.resources.forEach((resource) => checkWritten?.(resource));
		return result;
	};
	const isClear = listed !== undefined && listed.filter((each) => isSame(row, each)).length < 2;
	const step = isClear ? stepFor(row, writer.current(row, listed)) : await lookUp();
	const result = await settled(write(step));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(step, result, row)) throw result;
	const current = await lookUp();
	if (step.existing && !current.existing) writer.checks.forgetExisting(row, step.existing);
	if (current.existing || step.existing) return await write(current);
	const variant = caseVariantOf(row, candidates);
	// The look-up found no change, so the service would refuse the same create again.
	if (!variant) throw withAdvice(result, caseVariantAdvice(row, candidates));
	checkFound?.(variant);
	return resultOf(row, 'unchanged', variant);
}

/** How an operation reconciles its rows with the service. */
interface Reconciliation {
	/** Returns undefined if each row looks up its own resource. */
	readonly readExisting: (
		requests: RowRequests,
	) => Promise<(Existing & { readonly resources: readonly IDataObject[] }) | undefined>;
	/** Returns checks that refuse a resource. */
	readonly checksFor?: (row: EncodedRow) => ResourceChecks;
}

/** Starts an operation that compares each row with the resource that exists, and writes the fields that differ. */
export function reconcileRows(
	{ rows, ...run }: Run,
	writer: Writer,
	{ readExisting, checksFor }: Reconciliation,
): OperationRun {
	let existing: Existing | undefined;
	let inferred: ReadonlyMap<EncodedRow, KeyedRow> = new Map();
	let problems: RowProblems = new Map();
	const keyed = (row: EncodedRow): KeyedRow => inferred.get(row) ?? { row, problemsWith: () => [] };
	return {
		recovery: repeatAll,
		prepare: async (requests) => {
			const read = await readExisting(requests);
			existing = read;
			inferred = await inferKeys(requests, rows, existing);
			const [first] = rows;
			if (!read || !first) return;
			writer.checks.noteExisting(first, read.resources);
			// With the default match, a row whose resource is ambiguous fails when it is executed.
			if (!isDefaultMatch(first)) {
				const keyedRows = rows.map((row) => keyed(row).row);
				const keyedProblems = problemsOfMatches(keyedRows, read.candidatesFor);
				problems = new Map(
					rows.map((row, index) => [row, keyedProblems.get(keyedRows[index] ?? row) ?? []]),
				);
			}
		},
		problemsOf: (row) => [
			...keyed(row).problemsWith(existing?.candidatesFor(keyed(row).row) ?? []),
			...(problems.get(row) ?? []),
		],
		execute: async (requests, ownRow) => {
			const own = keyed(ownRow);
			const { row } = own;
			const caseLock = existing?.caseLockOf?.(row);
			const isOutdatedRow = await requests.lock(lockOf(row), keyLockOf(row), caseLock);
			// Match By treats them as the same resource, but the service accepts both.
			const mustLookUp = isOutdatedRow && !isDefaultMatch(row) && !run.isDryRun;
			const candidates = mustLookUp ? undefined : existing?.candidatesFor(row);
			return await reconcile(requests, own, candidates, { writer, ...checksFor?.(row) });
		},
		notes: () => writer.checks.notes(),
	};
}
