import { isSame, isSameApartFromCase } from '../contract/compare';
import { type EncodedRow, searchTextOf } from '../contract/encodedRow';
import { type OperationName, operationTable, writes } from '../contract/operations';
import { joinSentences, ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { create, mayBeTaken } from './create';
import { deleteEach } from './delete';
import { byKey, findCandidates } from './find';
import { planningWriter } from './planningWriter';
import { get, getMany, getQrCode } from './reads';
import { keyLabelOf, labelOfIfExists, nameOf, takenText } from './resource';
import { ResponseChecks } from './responses';
import { sync } from './sync';
import type { OperationCode, OperationRun, Run } from './types';
import { update } from './update';
import { upsert } from './upsert';
import { sendingWriter } from './writer';

/** The code of each operation of `contract/operations.ts`. */
const operations: Readonly<Record<OperationName, OperationCode>> = {
	create,
	delete: deleteEach,
	disable: update,
	enable: update,
	get,
	getAll: getMany,
	getQrCode,
	sync,
	update,
	upsert,
};

/** Returns what to do after a run that failed for some of its rows. */
function recoveryOf(operation: OperationName, { contract, first, settings }: Run): string {
	const { creates, deletes } = operationTable[operation];
	if (!writes(operationTable[operation])) {
		return 'Fix the failures and run the node again: reading changes nothing.';
	}
	const other = labelOfIfExists(contract, operation);
	// A second create of a row would create a second resource.
	if (other !== undefined) {
		return `Fix the failures, remove the items that the service has, and run the node again. If ${keyLabelOf({ contract })} is set in each item, you can switch Operation to ${other} and keep all items instead: it changes the ${contract.value}s that exist.`;
	}
	// The service chooses the IDs of new resources, so that another run would not find them.
	if (creates && first && !first.match.fields) {
		return `Fix the failures, enter the ID of each new ${contract.value} in its item, and run the node again with all items. Without its ID, an item creates a second ${contract.value}.`;
	}
	const { value: isIgnored, label } = settings.ignoreMissing;
	const option = deletes && !isIgnored ? ` and ${label} under Options` : '';
	return `Fix the failures and run the node again with all items${option}: items that are done do not change.`;
}

/**
 * Returns the failure of a row. If its alias or name may be taken, its advice names the resource that has it. This takes a
 * search.
 */
async function withOwner(requests: RowRequests, row: EncodedRow, error: ServiceError) {
	const { failure } = error;
	const { value, key } = row.contract;
	const isAboutKey = failure.statusCode === 409 || failure.fieldErrors?.[key.searchBy];
	if (!mayBeTaken(failure) || !isAboutKey || searchTextOf(row) === undefined) return error;
	const candidates = await settled(findCandidates(requests, byKey(row)));
	if (candidates instanceof ServiceError) return error;
	// The alias or name of its own resource is not taken.
	const isCreate = operationTable[row.operation].creates === 'always';
	const others = candidates.filter((each) => isCreate || !isSame(row, each));
	const owner = others.find((resource) => isSame(byKey(row), resource));
	const variant = candidates.find((resource) => isSameApartFromCase(row, resource));
	const inOtherCase = variant
		? `The ${value} ${nameOf(row, variant)} has the same ${key.searchBy} in another case. Write the ${key.searchBy} as this ${value} has it, or use another one.`
		: '';
	const text = owner ? `${takenText(row, owner)}.` : inOtherCase;
	return new ServiceError({ ...failure, advice: joinSentences(failure.advice, text) });
}

/** Starts an operation for all rows of a run. A dry run gets the writer that sends nothing. */
export function startOperation(operation: OperationName, run: Run): OperationRun {
	const checks = (run.memory.checks ??= new ResponseChecks(run.contract));
	const writer = run.isDryRun ? planningWriter(checks) : sendingWriter(checks);
	const code = operations[operation](run, writer);
	return {
		recovery: recoveryOf(operation, run),
		...code,
		notes: () => [...(code.notes?.() ?? []), ...checks.notes()],
		execute: async (requests, row) => {
			const result = await settled(code.execute(requests, row));
			if (result instanceof ServiceError) throw await withOwner(requests, row, result);
			return result;
		},
	};
}
