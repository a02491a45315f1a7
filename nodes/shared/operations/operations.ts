import type { OperationName } from '../contract/types';
import { create } from './create';
import { deleteEach } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import type { OperationHandler } from './types';
import { sync } from './sync';
import { update } from './update';
import { upsert } from './upsert';

/** What each operation does, one file each. */
export const operations: Readonly<Record<OperationName, OperationHandler>> = {
	create,
	delete: deleteEach,
	get,
	getAll: getMany,
	sync,
	update,
	upsert,
};
