import { canonicalId, isNumber, isUuid } from '../ids';
import { startsWithHttp, tooLarge } from './scalar';
import { isRounded } from '../readers';
import { Invalid, allValid, type Codec, type FormParameter, type NameLookup } from '../types';
import {
	formulaError,
	isBrokenDate,
	isFormulaError,
	isRecord,
	isTextual,
	isUnset,
	listOf,
	maxEntries,
	quote,
	separators,
	tooMany,
	unwrapLocator,
} from '../values';

/**
 * Returns an ID as text. Returns undefined for a value that cannot be an ID: blank, not a text or number, a step in a
 * path, an address, a formula error, or a lone surrogate, which a URL cannot contain.
 */
function readId(value: unknown): string | undefined {
	const inner = unwrapLocator(value);
	const written = isTextual(inner) && typeof inner !== 'boolean' ? String(inner).trim() : '';
	const isInvalid =
		['', '.', '..', 'NaN'].includes(written) ||
		isRounded(inner) ||
		isBrokenDate(written) ||
		isFormulaError(written) ||
		startsWithHttp(written);
	return isInvalid || !written.isWellFormed() ? undefined : written;
}

function idRemedy(written: unknown): string {
	if (isRounded(written)) return tooLarge;
	if (isFormulaError(written)) return formulaError;
	return typeof written === 'string' && startsWithHttp(written.trim())
		? 'is a URL, not an ID; enter the ID that the service shows, such as 42'
		: 'is not an ID; enter the ID that the service shows, such as 42';
}

function noId(value: unknown, property: FormParameter): Invalid {
	const written = unwrapLocator(value);
	return new Invalid([`${quote(written, property)} ${idRemedy(written)}`]);
}

/** Returns digits and a UUID unchanged, and the ID for any other text. */
const idForText = (written: string, names: NameLookup): Invalid | string =>
	isNumber(written) || isUuid(written) ? written : names(written);

/** Returns whether the user selected the value from the list, so that it is an ID. */
const isChosen = (value: unknown) => isRecord(value) && value.mode === 'list';

/** Returns an address that is the name of a domain. */
const domainNameIn = (value: unknown): string | undefined =>
	typeof value === 'string' && startsWithHttp(value.trim()) && value.isWellFormed()
		? value.trim()
		: undefined;

const idOrName = ({ id, name }: Record<string, unknown>) => (isUnset(id) ? name : id);

/**
 * Returns the ID for a value; undefined if there is none. If names are accepted, the value may also be an object from
 * the service.
 */
function idFor(value: unknown, names?: NameLookup): Invalid | string | undefined {
	const unwrapped = unwrapLocator(value);
	const inner = names && isRecord(unwrapped) ? idOrName(unwrapped) : unwrapped;
	const written = readId(inner) ?? (names && domainNameIn(inner));
	return written !== undefined && names && !isChosen(value) ? idForText(written, names) : written;
}

/**
 * Removes leading zeros from an ID that a field refers to, so that different spellings are equal. An ID in a path
 * stays unchanged.
 */
const withoutZeros = (text: string, { names, isAnswer }: Parameters<Codec>[2] & object): string =>
	isNumber(text) && (names || isAnswer) ? canonicalId(text) : text;

/**
 * An ID. The contract shows neither type nor length (2.1), so the codec accepts any text that can be an ID. If the
 * field accepts names, a text that is neither a number nor a UUID is looked up.
 */
export const id: Codec = (value, property, context = {}) => {
	const text = idFor(value, context.names) ?? noId(value, property);
	return text instanceof Invalid ? text : [['', withoutZeros(text, context)]];
};

/** Returns the ID for an entry of a list. An ID contains no separator, quote or bracket. */
function entryFor(entry: unknown, property: FormParameter, names?: NameLookup): Invalid | string {
	const inner = unwrapLocator(entry);
	const value = isRecord(inner) && !names ? inner.id : inner;
	const hasSeparator = !names && /[\s,;"'{}[\]]/.test(readId(value) ?? '');
	return (hasSeparator ? undefined : idFor(value, names)) ?? noId(entry, property);
}

/** Returns the entries of a list; undefined if it is none. A name may start with a bracket. A cell may end with a separator. */
function idEntries(value: unknown, hasNames: boolean): readonly unknown[] | undefined {
	if (typeof value === 'number') return [value];
	const entries = listOf(value, separators);
	if (!hasNames || typeof value !== 'string') return entries;
	return (entries ?? value.split(separators))
		.map((entry) => (typeof entry === 'string' ? entry.trim() : entry))
		.filter((entry) => !isUnset(entry));
}

/**
 * A list of IDs, sent as PHP reads an array: `key[]=1&key[]=2` (assumption: pixel ids are an array). Accepts a list
 * in any form, or a single ID; names as `id` does.
 */
export const idList: Codec = (value, property, context = {}) => {
	const { names } = context;
	const entries = idEntries(value, names !== undefined);
	if (!entries) {
		return new Invalid([
			`${quote(value, property)} is not a list of IDs; write it as 3,8 or as [3, 8]`,
		]);
	}
	if (entries.length > maxEntries) return new Invalid([tooMany('IDs')]);
	const ids = allValid(entries.map((entry) => entryFor(entry, property, names)));
	if (ids instanceof Invalid) return ids;
	const texts = new Set(ids.map((text) => withoutZeros(text, context)));
	return [...texts].map((text) => ['[]', text] as const);
};
