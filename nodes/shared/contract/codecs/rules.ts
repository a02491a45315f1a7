import type { INodeProperties } from 'n8n-workflow';
import { maxMatchedLength } from '../textLimits';
import { Invalid, type Codec, type WireValue } from '../types';
import { isUnclosed, opening } from './quotes';
import {
	isEmptyDeep,
	isRecord,
	isUnset,
	lineBreaks,
	maxEntries,
	parseJson,
	quote,
	tooMany,
} from '../values';

/** One rule as it was given: its inputs by name. */
type RuleEntry = Readonly<Record<string, unknown>>;

/** How one kind of rules is written as text. */
interface Notation {
	/** What follows a separator if a rule starts there. An address may have separators of its own. */
	readonly start: RegExp;
	/** What follows a separator if it looks like a rule. An address in which it occurs is refused. */
	readonly isUnsure: RegExp;
	readonly entryOf: (text: string) => RuleEntry | undefined;
}

/** Two rules as an error shows them, by the keys of their kind; of addresses alone without keys. */
function examplesOf([first, second]: readonly string[]): string {
	if (first === undefined || second === undefined) {
		return 'https://example.com/a, https://example.com/b or ["https://example.com/a"]';
	}
	const address = (name: string) => `https://example.com/${name.toLowerCase()}`;
	const text = [first, second].map((name) => `${name}=${address(name)}`).join(', ');
	return `${text} or {"${first}": "${address(first)}"}`;
}

const scheme = '[a-z][a-z\\d+.-]{0,40}:';

/** What begins an address even if no key or blank precedes it: `10:30,b:2` may be a part of one. */
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

/** `https://example.com/a`: an address alone. */
const plain: Notation = {
	start: new RegExp(`^(?:\\s{1,20}${scheme}|${sureScheme})`, 'i'),
	isUnsure: new RegExp(`^\\s{0,20}(?:${scheme}|www\\.)`, 'i'),
	entryOf: (text) => ({ value: text.trim() }),
};

/** What a rule must start within after a separator, in characters. */
const maxKeyLength = 500;

/** Whether what follows a place in a text has a form. */
const follows = (text: string, at: number, form: RegExp): boolean =>
	form.test(text.slice(at, at + maxKeyLength));

/** Whether an address holds what may be another rule: white space, or a separator before what looks like one. */
function isGlued(address: string, { start, isUnsure }: Notation): boolean {
	if (/[^\S\r\n\ufeff]|[,;|]$/.test(address)) return true;
	for (const { index } of address.matchAll(/[,;|，；、]/g)) {
		if (follows(address, index + 1, start) || follows(address, index + 1, isUnsure)) return true;
	}
	return false;
}

/** One rule in a text. */
function readText(text: string, notation: Notation): RuleEntry | undefined {
	const entry =
		text.length > maxMatchedLength || opening.test(text) ? undefined : notation.entryOf(text);
	if (!entry) return undefined;
	const address = String(entry.value);
	return isUnclosed(address) || isGlued(address, notation) ? undefined : entry;
}

/** Returns a text without the separators and blanks at its end; in a loop, because a pattern takes quadratic time. */
function withoutSeparators(text: string): string {
	let end = text.length;
	while (end > 0 && /[\s,;]/.test(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}

/** The texts of the rules in a line. */
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

/** The rules in the text of a cell, as many as a row can have and one more. A line break ends a rule, since no address has one. */
function readCell(text: string, notation: Notation): Array<RuleEntry | undefined> {
	return text
		.split(lineBreaks)
		.flatMap((line) => rulesInLine(line, notation))
		.slice(0, maxEntries + 1)
		.map((rule) => readText(rule, notation));
}

/** The rules in a value, as many as a row can have and one more; undefined for each that cannot be read. */
function read(value: unknown, notation: Notation): Array<RuleEntry | undefined> {
	if (Array.isArray(value)) {
		return Array.from<unknown>(value.slice(0, maxEntries + 1)).map((entry) =>
			typeof entry === 'string' ? readText(entry, notation) : isRecord(entry) ? entry : undefined,
		);
	}
	if (isRecord(value)) {
		if ('rules' in value) return read(value.rules ?? [], notation);
		if ('value' in value) return [value];
		const rules = Object.entries(value).slice(0, maxEntries + 1);
		return rules.map(([name, address]) => ({ key: name.trim(), value: address }));
	}
	if (typeof value !== 'string') return [undefined];
	if (['[', '{'].includes(value.trim().charAt(0))) return read(parseJson(value), notation);
	return value.length > maxMatchedLength ? [undefined] : readCell(value, notation);
}

/**
 * The rules in a value as people have it at hand: the form's own rows, an array of rules or texts, an object from keys
 * to addresses, the JSON text of any of these, or the text of a spreadsheet cell with separators.
 *
 * @param keys two keys for the examples of an error; none if a rule has no key beside its value
 */
function ruleEntriesOf(
	value: unknown,
	property: INodeProperties,
	keys: readonly string[],
): readonly RuleEntry[] | Invalid {
	const notation = keys.length > 0 ? keyed : plain;
	const entries = read(value, notation);
	if (entries.length > maxEntries) return new Invalid([tooMany('rules')]);
	const recognized = entries.filter((entry) => entry !== undefined);
	if (recognized.length === entries.length) return recognized;
	return new Invalid([
		`${quote(value, property)} cannot be read as rules; write them as ${examplesOf(keys)}`,
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

/**
 * Returns `rule 2: Destination URL ` for a value of a rule, to be continued behind the name of the collection. Counts the
 * rules that are filled in. Returns an empty text for a value that is not part of a rule.
 */
export function inputLabel(property: INodeProperties, suffix: string): string {
	const [, index = '', name] = suffix.match(/^\[(\d+)\]\[(\w+)\]$/) ?? [];
	const input = inputsOf(property).find((candidate) => candidate.name === name);
	return input ? inRule(Number(index) + 1, input, '') : '';
}

/** What is wrong with a value that is not empty and gives nothing to send. */
const noRule = 'holds no rule; add one, or leave the field out';

/** Encodes the inputs of a rule one by one. */
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
 *
 * @param keys two keys for the examples of an error; none if a rule has no key
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
		// Rules imply a target type, which would switch off the rules in force if none were sent with it.
		if (entries.length === 0 && !isAnswer) return new Invalid([noRule]);
		const encoded = entries.flatMap((rule, index) => encodeRule(rule, index, inputs, encodePart));
		return gather([...encoded, ...repeatedKeys(encoded)]);
	};
}
