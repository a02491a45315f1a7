import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Codec, type WireValue } from '../types';
import { isEmptyDeep, isUnset } from '../values';
import { ruleEntriesOf, type RuleEntry } from './ruleEntries';

/** The inputs of one rule, as the fixed collection's literal declares them. */
function inputsOf(property: INodeProperties): INodeProperties[] {
	return (property.options ?? []).flatMap((option) => ('values' in option ? option.values : []));
}

/** `Rule 2: Country ` in front of each reason, so that it reads on behind the collection's own name. */
const inRule = (index: number, input: INodeProperties, reason: string) =>
	`rule ${index + 1}: ${input.displayName} ${reason}`;

function encodeRule(
	rule: RuleEntry,
	index: number,
	inputs: readonly INodeProperties[],
	parts: Readonly<Record<string, Codec>>,
): readonly WireValue[] | Invalid {
	const encoded = inputs.map((input): readonly WireValue[] | Invalid => {
		const part = parts[input.name];
		if (!part || isUnset(rule[input.name])) {
			return new Invalid([inRule(index, input, 'is missing; fill it in or remove the rule')]);
		}
		const values = part(rule[input.name], input);
		return values instanceof Invalid
			? new Invalid(values.reasons.map((reason) => inRule(index, input, reason)))
			: values.map(([suffix, text]) => [`[${index}][${input.name}]${suffix}`, text] as const);
	});
	return gather(encoded);
}

/** All values in order, or all reasons where any part is invalid. */
function gather(
	parts: ReadonlyArray<readonly WireValue[] | Invalid>,
): readonly WireValue[] | Invalid {
	const reasons = parts.flatMap((part) => (part instanceof Invalid ? part.reasons : []));
	return reasons.length > 0
		? new Invalid(reasons)
		: parts.flatMap((part) => (part instanceof Invalid ? [] : part));
}

/** One reason for each key that stands in more than one rule. */
function repeatedKeys(rules: readonly RuleEntry[]): string[] {
	const keys = rules.map(({ key }) => key).filter((key) => !isUnset(key));
	const repeated = new Set(keys.filter((key, index) => keys.indexOf(key) !== index));
	return [...repeated].map(
		(key) => `names "${String(key)}" in more than one rule; keep one rule for each`,
	);
}

/**
 * A fixed collection of targeting rules, sent as `country[0][key]=…&country[0][value]=…` (contract 2.1).
 *
 * `parts` holds the codec of each input of a rule. A rule whose inputs are all empty is none; every other one must be
 * complete, and no key may stand in two rules, however the rules are written.
 */
export function rules(parts: Readonly<Record<string, Codec>>): Codec {
	return (value, property) => {
		const given = ruleEntriesOf(value, property, 'key' in parts);
		if (given instanceof Invalid) return given;
		const inputs = inputsOf(property);
		const entries = given.filter((rule) => inputs.some(({ name }) => !isEmptyDeep(rule[name])));
		const repeated = repeatedKeys(entries);
		return gather([
			...entries.map((rule, index) => encodeRule(rule, index, inputs, parts)),
			...(repeated.length > 0 ? [new Invalid(repeated)] : []),
		]);
	};
}
