import type { OperationName } from '../contract/types';
import { create } from './create';
import { deleteOne } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import { rowByRow, type Operation } from './operation';
import { sync } from './sync';
import { update } from './update';
import { upsert } from './upsert';

/** What each operation does, one file each. */
export const operations: Readonly<Record<OperationName, Operation>> = {
	create,
	delete: rowByRow(deleteOne),
	get: rowByRow(get),
	getAll: getMany,
	sync,
	update,
	upsert,
};
