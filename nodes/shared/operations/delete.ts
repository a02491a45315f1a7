import { ServiceError, settled } from '../transport/failures';
import { targetsOf } from './targets';
import type { OperationCode } from './types';

/** Deletes the resource with the ID or address of each row. */
export const deleteEach: OperationCode = (run, writer) => {
	const { value: isIgnored, label } = run.settings.ignoreMissing;
	const { prepare, find } = targetsOf(run, writer);
	return {
		prepare,
		execute: async (requests, row) => {
			let { id } = row;
			const remove = async () => {
				const target = await find(requests, row);
				({ id } = target);
				return await writer.write(requests, row, { ...target, outcome: 'deleted' });
			};
			const deleted = await settled(remove());
			if (!(deleted instanceof ServiceError)) return deleted;
			if (!deleted.failure.isMissing) throw deleted;
			if (isIgnored) return await writer.write(requests, row, { id, outcome: 'missing' });
			const advice = `${deleted.failure.advice} To treat it as deleted, turn on ${label} under Options.`;
			throw new ServiceError({ ...deleted.failure, advice });
		},
	};
};
