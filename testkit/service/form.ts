/** A decoded form or query: strings, and arrays or objects where the sender used brackets. */
export type Form = Record<string, unknown>;

/** A part of a form while it is decoded: PHP keeps the keys of arrays and objects alike. */
type Parts = Map<string, Parts | string>;

/**
 * Decodes a form body or a query as PHP does (assumption: PHP decodes the form). Nesting is by brackets alone, and `[]` opens
 * an element of its own, so that `a[][key]=1&a[][value]=2` are two. The last of equal names wins, also of a plain and a
 * bracketed one (`a=1&a[]=2`). A name ends at the first `=`; without one, its value is an empty string. Never throws.
 */
export function decodeForm(encoded: string): Form {
	const form: Parts = new Map();
	// A question mark at the beginning would be dropped.
	for (const [name, value] of new URLSearchParams(`&${encoded}`)) {
		const [, root = name, brackets = ''] = /^([^[]+)((?:\[[^\]]*\])*)/.exec(name) ?? [];
		let [parts, key] = [form, root];
		for (const [, inner = ''] of brackets.matchAll(/\[([^\]]*)\]/g)) {
			const earlier = parts.get(key);
			const opened: Parts = earlier instanceof Map ? earlier : new Map();
			parts.set(key, opened);
			[parts, key] = [opened, inner === '' ? nextIndex(opened) : inner];
		}
		parts.set(key, value);
	}
	return Object.fromEntries([...form].map(([name, value]) => [name, decoded(value)]));
}

const isIndex = (key: string) => /^\d+$/.test(key);

/** The index that `[]` stands for. */
const nextIndex = (parts: Parts) =>
	String(
		[...parts.keys()].filter(isIndex).reduce((next, key) => Math.max(next, Number(key) + 1), 0),
	);

/** Returns a list if all keys are indexes, in their order. */
function decoded(value: Parts | string): unknown {
	if (typeof value === 'string') return value;
	const entries = [...value].map(([key, inner]) => [key, decoded(inner)] as const);
	return entries.every(([key]) => isIndex(key))
		? entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, inner]) => inner)
		: Object.fromEntries(entries);
}

/** Turns empty strings of a form into null at any depth, as the family's framework does (assumption: partial update). */
export function nullEmpty(form: Form): Form {
	return JSON.parse(JSON.stringify(form), (_name, value: unknown) => (value === '' ? null : value));
}

/** Whether a decoded value has named parts, as an array or an object has. */
export function isRecord(value: unknown): value is Form {
	return typeof value === 'object' && value !== null;
}
