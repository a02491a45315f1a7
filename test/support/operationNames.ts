import {
	operationsWith,
	type OperationName,
	type OperationTable,
} from '../../nodes/shared/contract/operations';

/** The names of the operations whose rows of the table have these properties. */
type Having<Properties> = {
	[Name in OperationName]: OperationTable[Name] extends Properties ? Name : never;
}[OperationName];

/** The operations that send the values of a row. Columns can fill these values. */
export type Write = Having<{
	readonly acceptsColumns: true;
	readonly places: { readonly optional: string };
}>;
export const writes = operationsWith(
	({ acceptsColumns, places }) => acceptsColumns && places.optional,
) as Write[];

/** The operations that change one flag of a link. Columns only find the link. */
export const switchings = operationsWith(({ disables }) => disables !== undefined) as Having<{
	readonly disables: boolean;
}>[];

/** The operations that can create a resource. */
export const creations = operationsWith(({ creates }) => creates) as Having<{
	readonly creates: string;
}>[];

/** The operations that compare a row with the resource, and write only the fields that differ. */
export const reconciliations = operationsWith(({ creates }) => creates === 'ifMissing') as Having<{
	readonly creates: 'ifMissing';
}>[];

/** The operations that take the ID of one resource. */
export const operationsById = operationsWith(({ addressedBy }) => addressedBy === 'id');
