import type { IDataObject } from 'n8n-workflow';
import { differences, isSame, isSameApartFromCase, isWithin } from '../contract/compare';
import { type EncodedRow, fieldsNamed, keyLockOf, lockOf } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { defaultMatch, isDefaultMatch } from '../contract/layout';
import { scopeLabel } from '../contract/scope';
import type { Problem } from '../contract/types';
import { reasonText } from '../contract/values';
import { rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { mayBeTaken } from './createOnce';
import { findCandidates } from './find';
import { keyProblems, KeyValues, readKeyValues, withKey } from './inferKey';
import { findMatches, readListIndex, type ListIndex } from './listIndex';
import { matchProblems, problemsOfMatches, type RowProblems } from './matching';
import { caseVariantAdvice, idIn, keyLabelOf, nameOf } from './resource';
import {
	repeatAll,
	resultOf,
	type OperationHandler,
	type OperationRun,
	type Result,
	type Run,
	type Writer,
} from './types';
import { writerOf } from './writer';

const nothingWritten = 'Nothing was written for this item.';

/** @throws ServiceError with the problems, if there are any */
function refuse(problems: readonly Problem[], advice = nothingWritten): void {
	if (problems.length === 0) return;
	const texts = problems.map((problem) => `${problem.field} ${reasonText(problem)}`);
	const fieldErrors = problems.map((problem) => [problem.key, [reasonText(problem)]]);
	throw rejection(texts.join('. '), advice, { fieldErrors: Object.fromEntries(fieldErrors) });
}

/** @throws ServiceError if a resource is outside the scope of Sync. The node never changes a resource outside. */
function checkFound(row: EncodedRow, resource: IDataObject): void {
	if (isWithin(row.scope, resource, row.options) === true) return;
	throw rejection(
		`The ${row.contract.value} ${nameOf(row, resource)} exists already, outside of the scope (${scopeLabel(row.scope)})`,
		'It was not changed. Remove the item, or widen the scope.',
	);
}

/** @throws ServiceError if the service moved a resource out of the scope of Sync */
function checkWritten(row: EncodedRow, resource: IDataObject): void {
	// A response to a write may have null for fields that it does not show.
	const shown = Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null));
	if (isWithin(row.scope, shown, row.options) !== false) return;
	throw rejection(
		`The ${row.contract.value} ${nameOf(row, resource)} was written, but the service put it outside of the scope (${scopeLabel(row.scope)})`,
		'Check it in the service. Nothing is removed.',
		{ outcome: 'unknown' },
	);
}

/** The step that makes a resource equal to its row. */
interface ReconcileStep {
	/** The current resource; undefined if the step creates it. */
	readonly existing?: IDataObject;
	/** The fields to write. */
	readonly changes: readonly EncodedField[];
}

/**
 * Returns the step of a row.
 *
 * @param candidates the resources with the text of the row
 * @throws ServiceError if several resources match, or if none matches although the row needs one
 */
function stepFor(row: EncodedRow, candidates: readonly IDataObject[]): ReconcileStep {
	refuse(matchProblems(row, candidates));
	const existing = candidates.find((resource) => isSame(row, resource));
	return { existing, changes: existing ? differences(row, existing) : [] };
}

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
	return { ...result, existing };
}

/** Returns whether a failure shows that the list is outdated: the resource exists, or no longer exists. */
function isOutdated(
	{ existing }: ReconcileStep,
	{ failure }: ServiceError,
	row: EncodedRow,
): boolean {
	if (existing) return failure.isMissing === true && failure.outcome !== 'unknown';
	const keys = Object.keys(failure.fieldErrors ?? {});
	const isAboutKey = keys.length === 0 || keys.includes(row.contract.key.searchBy);
	return mayBeTaken(failure) && isAboutKey;
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

/** The resources that a row may mean. */
interface Candidates {
	/** The resources of the list; undefined if the row must look them up. */
	readonly listed?: readonly IDataObject[];
	/** Looks up the resources. Refuses a row that they show to be invalid. */
	readonly lookUp: () => Promise<readonly IDataObject[]>;
}

/**
 * Makes a resource equal to its row: writes the fields that differ, or creates the resource. If the list is outdated, it looks
 * up the resource.
 *
 * @throws ServiceError if a request or a check fails, or if several resources match
 */
async function reconcile(
	requests: RowRequests,
	row: EncodedRow,
	writer: Writer,
	{ listed, lookUp }: Candidates,
): Promise<Result> {
	const write = async (step: ReconcileStep) => {
		const result = await writeStep(requests, row, writer, step);
		result.resources.forEach((resource) => checkWritten(row, resource));
		return result;
	};
	const isClear = listed !== undefined && listed.filter((each) => isSame(row, each)).length < 2;
	const first = isClear
		? stepFor(row, writer.current(row, listed))
		: stepOfFound(row, writer, await lookUp());
	const result = await settled(write(first));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(first, result, row)) throw result;
	const candidates = await lookUp();
	const step = stepOfFound(row, writer, candidates);
	if (first.existing && !step.existing) writer.checks.forgetExisting(row, first.existing);
	if (step.existing || first.existing) return await write(step);
	// The look-up found no change, so the service would refuse the same create again.
	const variant = caseVariantOf(row, candidates);
	if (variant) {
		checkFound(row, variant);
		return resultOf(row, 'unchanged', variant);
	}
	const { failure } = result;
	const advice = `${failure.advice} ${caseVariantAdvice(row, candidates) ?? ''}`.trim();
	throw new ServiceError({ ...failure, advice });
}

