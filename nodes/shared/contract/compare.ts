import { fieldsNamed, fieldsToCreate, type EncodedRow, sentTextOf } from './encodedRow';
import { type Resource, type WireValue, allValid, Invalid } from './types';
import type { Comparison, EncodedField, Field, RowValues, ResourceContract } from './resourceTypes';
import { fits } from './scope';
import { normalize } from './text';
import { fixedKeys } from './layout';
import { isEmpty, isSecret, isTextual, isUnset, canonicalId } from './values';
import { flagOf, idOf } from './readers';

/** Returns the values of each entry of a list: the key and address of a rule, or a single text. */
export function entriesOf(values: readonly WireValue[]): WireValue[][] {
	const entries = new Map<string, WireValue[]>();
	for (const [index, value] of values.entries()) {
		const entry = value[0].match(/^\[\d+\]/)?.[0] ?? String(index);
		entries.set(entry, [...(entries.get(entry) ?? []), value]);
	}
	return [...entries.values()];
}

/** Returns the texts of each entry. */
export const entryTexts = (values: readonly WireValue[]): string[][] =>
	entriesOf(values).map((entry) => entry.map(([, text]) => text));

/** Returns the values of a field in normalized form. */
export const comparableValues = ({ wire }: Field, values: readonly WireValue[]): WireValue[] =>
	values.map(([suffix, text]) => {
		const composed = normalize(text, 'NFC');
		return [suffix, wire.comparable?.(composed, suffix) ?? composed];
	});

/**
 * Returns the values as one text. Sorts them if their order has no meaning: IDs of an array, and rules with keys.
 *
 * @param isLoose whether case, order and repetitions do not matter
 */
function comparable(field: Field, values: readonly WireValue[], isLoose: boolean): string {
	const form = (text: string) => (isLoose ? text.toLowerCase() : text);
	const entries = entryTexts(comparableValues(field, values));
	const texts = entries.map((entry) => JSON.stringify(entry.map(form)));
	if (isLoose) return [...new Set(texts)].sort().join();
	const hasOrder = !values.some(([suffix]) => suffix === '[]' || suffix.endsWith('[key]'));
	return (hasOrder ? texts : texts.sort()).join();
}

/** Encodes a value of a resource. Accepts only the values that the contract lists. */
export const encodeCurrentValue = (field: Field, value: unknown) =>
	field.wire.codec(value, field, { isAnswer: true });

/**
 * Returns the value that a resource has for a field: undefined if the resource does not show it, null if it is empty.
 *
 * @param timeZone IANA name of the account's time zone
 */
export function currentValue({ wire }: Field, resource: Resource, timeZone: string): unknown {
	const value = wire.currentValue ? wire.currentValue(resource, timeZone) : resource[wire.key];
	// A text with a lone surrogate differs from every row, because no row can contain one.
	return typeof value === 'string' ? value.toWellFormed() : value;
}

/** Returns whether a value of a resource is empty. A password that is not set is false (assumption: one resource). */
const isBare = (field: Field, value: unknown): boolean =>
	isEmpty(value, field) || (isSecret(field) && flagOf(value) === false);

/**
 * Returns whether a value of a resource is empty. The default in the contract (2.1) counts as empty, because a
 * response may contain it in place of null.
 */
const isNothing = (field: Field, value: unknown): boolean =>
	isBare(field, value) ||
	(field.wire.createDefault !== undefined && String(value) === field.wire.createDefault);

/** Returns whether a resource shows a value of a field that is neither empty nor the default of the contract. */
export function showsValue(field: Field, resource: Resource, { options }: RowValues): boolean {
	const value = currentValue(field, resource, options.timeZone);
	return value !== undefined && !isNothing(field, value);
}

/** Compares values that are set with the value that a resource shows. */
function compareValues(field: Field, values: readonly WireValue[], current: unknown): Comparison {
	if (isBare(field, current)) return 'different';
	if (isSecret(field)) return 'unknown';
	const encoded = encodeCurrentValue(field, current);
	if (encoded instanceof Invalid) return 'unknown';
	const isSameText = (isLoose: boolean) =>
		comparable(field, encoded, isLoose) === comparable(field, values, isLoose);
	if (isSameText(false)) return 'same';
	return isSameText(true) ? 'similar' : 'different';
}

/**
 * Compares a field of a row with a resource. For a secret, the service only returns whether it is set (assumption: one
 * resource).
 */
