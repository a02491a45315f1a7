/** The code of each operation of `contract/operations.ts`, under the operation's name. */
export { create } from './create';
export { deleteEach as delete } from './delete';
export { get } from './get';
export { getMany as getAll } from './getMany';
export { getQrCode } from './getQrCode';
export { sync } from './sync';
export { update, update as disable, update as enable } from './update';
export { upsert } from './upsert';