/**
 * Returns the step of a row whose resources were looked up.
 *
 * @throws ServiceError if the resource is outside the scope, or if another row of the run created it, because the service stored
 * its alias in another case, or its destination in another form
 */
function stepOfFound(
	row: EncodedRow,
	{ checks }: Writer,
	candidates: readonly IDataObject[],
): ReconcileStep {
	const step = stepFor(row, candidates);
	const { existing } = step;
	if (!existing) return step;
	if (checks.hasCreated(existing)) {
		throw rejection(
			`Another item of this run created ${nameOf(row, existing)}, and the service treats this item as the same ${row.contract.value}`,
			`${nothingWritten} Keep only one of the two.`,
		);
	}
	checkFound(row, existing);
	return step;
}

/** Reads the resources of the rows, if that takes fewer requests than looking them up as the rows are executed. */
async function readExisting(
	requests: RowRequests,
	rows: readonly EncodedRow[],
): Promise<ListIndex | undefined> {
	const [first] = rows;
	return first && isDefaultMatch(first)
		? await readListIndex(requests, rows, first.contract.key)
		: await findMatches(requests, rows);
}

/** Returns a row that is found by its alias or name, regardless of Match By. */
const byKey = (row: EncodedRow): EncodedRow => ({
	...row,
	match: defaultMatch(row.contract),
	id: undefined,
	reference: undefined,
});

/** @throws ServiceError if a resource has the alias or name of a row that creates another one */
function checkKeyIsFree(row: EncodedRow, candidates: readonly IDataObject[]): void {
	const { key, value } = row.contract;
	const isKeyComplete = fieldsNamed(row, key.uniqueBy).length === key.uniqueBy.length;
	const owner = candidates.find((resource) => isSame(byKey(row), resource));
	if (!owner || !isKeyComplete) return;
	const what = `is taken by the ${value} ${nameOf(row, owner)}; use another one`;
	refuse([{ field: keyLabelOf(row), key: key.searchBy, what }]);
}

/**
 * Starts an operation that compares each row with the resource that exists, and writes the fields that differ.
 *
 * @param read reads the resources before the first row. Undefined if each row looks up its own.
 */
export function reconcileRows({ rows }: Run, writer: Writer, read = readExisting): OperationRun {
	const { checks, isPlanning } = writer;
	let index: ListIndex | undefined;
	let keyValues = new KeyValues();
	let problems: RowProblems = new Map();
	let owners: ListIndex | undefined;
	// With the default match, a row has looked up its alias or name already.
	const checksKeys = isPlanning && rows.some((row) => !isDefaultMatch(row));
	const createOne: Writer['createOne'] = async (requests, row) => {
		const keyRow = byKey(row);
		const matches = owners?.candidatesFor(keyRow) ?? (await findCandidates(requests, keyRow));
		checkKeyIsFree(row, writer.current(keyRow, matches));
		return await writer.createOne(requests, row);
	};
	const rowWriter = checksKeys ? { ...writer, createOne } : writer;
	const listedFor = (row: EncodedRow) => index?.candidatesFor(row) ?? [];
	const keyed = (row: EncodedRow) => withKey(row, keyValues, listedFor(row));
	return {
		recovery: repeatAll,
		prepare: async (requests) => {
			const [first] = rows;
			index = await read(requests, rows);
			keyValues = await readKeyValues(requests, rows, index?.keyValues ?? keyValues, listedFor);
			if (!index || !first) return;
			if (checksKeys) {
				const isNew = (row: EncodedRow) => !listedFor(row).some((each) => isSame(row, each));
				owners = await readListIndex(requests, rows.filter(isNew).map(byKey), first.contract.key);
			}
			checks.noteExisting(first, index.all);
			// With the default match, a row whose resource is ambiguous fails when it is executed.
			if (!isDefaultMatch(first)) problems = problemsOfMatches(rows, index.candidatesFor, keyed);
		},
		problemsOf: (row) => [
			...keyProblems(row, keyValues, listedFor(row)),
			...(problems.get(row) ?? []),
		],
		execute: async (requests, ownRow) => {
			const row = keyed(ownRow);
			const isLocked = await requests.lock(lockOf(row), keyLockOf(row), index?.caseLockOf(row));
			// Match By treats them as the same resource, but the service accepts both.
			const mustLookUp = isLocked && !isDefaultMatch(row) && !isPlanning;
			const lookUp = async () => {
				const matches = await findCandidates(requests, row);
				refuse(keyProblems(ownRow, keyValues, matches));
				// The others may be results of creates of this run whose responses are lost.
				const own = matches.filter((each) => isSame(row, each) || isSameApartFromCase(row, each));
				checks.noteExisting(row, own);
				return writer.current(row, matches);
			};
			const listed = mustLookUp ? undefined : index?.candidatesFor(row);
			return await reconcile(requests, row, rowWriter, { listed, lookUp });
		},
		notes: () => checks.notes(),
	};
}

/**
 * Finds the resource of each row by the fields of Match By and writes the fields that differ, or creates the resource.
 * For many rows, it reads the list once.
 */
export const upsert: OperationHandler = (run) => reconcileRows(run, writerOf(run));
