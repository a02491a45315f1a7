import type { INodeProperties } from 'n8n-workflow';
import { maxMatchedLength } from '../textLimits';
import { Invalid, allValid, type Codec, type FormParameter, type WireValue } from '../types';
import { isUnclosed, opening } from './quotes';
import {
	duplicatesIn,
	formulaError,
	isEmptyDeep,
	isFormulaError,
	isRecord,
	isUnset,
	lineBreaks,
	maxEntries,
	parseJson,
	quote,
	tooMany,
} from '../values';

/** The inputs of a rule by name, before they are encoded. */
type RuleEntry = Readonly<Record<string, unknown>>;

/** How to read rules in a text. */
interface Notation {
	/** Matches the start of a rule after a separator. An address may contain separators too. */
	readonly start: RegExp;
	/** Matches a possible start of a rule after a separator. An address that contains one is refused. */
	readonly isUnsure: RegExp;
	readonly entryOf: (text: string) => RuleEntry | undefined;
}

/** Returns two example rules for an error message. */
function examplesOf([first, second]: readonly string[]): string {
	if (first === undefined || second === undefined) {
		return 'https://example.com/a, https://example.com/b or ["https://example.com/a"]';
	}
	const address = (name: string) => `https://example.com/${name.toLowerCase()}`;
	const text = [first, second].map((name) => `${name}=${address(name)}`).join(', ');
	return `${text} or {"${first}": "${address(first)}"}`;
}

const scheme = '[a-z][a-z\\d+.-]{0,40}:';

/** Matches an address that does not need a key or a blank before it. `10:30,b:2` may be a part of another address. */
const sureScheme = '(?:[a-z][a-z\\d+.-]{0,40}://|(?:mailto|tel|sms|geo|skype|facetime|callto):)';

/** A host without a scheme. */
const bareHost =
	'(?://|localhost\\b|(?:\\d{1,3}\\.){3}\\d|(?:[\\p{L}\\p{N}_-]{1,63}\\.){1,9}\\p{L}{2,63}(?![\\p{L}\\p{N}]))';

const key = '[^=,;|，；、]{1,200}';

/** `US=https://example.com/us`: the key ends at the first equals sign. */
const keyed: Notation = {
	start: new RegExp(`^${key}=\\s{0,20}${scheme}`, 'iu'),
	isUnsure: new RegExp(`^(?:${key}=\\s{0,20}${bareHost}|\\s{0,20}(?:${sureScheme}|www\\.))`, 'iu'),
	entryOf: (text) => {
		const [, name, value] = text.match(/^([^=]+)=(.+)$/s) ?? [];
		return name === undefined ? undefined : { key: name.trim(), value: value?.trim() };
	},
};

/** An address without a key. */
const plain: Notation = {
	start: new RegExp(`^(?:\\s{1,20}${scheme}|${sureScheme})`, 'i'),
	isUnsure: new RegExp(`^\\s{0,20}(?:${scheme}|www\\.)`, 'i'),
	entryOf: (text) => ({ value: text.trim() }),
};

/** Max length of the text in which a rule must start, in characters. */
const maxRuleStart = 500;

/** Returns whether the text after a position matches a pattern. */
const follows = (text: string, at: number, form: RegExp): boolean =>
	form.test(text.slice(at, at + maxRuleStart));

/**
 * Returns whether an address may contain another rule: it contains white space, or a separator before a possible
 * rule.
 */
function isGlued(address: string, { start, isUnsure }: Notation): boolean {
	if (/[^\S\r\n\ufeff]|[,;|]$/.test(address)) return true;
	for (const { index } of address.matchAll(/[,;|，；、]/g)) {
		if (follows(address, index + 1, start) || follows(address, index + 1, isUnsure)) return true;
	}
	return false;
}

/** Returns the rule in a text; undefined if it is unreadable. */
function readRuleText(text: string, notation: Notation): RuleEntry | undefined {
	const entry =
		text.length > maxMatchedLength || opening.test(text) ? undefined : notation.entryOf(text);
	if (!entry) return undefined;
	const address = String(entry.value);
	return isUnclosed(address) || isGlued(address, notation) ? undefined : entry;
}

