import type { IDataObject } from 'n8n-workflow';
import { compareIdentity, differences, isWithin, mayBeWithin } from '../contract/compare';
import { type EncodedRow, isEncoded } from '../contract/encodedRow';
import { isDefaultMatch } from '../contract/layout';
import { scopeLabel } from '../contract/scope';
import { earlyRejection, rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { mayBeTaken } from './create';
import { findCandidates, ListIndex } from './find';
import { idIn, nameOf, type Resources } from './resource';
import { changeOf, lockTarget, matchChecker, matchOf, refusal } from './targets';
import type { Change, OperationCode, Writer } from './types';

/** @throws ServiceError if a resource is outside the scope of Sync. The node never changes a resource outside. */
function checkFound(row: EncodedRow, resource: IDataObject): void {
	if (isWithin(row, resource) === true) return;
	throw earlyRejection(
		`The ${row.contract.value} ${nameOf(row, resource)} exists already, but the service does not show it in the scope (${scopeLabel(row.scope)})`,
		'Remove the item, or widen the scope.',
	);
}

/**
 * @throws ServiceError if the service moved a resource out of the scope of Sync, or may have created it outside where the next run
 *   would not find it
 */
function checkWritten({ row, outcome }: Step, resource: IDataObject, { checks }: Writer): void {
	const isNew = outcome === 'created' && !isDefaultMatch(row);
	if (isNew ? isWithin(row, resource) : mayBeWithin(row, resource)) return;
	const message = `The ${row.contract.value} ${nameOf(row, resource)} was written, but the service does not show it in the scope (${scopeLabel(row.scope)})`;
	const advice = 'Check it in the service. Nothing is removed.';
	throw isNew
		? checks.stray(row, resource, { message, advice, fields: [] })
		: rejection(message, advice, { outcome: 'unknown' });
}

/** What makes a resource equal to its row. */
interface Step extends Change {
	/** The row with its whole unique key. */
	readonly row: EncodedRow;
}

/** Returns whether a failure shows that the list is outdated: the resource exists, or no longer exists. */
function isOutdated({ row, before }: Step, { failure }: ServiceError): boolean {
	if (before) return failure.isMissing === true && failure.outcome !== 'unknown';
	const keys = Object.keys(failure.fieldErrors ?? {});
	return mayBeTaken(failure) && (keys.length === 0 || keys.includes(row.contract.key.searchBy));
}

/**
 * Returns the step of a row that the service refuses because of a resource whose key differs only in case: nothing, if that has
 * all values of the row. A service that ignores case may have stored the row with another case. Undefined if there is none.
 */
function stepAfterRefusal(row: EncodedRow, candidates: Resources): Step | undefined {
	const similar = candidates.filter((resource) => compareIdentity(row, resource) === 'similar');
	const [before, ...more] = similar;
	if (!before || more.length > 0 || differences(row, before).length > 0) return undefined;
	checkFound(row, before);
	return { row, outcome: 'unchanged', before };
}

/**
 * Returns the step of a row.
 *
 * @param row the row with its whole unique key
 * @param candidates the resources that the row may mean
 * @throws ServiceError if several resources match, if the row needs a value or a match that it lacks, if the resource is outside
 *   the scope, or if another row of the run created it, because the service stored its alias in another case, or its destination
 *   in another form
 */
function stepFor(writer: Writer, row: EncodedRow, candidates: Resources): Step {
	const { checks } = writer;
	// The others may be results of creates of this run whose responses are lost.
	const own = candidates.filter((each) => ['same', 'similar'].includes(compareIdentity(row, each)));
	checks.noteExisting(row, own);
	const { existing: before, problems } = matchOf(row, writer.current(row, candidates));
	if (problems.length > 0) throw refusal(problems);
	const { value } = row.contract;
	if (!before) {
		if (row.incompleteFields.length === 0) return { row, outcome: 'created', similar: own };
		const advice = `The ${value} does not exist, so it would be created without the field that belongs to it.`;
		throw refusal(row.incompleteFields, advice);
	}
	const changes = differences(row, before);
	const isCreated = checks.hasCreated(before);
	if (isCreated || (changes.length > 0 && checks.taken.has(idIn(before)))) {
		throw earlyRejection(
			`Another item of this run ${isCreated ? 'created' : 'has'} ${nameOf(row, before)}, and the service treats this item as the same ${value}`,
			'Keep only one of the two.',
		);
	}
	checkFound(row, before);
	return { row, id: idIn(before), before, ...changeOf('updated', changes) };
}

/**
 * Makes a resource equal to its row: writes the fields that differ, or creates the resource. If the list is outdated, it looks
 * up the resource.
 *
 * @throws ServiceError if a request or a check fails, or if several resources match
 */
async function reconcile(writer: Writer, index: ListIndex, requests: RowRequests, row: EncodedRow) {
	const stepWith = (candidates: Resources) => {
		const complete = index.complete(row, candidates);
		if (!isEncoded(complete)) throw refusal(complete);
		return stepFor(writer, complete, candidates);
	};
	const first = await lockTarget(requests, row, index, stepWith);
	const write = async (step: Step) => {
		const result = await writer.write(requests, step.row, step);
		const written = writer.isPlanning ? [] : result.resources;
		written.forEach((resource) => checkWritten(step, resource, writer));
		return result;
	};
	const result = await settled(write(first));
	if (!(result instanceof ServiceError)) return result;
	if (!isOutdated(first, result)) throw result;
	const candidates = await findCandidates(requests, row);
	const step = stepWith(candidates);
	if (first.before && !step.before) writer.checks.forgetExisting(row, first.before);
	// If the look-up found no change, the service would refuse the same create again.
	const isChanged = step.before ?? first.before;
	const next = isChanged ? step : stepAfterRefusal(step.row, candidates);
	if (!next) throw result;
	if (!isChanged) writer.checks.taken.add(idIn(next.before));
	return await write(next);
}

/**
 * Reads the list if that takes fewer requests than looking up the rows as they are executed. Rows with another Match By than the
 * default are all looked up before the first write.
 */
async function readExisting(requests: RowRequests, rows: readonly EncodedRow[]) {
	const index = new ListIndex(rows);
	await index.read(requests, !rows.every(isDefaultMatch));
	return index;
}

/** Starts an operation that compares each row with the resource that exists, and writes the fields that differ. */
export function reconcileRows(writer: Writer, read = readExisting): ReturnType<OperationCode> {
	let index = new ListIndex([]);
	const check = matchChecker();
	return {
		prepare: async (requests, rows) => {
			const [first] = rows;
			if (!first) return;
			index = await read(requests, rows);
			await index.readDomains(requests, rows);
			const isNew = (row: EncodedRow) =>
				index.candidatesFor(row)?.every((each) => compareIdentity(row, each) !== 'same');
			await writer.prepareCreates?.(requests, rows.filter(isNew));
			if (index.candidatesFor(first)) writer.checks.forgetAll();
			writer.checks.noteExisting(first, index.all);
			for (const id of index.ids) writer.checks.existing.add(id);
		},
		problemsOf: (row) => {
			const listed = index.candidatesFor(row) ?? [];
			const complete = index.complete(row, listed);
			if (!isEncoded(complete)) return complete;
			// With the default match, a row whose resource is ambiguous fails when it is executed.
			return isDefaultMatch(row) ? [] : check(complete, listed);
		},
		execute: async (requests, row) => await reconcile(writer, index, requests, row),
	};
}

/**
 * Finds the resource of each row by the fields of Match By and writes the fields that differ, or creates the resource.
 * For many rows, it reads the list once.
 */
export const upsert: OperationCode = (_run, writer) => reconcileRows(writer);
