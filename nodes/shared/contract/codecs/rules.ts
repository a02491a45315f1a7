import {
	refused,
	formulaError,
	isEmptyDeep,
	isFormulaError,
	isRecord,
	isUnset,
	lineBreaks,
	maxEntries,
	parseJson,
	quoteText,
	tooMany,
} from '../values';
import { type Codec, type WireValue, Invalid, allValid } from '../types';

/** The inputs of a rule by name, before they are encoded. */
type RuleEntry = Readonly<Record<string, unknown>>;

/** Returns how to write several rules, for an error message. */
function howToWrite([first, second]: readonly string[]): string {
	if (first === undefined || second === undefined) {
		return 'write one URL per line, or JSON such as ["https://example.com/a", "https://example.com/b"]';
	}
	const url = (key: string) => `https://example.com/${key.toLowerCase()}`;
	const json = [first, second].map((key) => `"${key}": "${url(key)}"`).join(', ');
	return `write one rule per line, such as ${first}=${url(first)}, or JSON such as {${json}}`;
}

/**
 * Matches a URL in a text that may contain another rule, or a part of the cell around it: it has a blank, a quotation mark, or a
 * separator before a key and a scheme, before a scheme, or at its end.
 */
const severalRules =
	/[^\S\ufeff]|"|[,;|，；、](?:$|(?:[^\s=,;|，；、]{1,200}=)?[a-z][a-z\d+.-]{0,40}:)/i;

/** Returns the rule in a text; undefined if it has no key but needs one, and Invalid if its URL may contain another rule. */
function ruleIn(text: string, keys: readonly string[]): Invalid | RuleEntry | undefined {
	const end = keys.length > 0 ? text.indexOf('=') : -1;
	const key = text.slice(0, Math.max(end, 0)).trim();
	// With a colon, the equals sign belongs to a URL without a key.
	if (keys.length > 0 && (end < 0 || key.includes(':'))) return undefined;
	const url = text.slice(end + 1).trim();
	if (!severalRules.test(url)) return keys.length > 0 ? { key, value: url } : { value: url };
	return new Invalid([
		`${quoteText(url)} contains a blank, a quotation mark or several rules; ${howToWrite(keys)}; inside a URL, write a blank as %20, a comma as %2C and a semicolon as %3B`,
	]);
}

/** Returns the number of keys in a JSON text. */
const keyCount = (json: string): number =>
	[...json.replaceAll(/\\./g, '').matchAll(/"[^"]*"(\s*:)?/g)].filter(([, colon]) => colon).length;

/** Returns whether JSON repeats a key of an object. Its value has only the last one. */
function repeatsKey(json: string, value: unknown): boolean {
	try {
		return value instanceof Object && keyCount(json) !== keyCount(JSON.stringify(value));
	} catch {
		// No rules are nested so deep.
		return false;
	}
}

/** Returns the rules in a value, up to one more than the limit; undefined for each unreadable rule. */
function rulesIn(
	value: unknown,
	keys: readonly string[],
): ReadonlyArray<Invalid | RuleEntry | undefined> {
	if (typeof value === 'string') {
		const json = /^\s*[[{]/.test(value) ? (parseJson(value) ?? null) : undefined;
		if (repeatsKey(value, json)) return [new Invalid([`repeats a key; ${howToWrite(keys)}`])];
		if (json !== undefined) return rulesIn(json, keys);
		const lines = value.split(lineBreaks).filter((line) => line.trim() !== '');
		return lines.slice(0, maxEntries + 1).map((line) => ruleIn(line, keys));
	}
	if (Array.isArray(value)) {
		return Array.from<unknown>(value.slice(0, maxEntries + 1)).map((entry) => {
			if (typeof entry === 'string') return ruleIn(entry, keys);
			return isRecord(entry) ? entry : undefined;
		});
	}
	if (!isRecord(value)) return [undefined];
	if ('rules' in value) return rulesIn(value.rules ?? [], keys);
	if ('value' in value) return [value];
	const rules = Object.entries(value).slice(0, maxEntries + 1);
	return rules.map(([key, url]) => ({ key: key.trim(), value: url }));
}

/** The reason for a value without rules that does not count as empty. */
const noRule = 'contains no rule; add a rule, or leave the field out';

/** Returns a reason for each key that occurs in several rules. */
function repeatedKeys(parts: ReadonlyArray<readonly WireValue[] | Invalid>): Invalid[] {
	const values = parts.flatMap((part) => (part instanceof Invalid ? [] : part));
	const keys = values.flatMap(([suffix, text]) => (suffix.endsWith('[key]') ? text : []));
	const seen = new Set<string>();
	const repeated = new Set(keys.filter((key) => seen.has(key) || !seen.add(key)));
	return [...repeated].map(
		(key) => new Invalid([`contains several rules for "${key}"; keep only one of them`]),
	);
}

/**
 * A fixed collection of targeting rules, sent as `country[0][key]=…&country[0][value]=…` (contract 2.1). Accepts the rows of the
 * form, an array of rules or texts, an object from keys to URLs, the JSON of any of these, or a text with one rule per line. Skips
 * empty rules. Every other rule must be complete, and keys must be unique.
 *
 * @param parts the codec of each input of a rule
 * @param keys two keys for the examples of an error; empty if rules have no key
 */
export function rules(parts: Readonly<Record<string, Codec>>, keys: readonly string[] = []): Codec {
	return (value, property, { isAnswer } = {}) => {
		const entries = rulesIn(value, keys);
		if (entries.length > maxEntries) return new Invalid([tooMany('rules')]);
		const what = isFormulaError(value)
			? formulaError
			: `cannot be read as rules; ${howToWrite(keys)}`;
		const unreadable = refused(value, property, what);
		const parsed = allValid(entries.map((entry) => entry ?? unreadable));
		if (parsed instanceof Invalid) return new Invalid(parsed.reasons.slice(0, 1));
		const inputs = (property.options ?? []).flatMap((option) =>
			'values' in option ? option.values : [],
		);
		const filled = [...parsed.entries()].filter(([, rule]) => !isEmptyDeep(rule));
		// Rules imply a target type, which would disable the existing rules if it were sent alone.
		if (filled.length === 0 && !isAnswer) return new Invalid([noRule]);
		const encoded = filled.flatMap(([position, rule], index) =>
			inputs.map((input): readonly WireValue[] | Invalid => {
				const { name, displayName } = input;
				// The number of the rule in the form, where empty rules count.
				const before = `rule ${position + 1}: ${displayName}`;
				const part = rule[name];
				const values = isUnset(part) ? undefined : parts[name]?.(part, input, { isAnswer });
				if (!values) return new Invalid([`${before} is missing; fill it in or remove the rule`]);
				return values instanceof Invalid
					? new Invalid(values.reasons.map((reason) => ({ ...reason, before })))
					: values.map(([suffix, text]) => [`[${index}][${name}]${suffix}`, text] as const);
			}),
		);
		const values = allValid([...encoded, ...repeatedKeys(encoded)]);
		return values instanceof Invalid ? values : values.flat();
	};
}
