import type { IDataObject } from 'n8n-workflow';
import { differences, comparedValue } from '../contract/compare';
import { fieldsNamed, type EncodedRow, type ListChange } from '../contract/encodedRow';
import type { EncodedField, RowRewrite, Field } from '../contract/fieldTypes';
import { rewritten, tooLongIn } from '../contract/rewrite';
import { Invalid, type WireValue } from '../contract/types';
import { encodeCurrentValue } from '../contract/currentValue';
import { isEmpty, isUnset } from '../contract/values';
import { rejection } from '../transport/serviceError';

/** Whether the fields that a row writes depend on what the resource has, so that it is read first. */
export const readsFirst = ({ change, rewrite }: EncodedRow): boolean =>
	change !== undefined || rewrite !== undefined;

/**
 * The values that a resource has of a list.
 *
 * @throws ServiceError where its description does not tell all of them
 */
function currentEntries(
	{ field }: ListChange,
	resource: IDataObject,
	row: EncodedRow,
): readonly WireValue[] {
	const held = comparedValue(field, resource, row);
	const encoded = Array.isArray(held) ? encodeCurrentValue(field, held) : undefined;
	if (encoded !== undefined && !(encoded instanceof Invalid)) return encoded;
	throw rejection(
		`The service does not tell which ${field.wire.key} the resource has, so none can be added or removed`,
		`Nothing was changed. Set ${field.wire.merge?.displayName ?? 'the mode'} to Replace, and give all values that it shall have.`,
	);
}

/** The whole list as it is to be, after values were added to it or removed from it; undefined where it stays. */
function changedList(change: ListChange, held: readonly WireValue[]): EncodedField | undefined {
	const { field, mode, values } = change;
	const named = new Set(values.map(([, text]) => text));
	const others = held.filter(([, text]) => !named.has(text));
	const changed = mode === 'remove' ? others : [...others, ...values];
	if (changed.length === held.length) return undefined;
	return changed.length > 0
		? { field, values: changed }
		: { field, values: field.wire.empty ?? [], cleared: true };
}

/** The failure of a row that would rewrite a field which the service does not show, or not in a form that can be read. */
const notShown = (field: Field, { contract }: EncodedRow, { source, fields }: RowRewrite) =>
	rejection(
		`The service does not show ${field.displayName} of the ${contract.value} in a form that can be read, so ${source.displayName} cannot be applied`,
		`Nothing was changed. Set ${fields[0]?.displayName ?? field.displayName} in the row as well; then only what the row gives is changed.`,
	);

/**
 * Returns the values that a resource has of a field; none if the field is empty.
 *
 * @throws ServiceError if the service does not show them
 */
function shownValues(
	field: Field,
	resource: IDataObject,
	row: EncodedRow,
	rewrite: RowRewrite,
): readonly WireValue[] {
	const held = comparedValue(field, resource, row);
	const { createDefault } = field.wire;
	// An empty field has its default (contract 2.1). Without one, it cannot be empty, so it is not shown.
	const current = isUnset(held) && held !== undefined ? createDefault : held;
	if (current === undefined) throw notShown(field, row, rewrite);
	if (isEmpty(current, field)) return [];
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid) throw notShown(field, row, rewrite);
	return encoded;
}

/** Whether a field will be in force after the row was written: another field may decide that, such as the target type. */
function isInForce(
	{ wire }: Field,
	resource: IDataObject,
	row: EncodedRow,
	rewrite: RowRewrite,
): boolean {
	const [name, wanted] = wire.implies ?? [];
	const decisive = row.contract.fields.find((field) => field.name === name);
	if (!decisive) return true;
	const [given] = fieldsNamed(row, [decisive.wire.key]);
	const values = given?.values ?? shownValues(decisive, resource, row, rewrite);
	return values[0]?.[1] === wanted;
}

/**
 * Returns the fields of a resource that a row's rewrite changes.
 *
 * @throws ServiceError if the service does not show them, or if a text would be too long
 */
function rewrittenFields(
	row: EncodedRow,
	rewrite: RowRewrite,
	resource: IDataObject,
): EncodedField[] {
	const isLeft = (field: Field) => !row.fields.some((one) => one.field === field);
	const before = rewrite.fields
		.filter((field) => isLeft(field) && isInForce(field, resource, row, rewrite))
		.map(
			(field): EncodedField => ({
				field,
				values: shownValues(field, resource, row, rewrite),
			}),
		);
	const after = before.map((one) => rewritten(rewrite, one));
	const changed = differences({ ...row, fields: after }, resource).filter(
		({ values }) => values.length > 0,
	);
	for (const one of changed) {
		const old = before.find(({ field }) => field === one.field) ?? one;
		const [reason] = tooLongIn(rewrite, old, one);
		if (reason !== undefined) {
			throw rejection(
				`${one.field.displayName} ${reason}`,
				`Nothing was changed. The address is one that the ${row.contract.value} has, not one of the row.`,
			);
		}
	}
	return changed;
}

/**
 * Returns the fields that an update writes, given what the resource has: those that the row sets or clears, a list that
 * values are added to or removed from, and the texts of the resource that the row rewrites. Empty if nothing changes.
 *
 * @throws ServiceError if the service does not show what they depend on
 */
export function changesFor(row: EncodedRow, resource: IDataObject): readonly EncodedField[] {
	const { change, fields, rewrite } = row;
	const list = change && changedList(change, currentEntries(change, resource, row));
	const texts = rewrite ? rewrittenFields(row, rewrite, resource) : [];
	return [...fields, ...(list ? [list] : []), ...texts];
}