/** Trims separators and blanks at the end of a text. Uses a loop, because a pattern takes quadratic time. */
function withoutSeparators(text: string): string {
	let end = text.length;
	while (end > 0 && /[\s,;]/.test(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}

/** Splits a line into the texts of its rules. */
function rulesInLine(line: string, { start }: Notation): string[] {
	const texts: string[] = [];
	let from = 0;
	for (const { index } of line.matchAll(/[,;]/g)) {
		const isStart = line.slice(from, index).trim() === '' || follows(line, index + 1, start);
		if (!isStart) continue;
		texts.push(line.slice(from, index));
		from = index + 1;
	}
	texts.push(line.slice(from));
	return texts.map(withoutSeparators).filter((text) => text.trim() !== '');
}

/**
 * Returns the rules in a cell, up to one more than the limit. A line break always ends a rule, because addresses
 * contain none.
 */
function readCell(text: string, notation: Notation): Array<RuleEntry | undefined> {
	return text
		.split(lineBreaks)
		.flatMap((line) => rulesInLine(line, notation))
		.slice(0, maxEntries + 1)
		.map((rule) => readRuleText(rule, notation));
}

/** Returns the rules in a value, up to one more than the limit; undefined for each unreadable rule. */
function readRules(value: unknown, notation: Notation): Array<RuleEntry | undefined> {
	if (Array.isArray(value)) {
		return Array.from<unknown>(value.slice(0, maxEntries + 1)).map((entry) =>
			typeof entry === 'string'
				? readRuleText(entry, notation)
				: isRecord(entry)
					? entry
					: undefined,
		);
	}
	if (isRecord(value)) {
		if ('rules' in value) return readRules(value.rules ?? [], notation);
		if ('value' in value) return [value];
		const rules = Object.entries(value).slice(0, maxEntries + 1);
		return rules.map(([name, address]) => ({ key: name.trim(), value: address }));
	}
	if (typeof value !== 'string') return [undefined];
	if (['[', '{'].includes(value.trim().charAt(0))) return readRules(parseJson(value), notation);
	return value.length > maxMatchedLength ? [undefined] : readCell(value, notation);
}

/**
 * Returns the rules in a value. Accepts the rows of the form, an array of rules or texts, an object from keys to
 * addresses, the JSON of any of these, or a text with separators.
 *
 * @param keys two keys for the examples of an error; empty if rules have no key
 */
function ruleEntriesOf(
	value: unknown,
	property: FormParameter,
	keys: readonly string[],
): readonly RuleEntry[] | Invalid {
	const notation = keys.length > 0 ? keyed : plain;
	const entries = readRules(value, notation);
	if (entries.length > maxEntries) return new Invalid([tooMany('rules')]);
	const recognized = entries.filter((entry) => entry !== undefined);
	if (recognized.length === entries.length) return recognized;
	if (isFormulaError(value)) return new Invalid([`${quote(value, property)} ${formulaError}`]);
	return new Invalid([
		`${quote(value, property)} cannot be read as rules; write them as ${examplesOf(keys)}`,
	]);
}

/** Returns the inputs of a rule, as the fixed collection declares them. */
function inputsOf(property: FormParameter): INodeProperties[] {
	return (property.options ?? []).flatMap((option) => ('values' in option ? option.values : []));
}

/** A rule and its number in the form. Empty rules count. */
interface NumberedRule {
	readonly rule: RuleEntry;
	readonly number: number;
}

/** Prefixes a reason with the rule and its input, such as `rule 2: Country `. */
const inRule = (number: number, input: INodeProperties, reason: string) =>
	`rule ${number}: ${input.displayName} ${reason}`;

/**
 * Returns `rule 2: Destination URL ` for a value of a rule, to continue the name of the collection. Counts filled
 * rules only. Returns an empty text for a value outside rules.
 */
export function inputLabel(property: FormParameter, suffix: string): string {
	const [, index = '', name] = suffix.match(/^\[(\d+)\]\[(\w+)\]$/) ?? [];
	const input = inputsOf(property).find((candidate) => candidate.name === name);
	return input ? inRule(Number(index) + 1, input, '') : '';
}

/** The reason for a value without rules that does not count as empty. */
const noRule = 'contains no rule; add a rule, or leave the field out';

const encodeRule = (
	{ rule, number }: NumberedRule,
	index: number,
	inputs: readonly INodeProperties[],
	encodePart: (input: INodeProperties, value: unknown) => ReturnType<Codec> | undefined,
) =>
	inputs.map((input): readonly WireValue[] | Invalid => {
		const inputValue = rule[input.name];
		const values = isUnset(inputValue) ? undefined : encodePart(input, inputValue);
		if (!values) {
			return new Invalid([inRule(number, input, 'is missing; fill it in or remove the rule')]);
		}
		return values instanceof Invalid
			? new Invalid(values.reasons.map((reason) => inRule(number, input, reason)))
			: values.map(([suffix, text]) => [`[${index}][${input.name}]${suffix}`, text] as const);
	});

/** Returns a reason for each key that occurs in several rules. */
function repeatedKeys(parts: ReadonlyArray<readonly WireValue[] | Invalid>): Invalid[] {
	const values = parts.flatMap((part) => (part instanceof Invalid ? [] : part));
	const keys = values.flatMap(([suffix, text]) => (suffix.endsWith('[key]') ? text : []));
	return duplicatesIn(keys).map(
		(key) => new Invalid([`contains several rules for "${key}"; keep only one of them`]),
	);
}

/**
 * A fixed collection of targeting rules, sent as `country[0][key]=…&country[0][value]=…` (contract 2.1). Skips empty
 * rules. Every other rule must be complete, and keys must be unique.
 *
 * @param parts the codec of each input of a rule
 * @param keys two keys for the examples of an error; empty if rules have no key
 */
export function rules(parts: Readonly<Record<string, Codec>>, keys: readonly string[] = []): Codec {
	return (value, property, { isAnswer } = {}) => {
		const encodePart = (input: INodeProperties, part: unknown) =>
			parts[input.name]?.(part, input, { isAnswer });
		const parsed = ruleEntriesOf(value, property, keys);
		if (parsed instanceof Invalid) return parsed;
		const inputs = inputsOf(property);
		const entries = parsed
			.map((rule, index) => ({ rule, number: index + 1 }))
			.filter(({ rule }) => !isEmptyDeep(rule));
		// Rules imply a target type, which would disable the existing rules if it were sent alone.
		if (entries.length === 0 && !isAnswer) return new Invalid([noRule]);
		const encoded = entries.flatMap((rule, index) => encodeRule(rule, index, inputs, encodePart));
		const values = allValid([...encoded, ...repeatedKeys(encoded)]);
		return values instanceof Invalid ? values : values.flat();
	};
}
