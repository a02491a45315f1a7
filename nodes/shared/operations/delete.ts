import type { EncodedRow } from '../contract/encodedRow';
import { ServiceError, settled } from '../transport/failures';
import type { RowRequests } from '../transport/rowRequests';
import { deletedOutput, isMissing } from './deleteById';
import { resolveId } from './find';
import { plannedItem } from './planningWriter';
import { planTargets } from './planTargets';
import { idIn } from './resource';
import {
	resultOf,
	type OperationHandler,
	type OperationRun,
	type Result,
	type Run,
	type Setting,
} from './types';
import { writerOf } from './sendingWriter';
import type { Writer } from './writer';

/** @throws ServiceError unless the resource is missing and Ignore Missing is on */
function checkIgnored(error: ServiceError, { value: isIgnored, label }: Setting<boolean>): void {
	if (!isMissing(error)) throw error;
	if (isIgnored) return;
	const advice = `${error.failure.advice} To treat it as deleted, turn on ${label} under Options.`;
	throw new ServiceError({ ...error.failure, advice });
}

/** Returns the ID or address of a row. */
const targetTextOf = ({ id, reference }: EncodedRow) => reference?.text ?? id;

/** Returns the dry run of deletes. */
const planDeletes = (run: Run, writer: Writer): Pick<OperationRun, 'execute' | 'prepare'> =>
	planTargets(run, writer, async (requests, row, target) => {
		if (!(target instanceof ServiceError)) {
			const deletion = { id: idIn(target) ?? '', existing: target };
			return await writer.removeOne(requests, row, deletion);
		}
		checkIgnored(target, run.settings.ignoreMissing);
		const missing = { id: targetTextOf(row) };
		return plannedItem(row, { outcome: 'missing', existing: missing, note: 'Already deleted' });
	});

/** Deletes the resource of a row, unless it is missing. */
async function deleteRow(
	requests: RowRequests,
	row: EncodedRow,
	writer: Writer,
	ignoreMissing: Setting<boolean>,
): Promise<Result> {
	const id = await settled(resolveId(requests, row));
	const deleted =
		id instanceof ServiceError ? id : await settled(writer.removeOne(requests, row, { id }));
	if (!(deleted instanceof ServiceError)) return deleted;
	checkIgnored(deleted, ignoreMissing);
	const missing = id instanceof ServiceError ? targetTextOf(row) : id;
	return resultOf(row, 'missing', deletedOutput(missing, false));
}

/** Deletes the resource with the ID or address of each row. */
export const deleteEach: OperationHandler = (run) => {
	const { ignoreMissing } = run.settings;
	const writer = writerOf(run);
	const again = ignoreMissing.value ? '' : ` and ${ignoreMissing.label} under Options`;
	return {
		recovery: `Fix the failures and run the node again with all items${again}: items that are done do not change.`,
		// Plans keep the rows, and a run must not.
		...(run.isDryRun ? planDeletes(run, writer) : runDeletes(writer, ignoreMissing)),
	};
};

const runDeletes = (
	writer: Writer,
	ignoreMissing: Setting<boolean>,
): Pick<OperationRun, 'execute'> => ({
	execute: async (requests, row) => await deleteRow(requests, row, writer, ignoreMissing),
});
