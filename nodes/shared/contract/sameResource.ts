import { comparedValue, hasSentValue } from './compare';
import { fieldsNamed, type EncodedRow } from './encodedRow';
import type { MatchChoice, ResourceContract } from './resourceTypes';
import type { Resource } from './types';
import { canonicalId } from './idPattern';
import { normalize } from './textLimits';
import { idOf } from './readers';
import { isTextual, isUnset } from './values';

/** Returns what identifies a row's resource: its ID, or the key of its address; undefined if its fields do. */
export const identifierOf = ({ id, reference }: EncodedRow): string | undefined =>
	reference?.key ?? (id === undefined ? undefined : canonicalId(id));

/** Returns what rows can identify a resource by: its ID and the keys of its addresses. */
export function identifiersOf({ address }: ResourceContract, resource: Resource): string[] {
	const id = idOf(resource.id);
	const ids = id === null ? [] : [canonicalId(String(id))];
	return [...new Set([...(address?.keysOf(resource) ?? []), ...ids])];
}

/**
 * Returns the form of a text that the texts of a field are searched in: services differ in whether case counts, and some
 * tidy up what they are sent.
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

/** The text by which a row's resource is searched; undefined if the row has none. */
export const searchedText = (row: EncodedRow, { searchBy }: Pick<MatchFields, 'searchBy'>) =>
	fieldsNamed(row, [searchBy])[0]?.values[0]?.[1];

/** Returns the text that a row gives to find its resource by; undefined if it gives none, so that one is created. */
export const matchText = (row: EncodedRow): string | undefined =>
	row.reference?.text ?? row.id ?? (row.match.fields && searchedText(row, row.match.fields));

/** Whether the text of a resource is that of a row, apart from case; undefined if the resource has none. */
function hasText(row: EncodedRow, resource: Resource, fields: MatchFields): boolean | undefined {
	const text = resource[fields.searchBy];
	if (!isTextual(text)) return undefined;
	const form = searchForm(row.contract, fields.searchBy);
	return form(String(text)) === form(searchedText(row, fields) ?? '');
}

/** The fields that identify a row's resource together with the text that it is searched by. */
const otherFields = (row: EncodedRow, { searchBy, uniqueBy }: MatchFields) =>
	fieldsNamed(
		row,
		uniqueBy.filter((key) => key !== searchBy),
	);

/**
 * Returns whether a resource may be the row's: it has no other value of what identifies it, apart from the case of the text
 * that it is searched by.
 */
export function mayBeSame(row: EncodedRow, resource: Resource): boolean {
	const identifier = identifierOf(row);
	if (identifier !== undefined) return identifiersOf(row.contract, resource).includes(identifier);
	const { fields } = row.match;
	return (
		fields !== undefined &&
		hasText(row, resource, fields) !== false &&
		otherFields(row, fields).every(
			(field) =>
				isUnset(comparedValue(field.field, resource, row)) ||
				hasSentValue(field, resource, row) !== false,
		)
	);
}

/** Returns whether a resource is the row's: it has all that the row gives of what identifies it. */
export function isSame(row: EncodedRow, resource: Resource): boolean {
	const identifier = identifierOf(row);
	if (identifier !== undefined) return identifiersOf(row.contract, resource).includes(identifier);
	const { fields } = row.match;
	return (
		fields !== undefined &&
		searchedText(row, fields) !== undefined &&
		fieldsNamed(row, fields.uniqueBy).every((field) => hasSentValue(field, resource, row) === true)
	);
}

/** Returns whether a resource is the row's apart from the case of the text that it is searched by. */
export function isSameApartFromCase(row: EncodedRow, resource: Resource): boolean {
	const { fields } = row.match;
	return (
		identifierOf(row) === undefined &&
		fields !== undefined &&
		hasText(row, resource, fields) === true &&
		otherFields(row, fields).every((field) => hasSentValue(field, resource, row) === true)
	);
}
