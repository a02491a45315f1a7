import { Invalid, type Reason, type FormParameter } from './types';
import { showInvisible } from './text';
import type { INodePropertyOptions } from 'n8n-workflow';

/** Returns whether a text consists of digits, so that it is an ID and not a name. */
export const isNumber = (text: string): boolean => /^\d{1,999}$/.test(text);

/** Returns whether a database may read a text as another ID, because it starts with a number: `2-promo` as 2. */
export const mayMeanOtherId = (id: string): boolean => /^\+?\d/.test(id) && !isNumber(id);

/** Returns whether a text is a UUID. */
export const isUuid = (text: string): boolean =>
	/^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

/**
 * Returns a normalized ID: a number without leading zeros, a UUID in lower case. Case matters in any other ID, because the
 * contract shows no type for IDs (2.1).
 */
export function canonicalId(id: string): string {
	if (isNumber(id)) return id.replace(/^0+(?=\d)/, '');
	return isUuid(id) ? id.toLowerCase() : id;
}

/**
 * Returns the value inside a resource locator, or the value itself. An expression may replace the whole locator with
 * a plain value. In a collection, the editor may drop the `__rl` mark of a locator.
 */
export function unwrapLocator(value: unknown): unknown {
	if (typeof value !== 'object' || !isRecord(value)) return value;
	return '__rl' in value || ('mode' in value && 'value' in value) ? value.value : value;
}

/** Returns whether a value is missing, null or blank. Nothing is sent for it. */
export function isUnset(value: unknown): boolean {
	const inner = (typeof value === 'object' ? unwrapLocator(value) : value) ?? '';
	return typeof inner === 'string' && inner.trim() === '';
}

/** The keys and nulls in the JSON of empty rows. */
const rowWords = /"(?:key|rules|value)"(?=\s{0,20}:)|(?<!")\bnull\b(?!")/g;

/**
 * Returns whether a value is the JSON of a list or object without any value. Searches the text, because the JSON may be nested
 * too deep to parse recursively.
 */
