import type { IDataObject } from 'n8n-workflow';
import { hasValue, isWithin, mayBeWithin } from '../contract/compare';
import { type EncodedRow, fieldWith } from '../contract/encodedRow';
import { idOf } from '../contract/readers';
import { scopeLabel, scopeParams } from '../contract/scope';
import { isTextual } from '../contract/values';
import { counted, inflected, joined } from '../contract/wording';
import { rejection, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { byKey, ListIndex, readById, unlessMissing } from './find';
import { list } from './list';
import { idIn, keyTextOf, nameOf, namesOf, keyFor, type Resources } from './resource';
import type { Change, OperationCode, Removal, Run, RunSettings, Writer } from './types';
import { reconcileRows } from './upsert';

/**
 * Reads all resources that may be in the scope of a row. Checks each resource, because a service may ignore a filter.
 *
 * @throws ServiceError if the list cannot be read to its end
 */
async function readScope(requests: RowRequests, row: EncodedRow) {
	const { contract, scope } = row;
	const isWanted = (each: IDataObject) => idIn(each) !== undefined && mayBeWithin(row, each);
	const listing = { path: contract.path, params: scopeParams(scope), isWanted };
	const resources = await settled(list(requests, listing));
	if (!(resources instanceof ServiceError)) return resources;
	const { failure } = resources;
	const advice = failure.isBrokenList
		? 'Run the node again while nothing else changes the list, or narrow the scope.'
		: failure.advice;
	throw new ServiceError({
		...failure,
		message: `The list of the scope cannot be read: ${failure.message}`,
		advice: `Nothing was changed in this try. ${advice}`,
	});
}

type IsResource = (resource: IDataObject) => boolean;

/** Returns what to do with resources that are in no row; undefined if they are kept. */
function removalFor({ contract, options }: EncodedRow): Change | undefined {
	const note = 'In no row';
	if (options.unmatchedAction === 'delete') return { outcome: 'deleted', note };
	const fields = fieldWith(contract, contract.disabledField, ['1']);
	return options.unmatchedAction === 'disable' ? { outcome: 'disabled', fields, note } : undefined;
}

/** Max number of resources that an error names. */
const maxRemovalsNamed = 10;

/** Returns why a run must not remove the resources; undefined if it may. */
function removalRefusal(
	{ maxRemovals, maxRemovalPercentage }: RunSettings,
	row: EncodedRow,
	{ outcome }: Change,
	{ resources, scopeSize }: { resources: Resources; scopeSize: number },
): ServiceError | undefined {
	const { length } = resources;
	const percentage = (length * 100) / scopeSize;
	const exceeded = [
		...(length > maxRemovals.value ? [{ ...maxRemovals, unit: '' }] : []),
		...(percentage > maxRemovalPercentage.value ? [{ ...maxRemovalPercentage, unit: '%' }] : []),
	];
	if (exceeded.length === 0) return undefined;
	const limits = exceeded.map(({ label, value, unit }) => `${label} (${value}${unit})`);
	const allow = inflected(limits.length)`allow[s|]`;
	// A disabled resource is not disabled again.
	const kind = `${outcome === 'disabled' ? 'enabled ' : ''}${row.contract.value}`;
	const all = scopeSize === 1 ? `The only ${kind}` : `All ${counted(scopeSize, kind)}`;
	const some = `${length} of the ${counted(scopeSize, kind)}`;
	const which = `${length === scopeSize ? all : some} of the scope (${scopeLabel(row.scope)})`;
	const named = namesOf(resources, maxRemovalsNamed, (resource) => nameOf(row, resource));
	return rejection(
		`${which} ${length === 1 ? 'is' : 'are'} in no row and would be ${outcome}, which is more than ${joined(limits)} ${allow}`,
		`Nothing was changed in this try. In no row: ${named}. If the rows are complete, raise ${joined(exceeded.map(({ label }) => label))} under Options. A dry run shows the whole plan.`,
	);
}

/**
 * Returns the removals of the resources of the scope that match no row, and notes for the summary.
 *
 * @param inScope the resources of the scope
 * @param isUnmatched returns whether a resource is in no row
 * @throws ServiceError if the limits of the run do not allow to remove them, unless it is a dry run
 */
function planRemovals(run: Run, first: EncodedRow, inScope: Resources, isUnmatched: IsResource) {
	const { isComplete, isDryRun, settings } = run;
	const removal = removalFor(first);
	if (!removal) return { changes: [], notes: [] };
	if (!isComplete) {
		return { changes: [], notes: ['Nothing was removed, because not all items could be sent'] };
	}
	const isDisabled = (resource: IDataObject) =>
		removal.fields?.every((field) => hasValue(field, resource, first));
	const removable = inScope.filter((resource) => !isDisabled(resource));
	const unmatched = removable.filter(isUnmatched);
	const counts = { resources: unmatched, scopeSize: removable.length };
	const refusal = removalRefusal(settings, first, removal, counts);
	if (refusal && !isDryRun) throw refusal;
	return {
		changes: unmatched.map((before): Change => ({ ...removal, before })),
		notes: refusal ? [`A run would fail: ${refusal.message}`] : [],
	};
}

/**
 * Returns the removal of one resource. A missing resource needs no removal.
 *
 * @param isDue returns whether a resource that another execution has changed must still be removed
 */
function removalOf(
	first: EncodedRow,
	{ before = {}, ...change }: Change,
	writer: Writer,
	isDue: IsResource,
): Removal {
	const { contract } = first;
	const id = idIn(before) ?? '';
	const row = { ...first, id, reference: undefined, fields: change.fields ?? [], changes: [] };
	const remove = async (requests: RowRequests, mustRead = false) => {
		const wasLocked = await requests.locks.acquireLast(keyFor(contract, 'id', id));
		if (!(mustRead || wasLocked) || isDue(await readById(requests, contract, id)))
			return await writer.write(requests, row, { ...change, id, before });
		const message = 'Another execution has changed it since the list was read';
		throw rejection(message, 'This try did not remove it. Run the node again.');
	};
	return {
		name: nameOf(first, before),
		data: { id: idOf(before.id), [contract.key.searchBy]: keyTextOf(first, before) },
		execute: async (requests, mustRead) =>
			(await unlessMissing(remove(requests, mustRead))) ??
			(await writer.write(requests, row, { id, before, outcome: 'missing' })),
	};
}

/**
 * Makes the resources of a scope match the rows: creates missing resources, changes fields that differ, and disables,
 * deletes or keeps resources that are in no row. It reads the list of the scope before the first write.
 */
export const sync: OperationCode = (run, writer) => {
	// All rows have the same scope.
	const { first } = run;
	if (!first) return reconcileRows(writer);
	let planned: ReturnType<typeof planRemovals> = { changes: [], notes: [] };
	let index = new ListIndex([]);
	const { searchBy } = first.contract.key;
	const compared = [searchBy, first.match.fields?.searchBy ?? searchBy];
	// A resource that does not show what the rows are compared by may be in a row.
	const isUnmatched = (resource: IDataObject) =>
		compared.every((key) => isTextual(resource[key])) &&
		!index.isRequested(resource) &&
		!run.memory.completedIds.has(idIn(resource) ?? '');
	const isInScope = (resource: IDataObject) => isWithin(first, resource) === true;
	const isDue = (resource: IDataObject) => isInScope(resource) && isUnmatched(resource);
	const reconciled = reconcileRows(writer, async (requests, rows) => {
		// A resource that has the alias or name of a row is never removed, regardless of Match By.
		index = new ListIndex([...rows, ...rows.map(byKey)]);
		const resources = await readScope(requests, first);
		index.fill(resources);
		planned = planRemovals(run, first, resources.filter(isInScope), isUnmatched);
		return index;
	});
	return {
		...reconciled,
		// Another client may have renamed the resource of a row after the list was read.
		removals: () =>
			planned.changes
				.filter(({ before }) => !run.memory.completedIds.has(idIn(before) ?? ''))
				.map((change) => removalOf(first, change, writer, isDue)),
		notes: () => planned.notes,
	};
};
