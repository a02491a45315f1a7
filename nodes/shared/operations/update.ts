import type { IDataObject } from 'n8n-workflow';
import {
	changesTo,
	currentValue,
	differences,
	encodeCurrentValue,
	isSame,
} from '../contract/compare';
import { mergeList } from '../contract/encodeRow';
import { Invalid, type WireValue } from '../contract/types';
import {
	idLock,
	keyLockOf,
	lockOf,
	type EncodedRow,
	type ListChange,
} from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { operationTable } from '../contract/operations';
import type { RowRequests } from '../transport/rowRequests';
import { rejection, ServiceError } from '../transport/failures';
import { findReferenced, readById } from './find';
import { planTargets } from './planTargets';
import { findMatches, problemsOfMatches, type Candidates, type RowProblems } from './matching';
import { idIn } from './resource';
import {
	repeatAll,
	type OperationHandler,
	type OperationRun,
	type Outcome,
	type Result,
	type Run,
} from './types';
import { writerOf } from './sendingWriter';
import type { Writer } from './writer';

/** Returns whether the fields that a row writes depend on the resource, so that it is read first. */
const readsFirst = ({ changes }: EncodedRow): boolean => changes.length > 0;

/**
 * Returns the entries of a resource's list. Null is an empty list (assumption: one resource). Any other value than a list
 * of known entries could hide entries, which the write would then remove.
 *
 * @throws ServiceError if the service does not return all entries
 */
function currentEntries(
	{ contract, options }: EncodedRow,
	{ field }: ListChange,
	resource: IDataObject,
): readonly WireValue[] {
	const current = currentValue(field, resource, options.timeZone);
	if (current === null) return [];
	const encoded = Array.isArray(current) ? encodeCurrentValue(field, current) : undefined;
	if (encoded !== undefined && !(encoded instanceof Invalid)) return encoded;
	const form = current === undefined ? '' : ' in a known form';
	throw rejection(
		`The service does not return the ${field.displayName} of the ${contract.value}${form}, so the node cannot add or remove values`,
		`Nothing was changed. Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and set all values of the ${contract.value}.`,
	);
}

/** Returns the lists to write after values were added or removed. */
const changedLists = (row: EncodedRow, resource: IDataObject): EncodedField[] =>
	row.changes.flatMap((change): EncodedField[] => {
		const { field } = change;
		const merged = mergeList(change, currentEntries(row, change, resource));
		if (merged === undefined) return [];
		return merged.length > 0
			? [{ field, values: merged }]
			: [{ field, values: field.wire.empty ?? [], cleared: true }];
	});

/** Returns the outcome of an update: Disable and Enable have their own. */
function updateOutcome({ operation }: EncodedRow): Outcome {
	const { disables } = operationTable[operation];
	if (disables === undefined) return 'updated';
	return disables ? 'disabled' : 'enabled';
}

/** Writes a row to a resource that was read: only the fields that differ. */
async function writeDifferences(
	requests: RowRequests,
	row: EncodedRow,
	writer: Writer,
	before: IDataObject,
): Promise<Result> {
	// Without Match By, no field of the row identifies the resource.
	const differing = row.options.matchBy === undefined ? changesTo : differences;
	const changed = { ...row, fields: differing(row, before) };
	const fields = [...changed.fields, ...changedLists(row, before)];
	if (fields.length === 0) return writer.keepOne(row, before);
	const id = idIn(before) ?? row.id ?? '';
	return await writer.updateOne(requests, changed, {
		id,
		fields,
		before,
		outcome: updateOutcome(row),
	});
}

/**
 * Updates the resource of one row. Writes only the fields that differ if it knows the resource.
 *
 * @param listed the resource that Match By found. It is read again if another run has written it since.
 * @throws ServiceError if a request fails, or if the response contradicts the row
 */
async function updateRow(
	requests: RowRequests,
	row: EncodedRow,
	writer: Writer,
	listed?: IDataObject,
): Promise<Result> {
	const { contract, reference } = row;
	const target = listed ?? (reference && (await findReferenced(requests, row, reference)));
	const id = idIn(target) ?? row.id ?? '';
	// Update writes all its fields to the resource of an address.
	const compared = operationTable[row.operation].disables === undefined ? listed : target;
	const isOutdated = (await requests.lock(idLock(contract, id))) && compared !== undefined;
	const before = isOutdated || readsFirst(row) ? await readById(requests, contract, id) : compared;
	if (before && compared) return await writeDifferences(requests, row, writer, before);
	const fields = before ? [...row.fields, ...changedLists(row, before)] : row.fields;
	if (before && fields.length === 0) return writer.keepOne(row, before);
	return await writer.updateOne(requests, row, { id, fields, before, outcome: updateOutcome(row) });
}

/** Returns the dry run of updates by ID or address. */
const planById = (run: Run, writer: Writer): Pick<OperationRun, 'execute' | 'prepare'> =>
	planTargets(run, writer, async (requests, row, target) => {
		if (target instanceof ServiceError) throw target;
		return await writeDifferences(requests, row, writer, target);
	});

const runById = (writer: Writer): Pick<OperationRun, 'execute'> => ({
	execute: async (requests, row) => await updateRow(requests, row, writer),
});

/**
 * Updates the resources that Match By finds for mapped rows. It finds all of them before the first write, so that a row without
 * a resource stops the run while nothing has changed.
 */
function updateMatched({ rows, isDryRun }: Run, writer: Writer): Omit<OperationRun, 'recovery'> {
	let candidatesFor: Candidates = () => [];
	let problems: RowProblems = new Map();
	return {
		prepare: async (requests) => {
			({ candidatesFor } = await findMatches(requests, rows));
			problems = problemsOfMatches(rows, candidatesFor);
		},
		problemsOf: (row) => problems.get(row) ?? [],
		execute: async (requests, row) => {
			const matches = candidatesFor(row).filter((resource) => isSame(row, resource));
			const [existing] = writer.current(row, matches);
			if (!isDryRun || !existing) return await updateRow(requests, row, writer, existing);
			await requests.lock(lockOf(row), keyLockOf(row));
			return await writeDifferences(requests, row, writer, existing);
		},
	};
}

/**
 * Changes the fields of a resource that the row sets or clears. If these depend on the values of the resource, it reads the
 * resource first. Rows with the same resource run one after the other. Disable and Enable are updates of one field.
 */
export const update: OperationHandler = (run) => {
	const writer = writerOf(run);
	const isMatched = run.rows[0]?.options.matchBy !== undefined;
	// Plans keep the rows, and a run must not.
	const byId = run.isDryRun ? planById(run, writer) : runById(writer);
	return {
		recovery: repeatAll,
		notes: () => writer.checks.notes(),
		...(isMatched ? updateMatched(run, writer) : byId),
	};
};
