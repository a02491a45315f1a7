import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

const isLocator = (value: Record<string, unknown>) =>
	'__rl' in value || ('mode' in value && 'value' in value);

/**
 * The value inside a resource locator, or the value itself. An expression may fill the locator as a whole,
 * so a locator parameter can also hold a bare value; and the editor forgets the mark of one in a collection.
 */
export function plain(value: unknown): unknown {
	return isRecord(value) && isLocator(value) ? value.value : value;
}

/** Whether a parameter was left alone. Nothing is sent for it. A cell of mere spaces looks empty, so it is. */
export function isUnset(value: unknown): boolean {
	const inner = plain(value);
	return (
		inner === undefined || inner === null || (typeof inner === 'string' && inner.trim() === '')
	);
}

/** What a parameter holds, or its default where it was left alone. */
export const orDefault = (value: unknown, { default: fallback }: INodeProperties): unknown =>
	isUnset(value) ? fallback : value;

const listTypes = ['fixedCollection', 'multiOptions'];

/** What tells whether a parameter holds a list: its type, or that an aid says so of its text. */
type Listable = Pick<INodeProperties, 'type'> & { readonly aid?: { readonly takesList?: true } };

/**
 * Whether a value has no entries, however deep, also where it is written as JSON. A row is an entry, even one that is not
 * filled in.
 */
function isHollow(value: unknown): boolean {
	if (Array.isArray(value)) return value.every(isUnset);
	if (isRecord(value)) return Object.values(value).every(isHollow);
	return isUnset(value) || (typeof value === 'string' && /^\s*(\[\s*\]|\{\s*\})\s*$/.test(value));
}

/**
 * Whether a parameter holds nothing: it is unset, or it is a list without entries, as an empty multi-select and a
 * collection without rows are. Any other empty object or array is a mistake, which the codecs name.
 */
export const isEmpty = (value: unknown, { type, aid }: Listable): boolean =>
	isUnset(value) || ((listTypes.includes(type) || aid?.takesList === true) && isHollow(value));

/** The value that a JSON text holds; undefined for any other text. */
export function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * The entries of a list as people have it at hand: an array, the JSON text of one, or the comma-separated text of a
 * spreadsheet cell. Undefined for anything else.
 */
export function listOf(value: unknown): readonly unknown[] | undefined {
	if (Array.isArray(value)) return value;
	if (typeof value !== 'string') return undefined;
	if (!value.trim().startsWith('[')) return value.split(',');
	const list = parsed(value);
	return Array.isArray(list) ? list : undefined;
}

export function isRecord(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The fixed choices of a property, without the nested properties that n8n keeps under the same key. */
export function choicesOf(property: INodeProperties): INodePropertyOptions[] {
	return (property.options ?? []).filter((option) => 'value' in option);
}

/** Whether a value has one obvious text. */
export const isTextual = (value: unknown): value is boolean | number | string =>
	['boolean', 'number', 'string'].includes(typeof value);

const shortened = (text: string) => (text.length > 80 ? `${text.slice(0, 79)}…` : text);

/** A value as an error message shows it: short, on one line, and never that of a masked field. */
export function quote(value: unknown, property: INodeProperties): string {
	if (property.typeOptions?.password) return '(hidden)';
	if (typeof value === 'string') return JSON.stringify(shortened(value));
	return shortened(JSON.stringify(value) ?? String(value));
}

/** A copy of an object that lacks one key. */
export function without<T extends object, K extends keyof T>(object: T, key: K): Omit<T, K> {
	return Object.fromEntries(Object.entries(object).filter(([name]) => name !== key)) as Omit<T, K>;
}
