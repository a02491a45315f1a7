import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/**
 * The value inside a resource locator, or the value itself. An expression may fill the locator as a whole,
 * so a locator parameter can also hold a bare value.
 */
export function plain(value: unknown): unknown {
	return isRecord(value) && '__rl' in value ? value.value : value;
}

/** Whether a parameter was left alone. Nothing is sent for it. */
export function isUnset(value: unknown): boolean {
	const inner = plain(value);
	return inner === undefined || inner === null || inner === '';
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
