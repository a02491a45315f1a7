import {
	canonicalId,
	isNumber,
	isUuid,
	formulaError,
	isUnread,
	isFormulaError,
	isRecord,
	isTextual,
	isUnset,
	listOf,
	maxEntries,
	separators,
	tooMany,
	unwrapLocator,
	refused,
} from '../values';
import { type Codec, type FormParameter, type WireValue, Invalid, allValid } from '../types';
import { startsWithHttp } from './url';
import { tooLarge } from './scalar';
import { isRounded } from '../readers';

/**
 * Returns an ID as text. Returns undefined for a value that cannot be an ID: blank, not a text or number, a step in a
 * path, an address, a formula error, or a lone surrogate, which a URL cannot contain.
 */
function readId(value: unknown): string | undefined {
	const inner = unwrapLocator(value);
	const written = isTextual(inner) && typeof inner !== 'boolean' ? String(inner).trim() : '';
	const isInvalid =
		['', '.', '..'].includes(written) ||
		isRounded(inner) ||
		isUnread(written) ||
		isFormulaError(written) ||
		startsWithHttp(written);
	return isInvalid || !written.isWellFormed() ? undefined : written;
}

function noId(value: unknown, property: FormParameter): Invalid {
	const written = unwrapLocator(value);
	if (isRounded(written)) return refused(written, property, tooLarge);
	if (isFormulaError(written)) return refused(written, property, formulaError);
	const isUrl = typeof written === 'string' && startsWithHttp(written.trim());
	const what = isUrl ? 'is a URL, not an ID' : 'is not an ID';
	return refused(written, property, `${what}; enter the ID that the service shows, such as 42`);
}

/** Matches a number with other text, such as `12, 13`. Databases read it as 12. */
const startsWithNumber = /^\d+[^\p{L}\p{N}_-]/u;

/**
 * An ID in a path, which stays as the user writes it. The contract shows neither type nor length (2.1), so the codec accepts
 * any text that can be an ID, and is no number with other text.
 */
export const pathId: Codec = (value, property) => {
	const text = readId(value);
	return !text || startsWithNumber.test(text) ? noId(value, property) : [['', text]];
};

/** Returns an address that is the name of a domain. */
const domainNameIn = (value: unknown): string | undefined =>
	typeof value === 'string' && startsWithHttp(value.trim()) && value.isWellFormed()
		? value.trim()
		: undefined;

/** Returns the ID or the name of an object from the service, and any other value as it is. */
const idOrName = (value: unknown): unknown =>
	isRecord(value) ? (isUnset(value.id) ? value.name : value.id) : value;

/**
 * Returns the ID for a value, without leading zeros so that different spellings are equal. Digits, a UUID, a value that the
 * user selected from a list and a value of the service are an ID; any other text is a name. Undefined if there is none.
 */
function idFor(value: unknown, suffix: string, isAnswer = false): WireValue | undefined {
	const inner = unwrapLocator(value);
	const text = isAnswer
		? readId(inner)
		: (readId(idOrName(inner)) ?? domainNameIn(idOrName(inner)));
	if (text === undefined) return undefined;
	if (isNumber(text)) return [suffix, canonicalId(text)];
	const isId = isAnswer || isUuid(text) || (isRecord(value) && value.mode === 'list');
	return isId ? [suffix, text] : [suffix, text, true];
}

/** The ID of a resource that a field refers to, or its name. */
export const id: Codec = (value, property, { isAnswer } = {}) => {
	const wireValue = idFor(value, '', isAnswer);
	return wireValue ? [wireValue] : noId(value, property);
};

/** Returns the entries of a list; undefined if it is none. A name may start with a bracket. A cell may end with a separator. */
function idEntries(value: unknown, isAnswer = false): readonly unknown[] | undefined {
	if (typeof value === 'number') return [value];
	const entries = listOf(value);
	if (isAnswer || typeof value !== 'string') return entries;
	return (entries ?? value.split(separators))
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry));
}

/**
 * A list of IDs or names, sent as PHP reads an array: `key[]=1&key[]=2` (assumption: pixel ids are an array). Accepts a list in
 * any form, or a single ID. An ID of the service contains no separator, quote or bracket.
 */
export const idList: Codec = (value, property, { isAnswer } = {}) => {
	const entries = idEntries(value, isAnswer);
	if (!entries) {
		return refused(value, property, 'is not a list of IDs; write it as 3,8 or as [3, 8]');
	}
	if (entries.length > maxEntries) return new Invalid([tooMany('IDs')]);
	const ids = allValid(
		entries.map((entry) => {
			const inner = isAnswer && isRecord(entry) ? entry.id : entry;
			const hasSeparator = isAnswer && /[\s,;"'{}[\]]/.test(readId(inner) ?? '');
			return (hasSeparator ? undefined : idFor(inner, '[]', isAnswer)) ?? noId(entry, property);
		}),
	);
	return ids instanceof Invalid ? ids : distinct(ids);
};

/** Returns values without those that repeat an earlier one. */
export const distinct = (values: readonly WireValue[]): readonly WireValue[] => [
	...new Map(values.map((value) => [JSON.stringify(value), value])).values(),
];
