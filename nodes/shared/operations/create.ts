import type { IDataObject } from 'n8n-workflow';
import { isConsistent } from '../contract/compare';
import { paramsOf, searchTextOf, keyLockOf, type EncodedRow } from '../contract/encodedRow';
import type { ReuseContract } from '../contract/resourceTypes';
import { integerOf } from '../contract/readers';
import { searchedText } from '../contract/sameResource';
import type { RowRequests } from '../transport/rowRequests';
import { ServiceError, settled } from '../transport/serviceError';
import { AnswerChecks } from './answerChecks';
import { inferKey } from './inferKey';
import { createOnce, taken } from './createOnce';
import { searchAll } from './find';
import { readListIndex, type ListIndex } from './listIndex';
import { rowByRow, type OperationRun, type OperationHandler, type Result, type Run } from './types';
import { plannedItem } from './dryRunPlan';
import { planCreates, withoutRandomKey } from './dryRunCreates';

/** What makes a row use again what is there; undefined where each row makes a resource of its own. */
const reuseIn = ({ contract: { reuse }, options }: EncodedRow): ReuseContract | undefined =>
	reuse && options.resourceOptions[reuse.option] === '1' ? reuse : undefined;

/** The oldest of the resources that have all that a row asks for; IDs are given in order (assumption: stable order). */
function oldestLike(
	given: EncodedRow,
	reuse: ReuseContract,
	candidates: readonly IDataObject[],
): IDataObject | undefined {
	const row = withoutRandomKey(given);
	const fitting = candidates.filter(
		(resource) => reuse.isActive(resource) && isConsistent(row, resource),
	);
	return fitting.reduce<IDataObject | undefined>(
		(oldest, one) =>
			(integerOf(one.id) ?? -Infinity) <= (integerOf(oldest?.id) ?? Infinity) ? one : oldest,
		undefined,
	);
}

/** What is known of the resources that rows may use again. */
interface Reusable {
	/** Those of the list; undefined where each row looks for its own. */
	readonly known: ListIndex | undefined;
	/** Those that rows of this run have made, by all that the rows asked for. */
	readonly made: Map<string, IDataObject>;
	readonly answers: AnswerChecks;
}

/** The row, and the resource that has all that it asks for, if there is one. */
async function findReusable(
	requests: RowRequests,
	given: EncodedRow,
	reuse: ReuseContract,
	{ known, made }: Reusable,
) {
	const text = searchedText(given, reuse) ?? '';
	const { path } = given.contract;
	const destination = `${path}?${reuse.searchBy}=${text}`;
	const isOutdated = await requests.lock(keyLockOf(given), destination);
	const row = await inferKey(requests, given);
	const content = JSON.stringify(paramsOf(withoutRandomKey(row).fields));
	const told = oldestLike(row, reuse, known?.candidatesFor(row) ?? []) ?? made.get(content);
	// Another run may have made one after the list was read.
	const mustLook = !told && (!known || isOutdated);
	const found = mustLook
		? await searchAll(requests, row.contract, reuse.searchBy, reuse.searchTexts(text))
		: [];
	return { row, content, existing: told ?? oldestLike(row, reuse, found) };
}

/** Creates a resource. Where the service refuses its key, which may be taken, the error names the way that takes it. */
async function createNew(
	requests: RowRequests,
	row: EncodedRow,
	answers: AnswerChecks,
): Promise<IDataObject> {
	const created = await settled(createOnce(requests, row, answers));
	if (!(created instanceof ServiceError)) return created;
	const { failure } = created;
	const { value, key, operations } = row.contract;
	const upsert = operations.find((operation) => operation.value === 'upsert');
	const isAboutKey = failure.statusCode === 409 || Boolean(failure.fieldErrors?.[key.searchBy]);
	const mayBeTaken = taken.includes(failure.statusCode) && isAboutKey;
	if (!upsert || !mayBeTaken || failure.outcome === 'unknown' || !searchTextOf(row)) throw created;
	const way = `If the ${key.searchBy} is taken by the ${value} that you mean, use ${upsert.name}: it changes that one.`;
	throw new ServiceError({ ...failure, advice: `${failure.advice} ${way}` });
}

/** Returns what is there already with all that the row asks for, and creates it only where nothing is. */
async function reuseOrCreate(
	requests: RowRequests,
	given: EncodedRow,
	reuse: ReuseContract,
	reusable: Reusable,
): Promise<Result> {
	const { row, content, existing } = await findReusable(requests, given, reuse, reusable);
	if (existing) return { resources: [existing], outcome: 'existing', reportOutcome: true };
	const created = await createNew(requests, row, reusable.answers);
	reusable.known?.add(created);
	reusable.made.set(content, created);
	return { resources: [created], outcome: 'created', reportOutcome: true };
}

/** What would become of a row that finds a resource: a second one of the same finds what the first one would create. */
async function planReuse(
	requests: RowRequests,
	given: EncodedRow,
	reuse: ReuseContract,
	reusable: Reusable,
): Promise<Result | undefined> {
	const { row, content, existing } = await findReusable(requests, given, reuse, reusable);
	if (existing) return plannedItem(row, { outcome: 'existing', existing, note: 'Used again' });
	reusable.made.set(content, {});
	return undefined;
}

/** Creates a resource for each row. */
function createAll({ rows, showsTable }: Run, answers: AnswerChecks): OperationRun {
	const creates = showsTable ? planCreates(rows) : undefined;
	const begun = rowByRow(async (requests, row) => {
		await requests.lock(keyLockOf(row));
		return { resources: [await createNew(requests, row, answers)], outcome: 'created' };
	})();
	return { ...begun, preparePlan: creates?.prepare, plan: creates?.plan };
}

function beginReuse(
	{ rows, isDryRun }: Run,
	reuse: ReuseContract,
	answers: AnswerChecks,
): OperationRun {
	const creates = isDryRun ? planCreates(rows) : undefined;
	const made = new Map<string, IDataObject>();
	let known: ListIndex | undefined;
	return {
		prepare: async (requests) => {
			known = await readListIndex(requests, rows, reuse);
			const [first] = rows;
			if (first && known) answers.noteExisting(first, known.all);
		},
		execute: async (requests, row) =>
			await reuseOrCreate(requests, row, reuse, { known, made, answers }),
		preparePlan: creates?.prepare,
		plan:
			creates &&
			(async (requests, row) =>
				(await planReuse(requests, row, reuse, { known, made, answers })) ??
				(await creates.plan(requests, row))),
		requestsFor: (row) => {
			if (!known) return 2;
			return oldestLike(row, reuse, known.candidatesFor(row)) ? 0 : 1;
		},
	};
}

/**
 * Creates resources. Rows with the same alias or name take turns, so that the first row gets it. With the option for it, a
 * resource that is there already is returned in place of a second one; for many rows the list is read once.
 */
export const create: OperationHandler = (run) => {
	const [first] = run.rows;
	const answers = new AnswerChecks(run.hasStray);
	const reuse = first && reuseIn(first);
	const begun = reuse ? beginReuse(run, reuse, answers) : createAll(run, answers);
	return { ...begun, notes: () => (first ? answers.notes(first.contract) : []) };
};
