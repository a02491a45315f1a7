/** The code of each operation of `contract/operations.ts`, under the operation's name. */
export { create } from './create';
export { deleteEach as delete } from './delete';
export { get, getMany as getAll, getQrCode } from './reads';
export { sync } from './sync';
export { update, update as disable, update as enable } from './update';
export { upsert } from './upsert';