export function compare(sent: EncodedField, resource: Resource, row: RowValues): Comparison {
	const { field, values, cleared } = sent;
	const { timeZone } = row.options;
	const value = currentValue(field, resource, timeZone);
	if (value === undefined) return 'unknown';
	if (cleared) return isNothing(field, value) ? 'same' : 'different';
	// Saves most rows the encoding and the normalization.
	const [[suffix, text] = [], ...others] = values;
	const isText = suffix === '' && others.length === 0 && isTextual(value);
	if (isText && String(value) === text && !isSecret(field)) return 'same';
	const { compare: ownComparison, createDefault, empty } = field.wire;
	if (!isUnset(value)) {
		return ownComparison?.(resource, values, timeZone) ?? compareValues(field, values, value);
	}
	// Null is the default of a field that can be empty (contract 2.1). Of any other field, it shows no value.
	if (createDefault === undefined || createDefault === '') return 'different';
	return empty ? compareValues(field, values, createDefault) : 'unknown';
}

/** Returns whether a resource has the value of a row's field. */
export const hasValue = (sent: EncodedField, resource: Resource, row: RowValues): boolean =>
	compare(sent, resource, row) === 'same';

/** Returns whether a resource shows another value than a row's field. */
const isOther = (comparison: Comparison): boolean =>
	comparison === 'different' || comparison === 'similar';

/**
 * Compares a field with the response to its write. A missing value is unknown, and so is an empty value of a secret, of a field
 * that cannot be empty, and of a field that is off (assumption: responses to writes). A similar value that the resource had
 * before the write is different: the service did not store the new one.
 *
 * @param before the resource before an update, if it was read
 */
export function compareResponse(
	sent: EncodedField,
	answer: Resource,
	row: RowValues,
	before?: Resource,
): Comparison {
	const shown = (resource: Resource) => currentValue(sent.field, resource, row.options.timeZone);
	const value = shown(answer);
	const { empty: canBeEmpty, isOff } = sent.field.wire;
	const isHidden = !canBeEmpty || isSecret(sent.field) || isOff?.(row);
	if (value === undefined || (isHidden && isEmpty(value, sent.field))) return 'unknown';
	const comparison = compare(sent, answer, row);
	if (comparison !== 'similar' || !before) return comparison;
	return JSON.stringify(shown(before)) === JSON.stringify(value) ? 'different' : 'similar';
}

/** Returns the fields of the unique key that a response contradicts, so that it is the response of another resource. */
export const otherIdentity = (row: EncodedRow, answer: Resource): EncodedField[] =>
	fieldsNamed(row, row.contract.key.uniqueBy).filter(
		(sent) => compareResponse(sent, answer, row) === 'different',
	);

/**
 * Returns the unique key of a resource as one text; undefined if the resource does not show all of it.
 *
 * @param row any row of the run
 */
export function uniqueKeyOf(row: EncodedRow, resource: Resource): string | undefined {
	const { fields, key } = row.contract;
	const values = fields
		.filter(({ wire }) => key.uniqueBy.includes(wire.key))
		.map((field) => currentValue(field, resource, row.options.timeZone));
	return values.every((value) => isTextual(value) && !isUnset(value))
		? JSON.stringify(values.map(String))
		: undefined;
}

/**
 * Returns whether a resource has all values of a row, ignoring its unique key and secrets, which responses do not show.
 */
export function hasValuesOf(row: EncodedRow, resource: Resource): boolean {
	const { uniqueBy } = row.contract.key;
	const compared = fieldsToCreate(row).filter(
		({ field }) => !uniqueBy.includes(field.wire.key) && !isSecret(field),
	);
	return compared.length > 0 && compared.every((field) => hasValue(field, resource, row));
}

/** Returns the fields that cannot be updated and whose value differs from the resource. */
export const unchangeable = (row: EncodedRow, resource: Resource): EncodedField[] =>
	row.fields.filter((sent) => !sent.field.wire.on.update && isOther(compare(sent, resource, row)));

/** Returns the fields whose value differs from the resource or is not shown. */
export const changesTo = (row: EncodedRow, resource: Resource): EncodedField[] =>
	row.fields.filter((field) => !hasValue(field, resource, row));

/** Returns `changesTo` without the fields that identify the resource or cannot be updated. */
export function differences(row: EncodedRow, resource: Resource): EncodedField[] {
	const unwritten = fixedKeys(row.contract, row.match);
	return changesTo(row, resource).filter(({ field }) => !unwritten.includes(field.wire.key));
}

/**
 * Returns whether a create of this row may have created a resource: no value differs from the row, or from the
 * default of a field that the row does not send (contract 2.1).
 */
export function mayBeCreatedBy(row: EncodedRow, resource: Resource): boolean {
	const written = fieldsToCreate(row);
	const defaults = row.contract.fields.flatMap((field): EncodedField[] => {
		if (written.some((encoded) => encoded.field === field)) return [];
		const { createDefault } = field.wire;
		const value = currentValue(field, resource, row.options.timeZone);
		if (createDefault === undefined || isUnset(value)) return [];
		return [{ field, values: [['', createDefault]], cleared: createDefault === '' }];
	});
	return [...written, ...defaults].every((sent) => !isOther(compare(sent, resource, row)));
}

