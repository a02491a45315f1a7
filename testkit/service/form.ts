import qs from 'qs';

/** A decoded form or query: strings, and arrays or objects where the sender used brackets. */
export type Form = Record<string, unknown>;

/** The longest array that stays an array, and more pairs than any client here sends (PHP itself stops at 1000). */
const limits = { arrayLimit: 1000, parameterLimit: 20_000 };

/**
 * Decodes a form body or a query as PHP does (assumption: PHP decodes the form). Nesting is by brackets alone, the
 * last of equal names wins, a name without `=` is an empty string. Never throws.
 */
export function decodeForm(encoded: string): Form {
	return qs.parse(settleNames(encoded), {
		...limits,
		depth: 8,
		duplicates: 'last',
		plainObjects: true,
	});
}

/** Turns empty strings of a form into null at any depth, as the family's framework does (assumption: partial update). */
export function nullEmpty(form: Form): Form {
	return JSON.parse(JSON.stringify(form), (_name, value: unknown) => (value === '' ? null : value));
}

/** Whether a decoded value has named parts, as an array or an object has. */
export function isRecord(value: unknown): value is Form {
	return typeof value === 'object' && value !== null;
}

/**
 * The rules of PHP that qs does not share, settled before qs sees the text. Each `[]` opens an element of its own:
 * `a[][key]=1&a[][value]=2` are two elements, where qs would pair them. Of a plain and a bracketed name
 * (`a=1&a[]=2`) the later one wins, where qs would join them. A name ends at the first `=`, where qs would take
 * `url=x?a[]=1` apart at the second.
 */
function settleNames(encoded: string): string {
	const pairs = new Map<string, string>();
	const nextIndex = new Map<string, number>();
	for (const part of encoded.split('&')) {
		const cut = part.includes('=') ? part.indexOf('=') : part.length;
		const rawName = part.slice(0, cut).replace(/%5B/gi, '[').replace(/%5D/gi, ']');
		const [root = '', ...brackets] = rawName.split(/(?=\[)/);
		let name = root;
		for (const bracket of brackets) {
			pairs.delete(name);
			const next = nextIndex.get(name) ?? 0;
			const index = bracket === '[]' ? next : Number(/^\[(\d+)\]$/.exec(bracket)?.[1] ?? NaN);
			nextIndex.set(name, index >= next ? index + 1 : next);
			name += Number.isNaN(index) ? bracket : `[${index}]`;
		}
		if (nextIndex.has(name)) forgetElements(name, pairs, nextIndex);
		pairs.set(name, part.slice(cut + 1).replaceAll('=', '%3D'));
	}
	return [...pairs].map(([name, value]) => `${name}=${value}`).join('&');
}

function forgetElements(name: string, ...maps: Map<string, unknown>[]): void {
	for (const map of maps)
		for (const key of [...map.keys()])
			if (key === name || key.startsWith(`${name}[`)) map.delete(key);
}
