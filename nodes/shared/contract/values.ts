import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { showInvisible } from './invisibleCharacters';

const isLocator = (value: Record<string, unknown>) =>
	'__rl' in value || ('mode' in value && 'value' in value);

/**
 * The value inside a resource locator, or the value itself. An expression may fill the locator as a whole,
 * so a locator parameter can also hold a bare value; and the editor forgets the mark of one in a collection.
 */
export function unwrapLocator(value: unknown): unknown {
	return isRecord(value) && isLocator(value) ? value.value : value;
}

/** Whether a parameter was left alone. Nothing is sent for it. A cell of mere spaces looks empty, so it is. */
export function isUnset(value: unknown): boolean {
	const inner = unwrapLocator(value);
	return (
		inner === undefined || inner === null || (typeof inner === 'string' && inner.trim() === '')
	);
}

/** What a parameter holds, or its default where it was left alone. */
export const orDefault = (value: unknown, { default: fallback }: INodeProperties): unknown =>
	isUnset(value) ? fallback : value;

/** What tells whether a parameter holds a list: its type, or that a derived field says so of its text. */
type Listable = Pick<INodeProperties, 'type' | 'typeOptions'> & {
	readonly derive?: { readonly takesList?: true };
};

/**
 * Returns whether a list has no entries, or empty ones only. An object is an entry for a resource; without an ID it is a
 * mistake.
 */
function isEmptyList(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isEmptyList);
	return isUnset(value) || (typeof value === 'string' && /^\[\s*\]$/.test(value.trim()));
}

/** Whether a cell has separators and blanks only. The pattern seeks anything else, so that the work is linear. */
const isOnlySeparators = (text: string) => !/[^\s,;]/.test(text);

/** Whether the text of a cell is a list without entries: separators only, or JSON. */
const isEmptyListCell = (value: unknown): boolean =>
	typeof value === 'string' &&
	(isOnlySeparators(value) || (listOf(value)?.every((entry) => isUnset(entry)) ?? false));

/** What JSON of rows that are not filled in has beside brackets, quotes and blanks: the names of their inputs, and null. */
const rowWords = /"(?:key|rules|value)"(?=\s{0,20}:)|\bnull\b/g;

/**
 * Returns whether the text of a cell has no filled row: it is separators only, or JSON without values. Searches the text,
 * because the value may be nested too deep.
 */
