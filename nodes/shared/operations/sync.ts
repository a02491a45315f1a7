import type { IDataObject } from 'n8n-workflow';
import { apiRequest } from '../contract/endpoints';
import { thingOf, type EncodedRow } from '../contract/encodeRow';
import { isWithin, scopeParams, scopeText } from '../contract/scope';
import type { RowRequests } from '../transport/rowRequests';
import { rejection } from '../transport/serviceError';
import { completeKey } from './completeKey';
import { KnownResources } from './knownList';
import { list } from './list';
import { makeSo, stepFor } from './makeSo';
import type { BegunOperation, Operation, Run } from './operation';
import { plannedStep } from './plan';
import { nameOf, removalOf, removalRefusal, removalWay } from './removals';
import { pairRenames, type Renames } from './renames';
import { requestsToMake, upsert } from './upsert';

/**
 * Reads all resources of the scope of a row. Each is checked against it, because a service may ignore a filter; one that
 * does not tell is none of them.
 *
 * @throws ServiceError where the list cannot be read to its end
 */
async function readScope(
	requests: RowRequests,
	{ contract, options, scope }: EncodedRow,
): Promise<IDataObject[]> {
	const { path, params } = apiRequest(contract, 'getAll', scopeParams(scope));
	const isWanted = (resource: IDataObject) => isWithin(scope, resource, options) === true;
	return await list(requests, { path, params, limit: Infinity, isWanted });
}

/** Refuses a resource that a row asks for, but that lies outside of its scope: it is never changed. */
const refuseOutside = (row: EncodedRow) => (existing: IDataObject) => {
	if (isWithin(row.scope, existing, row.options) === true) return;
	throw rejection(
		`The ${row.contract.value} ${nameOf(row, existing)} is there already, outside of the scope (${scopeText(row.scope)})`,
		'It was not changed. Take the row out, or widen the scope.',
	);
};

/** @param first any of the rows: all have the same scope */
function beginSync(first: EncodedRow, { rows, isWhole, isDryRun, limits }: Run): BegunOperation {
	const way = removalWay(first);
	const known = new KnownResources(rows, first.contract.key);
	const notes: string[] = [];
	let removed: readonly IDataObject[] = [];
	let renames: Renames = { from: new Map(), to: new Map() };
	return {
		prepare: async (requests) => {
			for (const row of rows) await completeKey(requests, row);
			const listed = await readScope(requests, first);
			listed.forEach((resource) => known.add(resource));
			if (!way) return;
			if (!isWhole) {
				notes.push('Nothing was removed, because not all rows could be sent');
				return;
			}
			removed = listed.filter((resource) => !known.isAskedFor(resource) && !way.isDone(resource));
			const refusal = removalRefusal(first, way, removed, listed.length, limits);
			if (refusal && !isDryRun) throw refusal;
			if (refusal) notes.push(`A run would be refused: ${refusal.failure.message}`);
			renames = pairRenames(rows, known, removed);
		},
		execute: async (requests, given) => {
			await requests.takeTurn(thingOf(given));
			const row = await completeKey(requests, given);
			return await makeSo(requests, row, known.candidatesFor(row), refuseOutside(row));
		},
		requestsFor: (row) => requestsToMake(row, known),
		plan: async (requests, given) => {
			await requests.takeTurn(undefined);
			const row = await completeKey(requests, given);
			const old = renames.from.get(given);
			const step = stepFor(row, known.candidatesFor(row));
			return plannedStep(row, step, old ? { renamedFrom: nameOf(row, old) } : {});
		},
		removals: () =>
			way
				? removed.map((resource) => removalOf(first, way, resource, renames.to.get(resource)))
				: [],
		notes: () => notes,
	};
}

/**
 * Makes the resources of a scope match the rows: creates what is missing, changes what differs, and removes those that are
 * in no row, as Others says. The list of the scope is read before anything is written.
 */
export const sync: Operation = (run) => {
	const [first] = run.rows;
	return first ? beginSync(first, run) : upsert(run);
};
