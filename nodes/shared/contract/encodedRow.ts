import type { Param } from './endpoints';
import type { EncodedField, RowRewrite, RowValues } from './fieldTypes';
import type { MatchChoice, ResourceContract, ResourceReference } from './resourceTypes';
import type { Scope } from './scope';
import type { OperationName } from './types';

/** Values that are added to what a resource has, or removed from it. */
export interface ListChange extends EncodedField {
	readonly mode: 'add' | 'remove';
}

/** What a row asks for, encoded and checked, before anything of it is sent. */
export interface EncodedRow extends RowValues {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	/** How the row finds its resource, unless it has an ID or a reference. */
	readonly match: MatchChoice;
	/** The ID of its resource as it was given. */
	readonly id?: string;
	/** What was given in place of an ID. */
	readonly reference?: ResourceReference;
	/** The field whose values depend on what the resource has; it is none of `fields`. */
	readonly change?: ListChange;
	/** How the resource's own texts are rewritten. Set if the row does not give these texts. */
	readonly rewrite?: RowRewrite;
	/** How many results of a list are wanted; Infinity for all. */
	readonly limit: number;
	/** What the resource is to lie in, for Sync. */
	readonly scope: Scope;
	/** Set where the row left out what it is known by, and an option gave it. */
	readonly isKeyGenerated: boolean;
	/** Why nothing may be created of the row, though what exists can be updated. */
	readonly incompleteFields: readonly Problem[];
	/** Why some fields must not be written, though the row may have what is there already. */
	readonly forbidden: readonly ForbiddenFields[];
}

/** Fields that must not be written. */
export interface ForbiddenFields {
	/** Names of the fields. */
	readonly fields: readonly string[];
	readonly problem: Problem;
}

/** What is wrong with one field of one row: its display name and contract name, and a clause that ends with the remedy. */
export interface Problem {
	readonly field: string;
	readonly key: string;
	readonly reason: string;
	/** Whether no row can be executed then, because all rows must agree on it. */
	readonly isRunLevel?: true;
}

/** Whether a row could be encoded. */
export const isEncoded = (encoded: EncodedRow | readonly Problem[]): encoded is EncodedRow =>
	'contract' in encoded;

/** The params of fields, as they are sent. */
export const paramsOf = (fields: readonly EncodedField[]): Param[] =>
	fields.flatMap(({ field, values }) =>
		values.map(([suffix, text]) => [`${field.wire.key}${suffix}`, text] as const),
	);

/** Returns the passwords that a row sends. */
export const secretsOf = ({ fields }: Pick<RowValues, 'fields'>): string[] =>
	fields
		.filter(({ field, cleared }) => field.typeOptions?.password && !cleared)
		.flatMap(({ values }) => values.map(([, secret]) => secret));

/** The fields that a create sends: it has nothing to clear. */
export const fieldsToCreate = ({ fields }: RowValues): EncodedField[] =>
	fields.filter(({ cleared }) => !cleared);

/** The fields of a row whose contract keys are named. */
export const fieldsNamed = ({ fields }: RowValues, keys: readonly string[]): EncodedField[] =>
	fields.filter(({ field }) => keys.includes(field.wire.key));

/** The text that a row's resource can be found by in the list, or undefined where the row gave none. */
export function searchTextOf(row: EncodedRow): string | undefined {
	const [searched] = fieldsNamed(row, [row.contract.key.searchBy]);
	return searched?.values[0]?.[1];
}

/** What a row locks whose resource Match By finds otherwise than by its alias or name. */
export function lockOf({ contract, match, id, reference, fields }: EncodedRow): string | undefined {
	if (reference) return `${contract.path}?${reference.search.toLowerCase()}`;
	if (id !== undefined) return `${contract.path}/${id}`;
	const key = match.fields?.searchBy;
	const text = fields.find(({ field }) => field.wire.key === key)?.values[0]?.[1];
	return key === undefined || key === contract.key.searchBy || text === undefined
		? undefined
		: `${contract.path}?${key}=${text}`;
}

/** What a row that is found by a text works on, so that rows of the same text can take turns; undefined for others. */
export function keyLockOf(row: EncodedRow): string | undefined {
	const text = searchTextOf(row)?.toLowerCase();
	return text === undefined ? undefined : `${row.contract.path}?${text}`;
}