const isEmptyRowsCell = (value: unknown): boolean =>
	typeof value === 'string' &&
	(isOnlySeparators(value) ||
		(/^\s*[[{]/.test(value) &&
			!/[^\s[\]{}":,]/.test(value.replace(rowWords, '')) &&
			parseJson(value) !== undefined));

/** Whether a value holds nothing, however deep, also where it is written as JSON. */
export function isEmptyDeep(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isEmptyDeep);
	if (isRecord(value)) return isPlainObject(value) && Object.values(value).every(isEmptyDeep);
	return isUnset(value) || (typeof value === 'string' && isEmptyJson(value.trim()));
}

/** Whether a text shows nothing: it has blanks and invisible characters only, such as a zero-width space. */
const isInvisible = (text: string) => /^[\s\p{Cf}]*$/u.test(text);

/** Whether a cell of a sheet looks empty. */
export const isBlank = (cell: unknown): boolean =>
	typeof cell === 'string' ? isInvisible(cell) || isEmptyDeep(cell) : isEmptyDeep(cell);

/** Whether a text is the JSON of an empty list or object. */
const isEmptyJson = (text: string) =>
	['[]', '{}'].includes(`${text.at(0)}${text.at(-1)}`) && text.slice(1, -1).trim() === '';

/** Whether an object is no Date or the like, which has no entries either. */
const isPlainObject = (value: object) =>
	Object.prototype.toString.call(value) === '[object Object]';

/**
 * Whether a parameter holds nothing: it is unset, or it is a list without entries, as an empty multi-select, a
 * collection whose rows are not filled in, and a cell of separators alone are. Any other empty object or array is a mistake, which the codecs name.
 */
export const isEmpty = (value: unknown, { type, typeOptions, derive }: Listable): boolean =>
	isUnset(value) ||
	(type === 'multiOptions' && (isEmptyList(value) || isEmptyListCell(value))) ||
	((type === 'fixedCollection' || derive?.takesList === true) && isEmptyDeep(value)) ||
	((typeOptions?.multipleValues === true || derive?.takesList === true) && isEmptyRowsCell(value));

/** The value that a JSON text holds; undefined for any other text. */
export function parseJson(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/** The line breaks of all systems. */
export const lineBreaks = /\r\n|[\n\r\u2028\u2029]/;

/** What separates the entries of a list in a cell. */
export const separators = /[,;]|\r\n|[\n\r\u2028\u2029]/;

/**
 * The entries of a list as people have it at hand: an array, the JSON text of one, or the text of a spreadsheet cell with
 * separators. Undefined for anything else. A hole in an array is an entry that is undefined.
 *
 * @param separator of the entries in a text, a comma by default
 */
export function listOf(
	value: unknown,
	separator: RegExp | string = ',',
): readonly unknown[] | undefined {
	if (Array.isArray(value)) return Array.from<unknown>(value);
	if (typeof value !== 'string') return undefined;
	if (!value.trim().startsWith('[')) return value.split(separator);
	const list = parseJson(value);
	return Array.isArray(list) ? list : undefined;
}

/** Max number of entries of a list in a row; no service takes a form with more (assumption: limits). */
export const maxEntries = 10_000;

/** What is wrong with a longer list; reads on behind the field. */
export const tooMany = (entries: string): string =>
	`holds more than ${maxEntries.toLocaleString('en-US')} ${entries}; give fewer`;

/** Returns whether n8n masks the value of a property. */
export const isSecret = ({ typeOptions }: INodeProperties): boolean =>
	typeOptions?.password === true;

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fixed choices of a property, without the nested properties that n8n keeps under the same key. */
export function choicesOf(property: INodeProperties): INodePropertyOptions[] {
	return (property.options ?? []).filter((option) => 'value' in option);
}

/** Whether a value has one obvious text. NaN and the infinities have none: they are what became of a mistake. */
export const isTextual = (value: unknown): value is boolean | number | string =>
	typeof value === 'number'
		? Number.isFinite(value)
		: typeof value === 'boolean' || typeof value === 'string';

/** Whether a text is what became of an invalid DateTime or Date of an expression. */
export const isBrokenDate = (text: string): boolean =>
	['Invalid DateTime', 'Invalid Date'].includes(text.trim());

/** What spreadsheets show in place of the value of a formula that failed. */
const formulaErrors = new Set([
	'#DIV/0!',
	'#ERROR!',
	'#N/A',
	'#NAME?',
	'#NULL!',
	'#NUM!',
	'#REF!',
	'#VALUE!',
]);

/** Whether a value is what a spreadsheet shows in place of the value of a formula that failed. */
export function isFormulaError(value: unknown): boolean {
	const text = typeof value === 'string' ? value.trim() : '';
	return text.startsWith('#') && text.length <= 10 && formulaErrors.has(text.toUpperCase());
}

/** What is wrong with such a value; reads on behind it. */
export const formulaError = 'is an error of a formula; correct it in the sheet';

/** Number of characters of a quote. */
const maxQuotedLength = 80;

/** Returns a text cut to a number of characters. Keeps each character whole. */
export function shorten(text: string, maxLength = maxQuotedLength): string {
	if (text.length <= maxLength) return text;
	// A character has up to two code units.
	const characters = Array.from(text.slice(0, 2 * maxLength));
	return `${characters.slice(0, maxLength - 1).join('')}…`;
}

/** A text as an error message quotes it: short, on one line, and with its invisible characters written as escapes. */
export const quoteText = (text: string): string => showInvisible(JSON.stringify(shorten(text)));

/** A value as an error message shows it: short, on one line, and never that of a masked field. */
export function quote(value: unknown, property: INodeProperties): string {
	if (isSecret(property)) return '(hidden)';
	if (typeof value === 'string') return quoteText(value);
	if (typeof value === 'number') return String(value);
	return showInvisible(shorten(jsonOf(value)));
}

/** Leaves out of a value what its quote does not show. */
const shortened = (_: string, value: unknown): unknown => {
	if (typeof value === 'string') return shorten(value, maxQuotedLength);
	return Array.isArray(value) ? value.slice(0, maxQuotedLength) : value;
};

/** The beginning of the JSON of a value; of what has none, such as an object that holds itself, its plain text. */
function jsonOf(value: unknown): string {
	try {
		return JSON.stringify(value, shortened) ?? String(value);
	} catch {
		return Object.prototype.toString.call(value);
	}
}

/** A copy of an object that lacks one key. */
export function without<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
	return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)) as Omit<T, K>;
}
