import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../contract/endpoints';
import { lockOf, keyLockOf, type EncodedRow } from '../contract/encodedRow';
import { isDefaultMatch } from '../contract/matchBy';
import { isWithin, scopeParams, scopeLabel } from '../contract/scope';
import { isTextual } from '../contract/values';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError, settled } from '../transport/serviceError';
import { AnswerChecks } from './answerChecks';
import { inferKey } from './inferKey';
import { ListIndex } from './listIndex';
import { list } from './list';
import { reconcile, stepFor } from './reconcile';
import type { OperationRun, OperationHandler, Run } from './types';
import { plannedReconcile } from './dryRunPlan';
import { isInterpretationDecisive } from './interpretations';
import { removalOf, removalRefusal, removalActionFor } from './removals';
import { idIn, nameOf } from './resource';
import { pairRenames, type Renames } from './renames';
import type { RowProblems } from './matching';
import { estimatedRequests, rowProblems, upsert } from './upsert';

/**
 * Reads all resources of the scope of a row. Each is checked against it, because a service may ignore a filter; one that
 * does not tell was not found among them.
 *
 * @throws ServiceError where the list cannot be read to its end
 */
async function readScope(
	requests: RowRequests,
	{ contract, options, scope }: EncodedRow,
): Promise<IDataObject[]> {
	const { path, params } = apiRequest(contract, 'getAll', scopeParams(scope));
	const isWanted = (resource: IDataObject) =>
		idIn(resource) !== undefined && isWithin(scope, resource, options) === true;
	const resources = await settled(list(requests, { path, params, limit: Infinity, isWanted }));
	if (!(resources instanceof ServiceError)) return resources;
	const { failure } = resources;
	const isOfList = failure.cause === 'rejected' && failure.statusCode === undefined;
	const advice = isOfList
		? 'Run it again when nothing else changes the list, or narrow the scope.'
		: failure.advice;
	throw new ServiceError({
		...failure,
		message: `The list of the scope cannot be read: ${failure.message}`,
		advice: `Nothing was changed. ${advice}`,
	});
}

/** Refuses a resource that a row asks for, but that lies outside of its scope: it is never changed. */
const refuseOutside = (row: EncodedRow) => (existing: IDataObject) => {
	if (isWithin(row.scope, existing, row.options) === true) return;
	throw rejection(
		`The ${row.contract.value} ${nameOf(row, existing)} is there already, outside of the scope (${scopeLabel(row.scope)})`,
		'It was not changed. Take the row out, or widen the scope.',
	);
};

/** Refuses what was written where it came to lie outside of its scope, so that nothing is removed for it. */
const refuseWrittenOutside = (row: EncodedRow) => (resource: IDataObject) => {
	// An answer to a write may leave out what it does not show as null.
	const shown = Object.fromEntries(Object.entries(resource).filter(([, value]) => value !== null));
	if (isWithin(row.scope, shown, row.options) !== false) return;
	throw new ServiceError({
		cause: 'rejected',
		message: `The ${row.contract.value} ${nameOf(row, resource)} was written, but the service put it outside of the scope (${scopeLabel(row.scope)})`,
		advice: 'Look at it at the service. Nothing is removed.',
		outcome: 'unknown',
	});
};

/** @param first any of the rows: all have the same scope */
function beginSync(first: EncodedRow, run: Run): OperationRun {
	const { rows, isComplete, isDryRun, limits } = run;
	const way = removalActionFor(first);
	const answers = new AnswerChecks(run.hasStray);
	let problems: RowProblems = new Map();
	const known = new ListIndex(rows, first.match.fields);
	const notes: string[] = [];
	let removed: readonly IDataObject[] = [];
	let renames: Renames = { from: new Map(), to: new Map() };
	/** What rows turned out to be: somebody may have renamed one of the others after the list was read. */
	const written = new Set<string | undefined>();
	return {
		prepare: async (requests) => {
			for (const row of rows) await inferKey(requests, row);
			const listed = await readScope(requests, first);
			listed.forEach((resource) => known.add(resource));
			answers.noteExisting(first, listed);
			answers.interpretations.addList(rows, known.candidatesFor);
			problems = await rowProblems(requests, rows, known.candidatesFor, answers);
			if (!way) return;
			if (!isComplete) {
				notes.push('Nothing was removed, because not all rows could be sent');
				return;
			}
			removed = listed.filter(
				(resource) =>
					isTextual(resource[first.contract.key.searchBy]) &&
					!known.isRequested(resource) &&
					!way.isDone(resource),
			);
			const size = listed.filter((resource) => !way.isDone(resource)).length;
			const refusal = removalRefusal(first, way, removed, size, limits);
			if (refusal && !isDryRun) throw refusal;
			if (refusal) notes.push(`A run would be refused: ${refusal.failure.message}`);
			renames = pairRenames(rows, known, removed);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		isDeferred: (row) => isInterpretationDecisive(row, known.candidatesFor),
		execute: async (requests, given) => {
			const isOutdated = await requests.lock(
				lockOf(given),
				keyLockOf(given),
				known.caseLockOf(given),
			);
			const row = await inferKey(requests, given);
			const mustLook = isOutdated && !isDefaultMatch(row);
			const checks = { answers, found: refuseOutside(row), written: refuseWrittenOutside(row) };
			const result = await reconcile(
				requests,
				row,
				mustLook ? undefined : known.candidatesFor(row),
				checks,
			);
			result.resources.forEach((resource) => written.add(idIn(resource)));
			return result;
		},
		requestsFor: (row) =>
			estimatedRequests(answers.interpretations.applyTo(row), known.candidatesFor),
		plan: async (requests, given) => {
			await requests.lock(undefined);
			const row = await inferKey(requests, given);
			const old = renames.from.get(given);
			const read = answers.interpretations.applyTo(row);
			const step = stepFor(read, known.candidatesFor(row));
			const note = old ? `New; perhaps ${nameOf(row, old)}, renamed in the sheet` : undefined;
			return plannedReconcile(read, step, note);
		},
		removals: () =>
			way
				? removed
						.filter((resource) => !written.has(idIn(resource)))
						.map((resource) => removalOf(first, way, resource, renames.to.get(resource)))
				: [],
		notes: () => [...notes, ...answers.notes(first.contract)],
	};
}

/**
 * Makes the resources of a scope match the rows: creates what is missing, changes what differs, and removes those that are
 * in no row, as the unmatched action says. The list of the scope is read before anything is written.
 */
export const sync: OperationHandler = (run) => {
	const [first] = run.rows;
	return first ? beginSync(first, run) : upsert(run);
};