/** What a resource is compared with: the scope of a row, or the filters of the trigger. */
type Scoped = Pick<EncodedRow, 'scope'> & { readonly options: { readonly timeZone: string } };

/** Returns whether a resource is in a scope; undefined if the resource does not show it. */
export function isWithin({ scope, options }: Scoped, resource: Resource): boolean | undefined {
	const answers = scope.map((entry): boolean | undefined => {
		const { field, values: own } = entry;
		const current = currentValue(field, resource, options.timeZone);
		const isShown = field.wire.compare?.(resource, own, options.timeZone) !== 'unknown';
		if (current === undefined || !isShown) return undefined;
		// Of a list, such as the attached pixels, one entry must match.
		const values = Array.isArray(current) ? current : isUnset(current) ? [] : [current];
		const encoded = allValid(values.map((each: unknown) => encodeCurrentValue(entry.field, each)));
		if (encoded instanceof Invalid) return undefined;
		return encoded.flat().some(([, text]) => fits(entry, text));
	});
	if (answers.includes(false)) return false;
	return answers.includes(undefined) ? undefined : true;
}

/** Returns whether a resource may be in a scope. A service may show null in place of a value. */
export function mayBeWithin(scoped: Scoped, resource: Resource): boolean {
	const shown = Object.entries(resource).filter(([, value]) => value !== null);
	return isWithin(scoped, Object.fromEntries(shown)) !== false;
}

/** Returns the ID or normalized address that identifies a row's resource; undefined if its fields do. */
export const identifierOf = ({ id, reference }: EncodedRow): string | undefined =>
	reference?.key ?? (id === undefined ? undefined : canonicalId(id));

/**
 * Returns a function that normalizes texts of a field for searching. Services differ in whether case matters, and
 * some normalize texts that they store.
 */
export function searchForm({ fields }: ResourceContract, searchBy: string) {
	const field = fields.find(({ wire }) => wire.key === searchBy);
	return (text: string): string => {
		const composed = normalize(text, 'NFC');
		return (field?.wire.comparable?.(composed, '') ?? composed).trim().toLowerCase();
	};
}

/**
 * Returns the text that identifies a row's resource; undefined if there is none, so that the row creates a resource.
 */
export const matchText = (row: EncodedRow): string | undefined =>
	row.reference?.text ?? row.id ?? (row.match.fields && sentTextOf(row, row.match.fields.searchBy));

/**
 * Compares what identifies a row's resource with a resource: the ID or address, or the fields of Match By. Similar resources
 * differ only in the case of the search text. Unknown if the resource does not show all of it, and nothing differs.
 */
export function compareIdentity(row: EncodedRow, resource: Resource): Comparison {
	const identifier = identifierOf(row);
	const { fields } = row.match;
	if (identifier !== undefined || !fields) {
		const id = canonicalId(String(idOf(resource.id) ?? ''));
		const identifiers = [id, ...(row.contract.address?.keysOf(resource) ?? [])];
		return identifiers.some((each) => each === identifier) ? 'same' : 'different';
	}
	const { searchBy, uniqueBy } = fields;
	const sent = fieldsNamed(row, uniqueBy);
	const [searched] = sent.filter(({ field }) => field.wire.key === searchBy);
	const others = sent.filter((each) => each !== searched);
	const haveValues = others.every((each) => hasValue(each, resource, row));
	if (!haveValues && others.some((each) => isOther(compareResponse(each, resource, row)))) {
		return 'different';
	}
	if (haveValues && searched && hasValue(searched, resource, row)) return 'same';
	const shown = resource[searchBy];
	if (!isTextual(shown)) return 'unknown';
	// Only an alias or a name may differ in case.
	if (searchBy !== row.contract.key.searchBy)
		return searched && hasValue(searched, resource, row) ? 'unknown' : 'different';
	const form = searchForm(row.contract, searchBy);
	if (form(String(shown)) !== form(sentTextOf(row, searchBy) ?? '')) return 'different';
	return haveValues ? 'similar' : 'unknown';
}

/** Returns whether a resource is the row's resource: it has all identifying values of the row. */
export const isSame = (row: EncodedRow, resource: Resource): boolean =>
	compareIdentity(row, resource) === 'same';

/** Returns whether a resource has all identifying values of a row, but the search text in another case. */
export const isSameApartFromCase = (row: EncodedRow, resource: Resource): boolean =>
	compareIdentity(row, resource) === 'similar';
