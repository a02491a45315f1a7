import { ServiceError, settled } from '../transport/failures';
import { isMissing } from './find';
import { targetsOf } from './targets';
import type { OperationHandler } from './types';
import { writerOf } from './writer';

/** Deletes the resource with the ID or address of each row. */
export const deleteEach: OperationHandler = (run) => {
	const { value: isIgnored, label } = run.settings.ignoreMissing;
	const writer = writerOf(run);
	const { prepare, find } = targetsOf(run, writer);
	return {
		recovery: `Fix the failures and run the node again with all items${isIgnored ? '' : ` and ${label} under Options`}: items that are done do not change.`,
		prepare,
		execute: async (requests, row) => {
			let { id } = row;
			const remove = async () => {
				const target = await find(requests, row);
				({ id } = target);
				return await writer.removeOne(requests, row, { id, existing: target.resource });
			};
			const deleted = await settled(remove());
			if (!(deleted instanceof ServiceError)) return deleted;
			if (!isMissing(deleted)) throw deleted;
			if (isIgnored) return writer.missingOne(row, id);
			const advice = `${deleted.failure.advice} To treat it as deleted, turn on ${label} under Options.`;
			throw new ServiceError({ ...deleted.failure, advice });
		},
	};
};
