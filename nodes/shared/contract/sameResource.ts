import { hasValue, showsOther } from './compare';
import { fieldsNamed, sentTextOf, type EncodedRow } from './encodedRow';
import type { MatchChoice, ResourceContract } from './resourceTypes';
import type { Resource } from './types';
import { canonicalId } from './ids';
import { normalize } from './textLimits';
import { idOf } from './readers';
import { isTextual } from './values';

/** Returns the ID or normalized address that identifies a row's resource; undefined if its fields do. */
export const identifierOf = ({ id, reference }: EncodedRow): string | undefined =>
	reference?.key ?? (id === undefined ? undefined : canonicalId(id));

/** Returns the identifiers of a resource: its ID and its normalized addresses. */
export function identifiersOf({ address }: ResourceContract, resource: Resource): string[] {
	const id = idOf(resource.id);
	const ids = id === null ? [] : [canonicalId(String(id))];
	return [...new Set([...(address?.keysOf(resource) ?? []), ...ids])];
}

/** Returns whether a resource has the identifier of a row. */
const hasIdentifier = (row: EncodedRow, resource: Resource, identifier: string): boolean =>
	identifiersOf(row.contract, resource).includes(identifier);

/**
 * Returns a function that normalizes texts of a field for searching. Services differ in whether case matters, and
 * some normalize texts that they store.
 */
export function searchForm(
	{ fields }: ResourceContract,
	searchBy: string,
): (text: string) => string {
	const field = fields.find(({ wire }) => wire.key === searchBy);
	return (text) => {
		const composed = normalize(text, 'NFC');
		return (field?.wire.comparable?.(composed, '') ?? composed).trim().toLowerCase();
	};
}

type MatchFields = NonNullable<MatchChoice['fields']>;

/**
 * Returns the text that identifies a row's resource; undefined if there is none, so that the row creates a resource.
 */
export const matchText = (row: EncodedRow): string | undefined =>
	row.reference?.text ?? row.id ?? (row.match.fields && sentTextOf(row, row.match.fields.searchBy));

/**
 * Returns whether a resource has the search text of a row, ignoring case; undefined if the resource does not show it.
 */
function hasText(row: EncodedRow, resource: Resource, fields: MatchFields): boolean | undefined {
	const text = resource[fields.searchBy];
	if (!isTextual(text)) return undefined;
	const form = searchForm(row.contract, fields.searchBy);
	return form(String(text)) === form(sentTextOf(row, fields.searchBy) ?? '');
}

/** Returns the fields that identify a row's resource, without the search text. */
const otherFields = (row: EncodedRow, { searchBy, uniqueBy }: MatchFields) =>
	fieldsNamed(
		row,
		uniqueBy.filter((key) => key !== searchBy),
	);

/**
 * Returns whether a resource may be the row's resource: no identifying value differs, ignoring the case of the search
 * text.
 */
export function mayBeSame(row: EncodedRow, resource: Resource): boolean {
	const identifier = identifierOf(row);
	if (identifier !== undefined) return hasIdentifier(row, resource, identifier);
	const { fields } = row.match;
	return (
		fields !== undefined &&
		hasText(row, resource, fields) !== false &&
		otherFields(row, fields).every((field) => !showsOther(field, resource, row))
	);
}

/** Returns whether a resource is the row's resource: it has all identifying values of the row. */
export function isSame(row: EncodedRow, resource: Resource): boolean {
	const identifier = identifierOf(row);
	if (identifier !== undefined) return hasIdentifier(row, resource, identifier);
	const { fields } = row.match;
	return (
		fields !== undefined &&
		sentTextOf(row, fields.searchBy) !== undefined &&
		fieldsNamed(row, fields.uniqueBy).every((field) => hasValue(field, resource, row))
	);
}

/** Returns whether a resource is the row's resource if the case of the search text is ignored. */
export function isSameApartFromCase(row: EncodedRow, resource: Resource): boolean {
	const { fields } = row.match;
	return (
		identifierOf(row) === undefined &&
		fields !== undefined &&
		hasText(row, resource, fields) === true &&
		otherFields(row, fields).every((field) => hasValue(field, resource, row))
	);
}
