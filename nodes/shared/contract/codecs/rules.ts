import type { INodeProperties } from 'n8n-workflow';
import { longestToMatch } from '../longTexts';
import { Invalid, type Codec, type WireValue } from '../types';
import { isEmptyDeep, isRecord, isUnset, mostEntries, parseJson, quote, tooMany } from '../values';

/** One rule as it was given: its inputs by name. */
type RuleEntry = Readonly<Record<string, unknown>>;

/** How one kind of rules is written as text. */
interface Notation {
	/** The comma that ends a rule. An address may hold others, so it is one that the beginning of a rule follows. */
	readonly comma: RegExp;
	/** What shows that an address holds the beginning of another rule, which no comma told apart. */
	readonly glued: RegExp;
	readonly entryOf: (text: string) => RuleEntry | undefined;
	readonly examples: string;
}

/** `US=https://example.com/us`: the key ends at the first equals sign. */
const keyed: Notation = {
	comma: /,(?=[^,=]+=\s*[a-z][a-z\d+.-]*:)/i,
	glued: /[^\S\r\n]|[,;|]$|[,;|][\p{L}\p{M}\p{N}_.'’()&-]*=/u,
	entryOf: (text) => {
		const [, key, value] = text.match(/^([^=]+)=(.+)$/s) ?? [];
		return key === undefined ? undefined : { key: key.trim(), value: value?.trim() };
	},
	examples:
		'US=https://example.com/us, DE=https://example.com/de or {"US": "https://example.com/us"}',
};

/** `https://example.com/a`: an address alone. */
const plain: Notation = {
	comma: /,(?=\s*[a-z][a-z\d+.-]*:)/i,
	glued: /[^\S\r\n]|[,;|]$|[;|][a-z][a-z\d+.-]*:/i,
	entryOf: (text) => ({ value: text.trim() }),
	examples: 'https://example.com/a, https://example.com/b or ["https://example.com/a"]',
};

/** One rule in a text. */
function readText(text: string, { entryOf, glued }: Notation): RuleEntry | undefined {
	const entry = text.length > longestToMatch ? undefined : entryOf(text);
	return entry && !glued.test(String(entry.value)) ? entry : undefined;
}

/** The rules in a value, as many as a row can have and one more; undefined for each that cannot be read. */
function read(value: unknown, notation: Notation): Array<RuleEntry | undefined> {
	if (Array.isArray(value)) {
		return Array.from<unknown>(value.slice(0, mostEntries + 1)).map((one) =>
			typeof one === 'string' ? readText(one, notation) : isRecord(one) ? one : undefined,
		);
	}
	if (isRecord(value)) {
		if ('rules' in value) return read(value.rules ?? [], notation);
		if ('value' in value) return [value];
		const rules = Object.entries(value).slice(0, mostEntries + 1);
		return rules.map(([key, address]) => ({ key: key.trim(), value: address }));
	}
	if (typeof value !== 'string') return [undefined];
	if (['[', '{'].includes(value.trim().charAt(0))) return read(parseJson(value), notation);
	if (value.length > longestToMatch) return [undefined];
	return value.split(notation.comma, mostEntries + 1).map((text) => readText(text, notation));
}

/**
 * The rules in a value as people have it at hand: the form's own rows, an array of rules or texts, an object from keys
 * to addresses, the JSON text of any of these, or the comma-separated text of a spreadsheet cell.
 *
 * @param isKeyed whether a rule has a key beside its value
 */
function ruleEntriesOf(
	value: unknown,
	property: INodeProperties,
	isKeyed: boolean,
): readonly RuleEntry[] | Invalid {
	const notation = isKeyed ? keyed : plain;
	const entries = read(value, notation);
	if (entries.length > mostEntries) return new Invalid([tooMany('rules')]);
	const known = entries.filter((entry) => entry !== undefined);
	if (known.length === entries.length) return known;
	return new Invalid([
		`${quote(value, property)} cannot be read as rules; write them as ${notation.examples}`,
	]);
}

/** The inputs of one rule, as the fixed collection's literal declares them. */
function inputsOf(property: INodeProperties): INodeProperties[] {
	return (property.options ?? []).flatMap((option) => ('values' in option ? option.values : []));
}

/** A rule, and its number as people count: rules that are left empty count as well. */
interface NumberedRule {
	readonly rule: RuleEntry;
	readonly number: number;
}

/** `Rule 2: Country ` in front of each reason, so that it reads on behind the collection's own name. */
const inRule = (number: number, input: INodeProperties, reason: string) =>
	`rule ${number}: ${input.displayName} ${reason}`;

/** Encodes the inputs of a rule one by one. */
const encodeRule = (
	{ rule, number }: NumberedRule,
	index: number,
	inputs: readonly INodeProperties[],
	parts: Readonly<Record<string, Codec>>,
) =>
	inputs.map((input): readonly WireValue[] | Invalid => {
		const part = parts[input.name];
		if (!part || isUnset(rule[input.name])) {
			return new Invalid([inRule(number, input, 'is missing; fill it in or remove the rule')]);
		}
		const values = part(rule[input.name], input);
		return values instanceof Invalid
			? new Invalid(values.reasons.map((reason) => inRule(number, input, reason)))
			: values.map(([suffix, text]) => [`[${index}][${input.name}]${suffix}`, text] as const);
	});

/** All values in order, or all reasons where any part is invalid. */
function gather(
	parts: ReadonlyArray<readonly WireValue[] | Invalid>,
): readonly WireValue[] | Invalid {
	const reasons = parts.flatMap((part) => (part instanceof Invalid ? part.reasons : []));
	return reasons.length > 0
		? new Invalid(reasons)
		: parts.flatMap((part) => (part instanceof Invalid ? [] : part));
}

/** What is wrong with keys that would be sent in more than one rule. */
function repeatedKeys(parts: ReadonlyArray<readonly WireValue[] | Invalid>): Invalid[] {
	const keys = parts
		.flatMap((part) => (part instanceof Invalid ? [] : part))
		.flatMap(([suffix, text]) => (suffix.endsWith('[key]') ? text : []));
	const seen = new Set<string>();
	const repeated = new Set(keys.filter((key) => seen.has(key) || !seen.add(key)));
	return [...repeated].map(
		(key) => new Invalid([`names "${key}" in more than one rule; keep one rule for each`]),
	);
}

/**
 * A fixed collection of targeting rules, sent as `country[0][key]=…&country[0][value]=…` (contract 2.1).
 *
 * `parts` holds the codec of each input of a rule. A rule that holds nothing is none; every other one must be
 * complete, and no key may stand in two rules, however the rules are written.
 */
export function rules(parts: Readonly<Record<string, Codec>>): Codec {
	return (value, property) => {
		const given = ruleEntriesOf(value, property, 'key' in parts);
		if (given instanceof Invalid) return given;
		const inputs = inputsOf(property);
		const entries = given
			.map((rule, index) => ({ rule, number: index + 1 }))
			.filter(({ rule }) => !isEmptyDeep(rule));
		const encoded = entries.flatMap((rule, index) => encodeRule(rule, index, inputs, parts));
		return gather([...encoded, ...repeatedKeys(encoded)]);
	};
}
