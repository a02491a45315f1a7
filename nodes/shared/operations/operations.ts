import type { OperationName } from '../contract/types';
import { create } from './create';
import { deleteOne } from './delete';
import { get } from './get';
import { getMany } from './getMany';
import type { Execute } from './operation';
import { update } from './update';
import { upsert } from './upsert';

/** What each operation does, one file each. */
export const operations: Readonly<Record<OperationName, Execute>> = {
	create,
	delete: deleteOne,
	get,
	getAll: getMany,
	update,
	upsert,
};
