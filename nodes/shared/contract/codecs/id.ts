import type { INodeProperties } from 'n8n-workflow';
import { canonicalId, isNumber } from '../idPattern';
import { tooLarge } from './scalar';
import { isRounded } from '../readers';
import { Invalid, type Codec, type NameLookup } from '../types';
import { splitNames } from './splitNames';
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

const isWebAddress = (written: string) => /^https?:\/\//i.test(written);

/**
 * The id as text, or undefined where the value cannot name anything: blank, no text, a step in a path, a whole address, the
 * error of a formula, or half a character, which no URL can hold.
 */
function readId(value: unknown): string | undefined {
	const inner = unwrapLocator(value);
	const written = isTextual(inner) && typeof inner !== 'boolean' ? String(inner).trim() : '';
	const isNone =
		['', '.', '..', 'NaN'].includes(written) ||
		isRounded(inner) ||
		isBrokenDate(written) ||
		isFormulaError(written) ||
		isWebAddress(written);
	return isNone || !written.isWellFormed() ? undefined : written;
}

function remedy(written: unknown): string {
	if (isRounded(written)) return tooLarge;
	if (isFormulaError(written)) return formulaError;
	return typeof written === 'string' && isWebAddress(written.trim())
		? 'is a URL, not an ID; enter the ID that the service shows, such as 42'
		: 'is not an ID; enter the ID that the service shows, such as 42';
}

function noId(value: unknown, property: INodeProperties): Invalid {
	const written = unwrapLocator(value);
	return new Invalid([`${quote(written, property)} ${remedy(written)}`]);
}

/** Returns the ID that a text names, or the text itself if it is a number. */
const resolveId = (written: string, { idOf }: NameLookup): Invalid | string =>
	isNumber(written) ? written : idOf(written);

/** Whether a value was chosen from the list, so that it is an ID. */
const isChosen = (value: unknown) => isRecord(value) && value.mode === 'list';

/** A name in place of an ID: it may be the address of a domain. */
const nameIn = (value: unknown): string | undefined =>
	typeof value === 'string' && isWebAddress(value.trim()) && value.isWellFormed()
		? value.trim()
		: undefined;

const idOrName = ({ id: id, name }: Record<string, unknown>) => (isUnset(id) ? name : id);

/**
 * The ID that a value stands for; undefined where it stands for none. What has a name may come whole, as the service shows
 * it.
 */
function idFor(value: unknown, names?: NameLookup): Invalid | string | undefined {
	const unwrapped = unwrapLocator(value);
	const inner = names && isRecord(unwrapped) ? idOrName(unwrapped) : unwrapped;
	const written = readId(inner) ?? (names && nameIn(inner));
	return written !== undefined && names && !isChosen(value) ? resolveId(written, names) : written;
}

/**
 * Returns an ID that a field refers to, without leading zeros, so that rows and answers that write it differently agree.
 * An ID that is part of a path stays as it is.
 */
const withoutZeros = (text: string, { names, isAnswer }: Parameters<Codec>[2] & object): string =>
	isNumber(text) && (names || isAnswer) ? canonicalId(text) : text;

/**
 * One ID. The contract shows neither its type nor its length (2.1), so any text that can name something is taken; where
 * names can be found, text that is no number is sought among them.
 */
export const id: Codec = (value, property, context = {}) => {
	const text = idFor(value, context.names) ?? noId(value, property);
	return text instanceof Invalid ? text : [['', withoutZeros(text, context)]];
};

/** What one entry of a list stands for: an ID has nothing around it, and no separator in it. */
function entryFor(entry: unknown, property: INodeProperties, names?: NameLookup): Invalid | string {
	const inner = unwrapLocator(entry);
	const value = isRecord(inner) && !names ? inner.id : inner;
	const isSeveral = !names && /[\s,;"'{}[\]]/.test(readId(value) ?? '');
	return (isSeveral ? undefined : idFor(value, names)) ?? noId(entry, property);
}

/** A cell of IDs alone, in which no name is sought. */
const idsOnly = /^[\d\s,;]*$/;

/** The entries of a list. A name may begin with a bracket, and nothing need follow the last separator of a cell. */
function entriesOf(
	value: unknown,
	names: NameLookup | undefined,
): readonly unknown[] | Invalid | undefined {
	if (typeof value === 'number') return [value];
	if (!names || typeof value !== 'string') return listOf(value, separators);
	const json = value.trim().startsWith('[') ? listOf(value) : undefined;
	const texts = () => (idsOnly.test(value) ? value.split(separators) : splitNames(value, names));
	const entries = json ?? texts();
	return entries instanceof Invalid ? entries : entries.filter((entry) => !isUnset(entry));
}

/**
 * Several ids, sent as PHP reads an array: `key[]=1&key[]=2` (assumption: pixel ids are an array). Takes a list in any
 * form, or one id; names as `id` does.
 */
export const idList: Codec = (value, property, context = {}) => {
	const { names } = context;
	const entries = entriesOf(value, names);
	if (entries instanceof Invalid) return entries;
	if (!entries) {
		return new Invalid([
			`${quote(value, property)} is not a list of IDs; write it as 3,8 or as [3, 8]`,
		]);
	}
	if (entries.length > maxEntries) return new Invalid([tooMany('IDs')]);
	const ids = entries.map((entry) => entryFor(entry, property, names));
	const wrong = ids.filter((entry) => entry instanceof Invalid);
	return wrong.length > 0
		? new Invalid([...new Set(wrong.flatMap(({ reasons }) => reasons))])
		: [...new Set(ids.map((text) => withoutZeros(String(text), context)))].map(
				(text) => ['[]', text] as const,
			);
};