const isEmptyJson = (value: unknown): boolean =>
	typeof value === 'string' &&
	/^\s*[[{]/.test(value) &&
	!/[^\s[\]{}":,]/.test(value.replace(rowWords, '')) &&
	parseJson(value) !== undefined;

/** Returns whether a value is empty at any depth, including the JSON of an empty list or object. */
export function isEmptyDeep(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isEmptyDeep);
	if (!isRecord(value)) return isUnset(value) || isEmptyJson(value);
	// A Date has no entries either.
	const isPlain = Object.prototype.toString.call(value) === '[object Object]';
	return isPlain && Object.values(value).every(isEmptyDeep);
}

/** Returns whether a cell looks empty in a spreadsheet: also if it contains only invisible characters, such as a zero-width space. */
export const isBlank = (cell: unknown): boolean =>
	(typeof cell === 'string' && /^[\s\p{Cf}]*$/u.test(cell)) || isEmptyDeep(cell);

/**
 * Returns whether a parameter is empty: unset, a multi-select or a collection that is empty at any depth, or a cell
 * with only separators. Of any other parameter, an empty object or array is a mistake, which its codec reports.
 */
export function isEmpty(value: unknown, { type }: Pick<FormParameter, 'type'>): boolean {
	if (isUnset(value)) return true;
	if (type !== 'multiOptions' && type !== 'fixedCollection') return false;
	return (typeof value === 'string' && !/[^\s,;]/.test(value)) || isEmptyDeep(value);
}

/** Returns the value of a JSON text; undefined for any other text. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

export const lineBreaks = /\r\n|[\n\r\u2028\u2029]/;

/** Separates the entries of a list in a cell. */
export const separators = /[,;]|\r\n|[\n\r\u2028\u2029]/;

/**
 * Returns the entries of an array, of a JSON array, or of a text with separators; undefined for any other value. A
 * hole in an array becomes an undefined entry.
 */
export function listOf(value: unknown): readonly unknown[] | undefined {
	if (Array.isArray(value)) return Array.from<unknown>(value);
	if (typeof value !== 'string') return undefined;
	if (!value.trim().startsWith('[')) return value.split(separators);
	const list = parseJson(value);
	return Array.isArray(list) ? list : undefined;
}

/** Max number of entries of a list in a row; no service accepts a longer form (assumption: limits). */
export const maxEntries = 10_000;

/** Returns the reason for a list that is too long. */
export const tooMany = (entries: string): string =>
	`contains more than ${maxEntries.toLocaleString('en-US')} ${entries}; enter fewer`;

/** Adds one to the count of a key. */
export const increase = <K>(counts: Map<K, number>, key: K): void =>
	void counts.set(key, (counts.get(key) ?? 0) + 1);

/** Returns whether n8n masks the value of a property. */
export const isSecret = ({ typeOptions }: FormParameter): boolean => typeOptions?.password === true;

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the choices of a property, without the nested properties that n8n keeps under the same key. */
export function choicesOf(property: FormParameter): INodePropertyOptions[] {
	return (property.options ?? []).filter((option) => 'value' in option);
}

/** Returns whether a value is a text, a boolean or a finite number. NaN and infinities result from mistakes. */
export const isTextual = (value: unknown): value is boolean | number | string =>
	typeof value === 'boolean' || typeof value === 'string' || Number.isFinite(value);

/** Returns whether a text is what an expression makes of a value that it could not read, or of an invalid date. */
export const isUnread = (text: string): boolean =>
	/^(?:Invalid Date(?:Time)?|NaN|\[object Object\]|null|undefined)$/.test(text);

/** The texts of formulas that failed, in the languages of spreadsheets: `#¡REF!`, `#NOM ?`, `#WERT!`, `#NV`, `#Н/Д`. */
const formulaErrors = /^#(?:[¡¿]?\p{Lu}{2,12}(?:\/0)?\p{Zs}?[!?]|N\/?\p{Lu}!?|I\/T|Н\/Д)$/u;

/** The same in English, in any case, the codes of LibreOffice, and the text of a formula without a result yet. */
const otherErrors =
	/^(?:#(?:calc|div\/0|error|name|null|num|ref|spill|value)[!?]|#(?:getting_data|n\/a)|err:5\d\d|loading\.\.\.)$/i;

/** Max length of the text of a formula, in characters. */
const maxFormulaError = 100;

/** Returns whether a value is the text of a formula that failed or has no result yet. */
export function isFormulaError(value: unknown): boolean {
	if (typeof value !== 'string' || value.length > maxFormulaError) return false;
	const text = value.trim();
	return formulaErrors.test(text) || otherErrors.test(text);
}

export const formulaError = 'is a formula error; correct it in the sheet';

/** Max length of a quoted value, in characters. */
const maxQuotedLength = 80;

/** Shortens a text to a number of characters. Never cuts a character in two. */
export function shorten(text: string, maxLength = maxQuotedLength): string {
	if (text.length <= maxLength) return text;
	// A character has up to two code units.
	const characters = Array.from(text.slice(0, 2 * maxLength));
	return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** Returns a text in quotes for an error message: short, on one line, with escapes for invisible characters. */
export const quoteText = (text: string): string => showInvisible(JSON.stringify(shorten(text)));

/** Returns a value for an error message: short, on one line, and hidden if the field is a password. */
export function quote(value: unknown, property: FormParameter): string {
	if (isSecret(property)) return '(hidden)';
	if (typeof value === 'string') return quoteText(value);
	if (typeof value === 'number') return String(value);
	return showInvisible(shorten(jsonOf(value)));
}

/**
 * Returns why a value cannot be sent.
 *
 * @param what continues the quoted value and ends with the remedy
 */
export const refused = (
	value: unknown,
	property: FormParameter,
	what: string,
	more: Partial<Reason> = {},
): Invalid => new Invalid([{ ...more, value: quote(value, property), what }]);

/** Returns a reason as a clause that continues the name of the field: `"x" is not a date; enter it as 2030-12-31`. */
export const reasonText = (reason: Reason | string): string =>
	typeof reason === 'string'
		? reason
		: [reason.before, reason.value, reason.what].filter((part) => part).join(' ');

/** A replacer for `JSON.stringify` that shortens texts and lists. */
const shortened = (_: string, value: unknown): unknown => {
	if (typeof value === 'string') return shorten(value);
	return Array.isArray(value) ? value.slice(0, maxQuotedLength) : value;
};

/**
 * Returns the JSON of a value, shortened. Returns a plain text for a value without JSON, such as a circular object.
 */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value, shortened) ?? String(value);
	} catch {
		return Object.prototype.toString.call(value);
	}
}

/** Returns a copy of an object without some keys. */
export function without<T extends object, K extends keyof T>(object: T, ...keys: K[]): Omit<T, K> {
	const names: ReadonlySet<string> = new Set(keys.map(String));
	const kept = Object.entries(object).filter(([name]) => !names.has(name));
	return Object.fromEntries(kept) as Omit<T, K>;
}

/** Returns a copy of a list, sorted by the English order of a text of each item. */
export const sortBy = <T>(items: readonly T[], textOf: (item: T) => string): T[] =>
	[...items].sort((first, second) => textOf(first).localeCompare(textOf(second), 'en'));
