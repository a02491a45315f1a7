import type { INodeProperties } from 'n8n-workflow';
import {
	refused,
	formulaError,
	isBlank,
	isBrokenDate,
	isEmptyDeep,
	isFormulaError,
	isRecord,
	isTextual,
	lineBreaks,
	quote,
	quoteText,
	shorten,
} from '../../shared/contract/values';
import type { Reason, ReportProblem } from '../../shared/contract/types';
import { hasMark, trimInvisible, parseAddress } from '../../shared/contract/text';
import type { DerivedField, EncodedField, FieldInput } from '../../shared/contract/fieldTypes';
import { inputLabel } from '../../shared/contract/codecs/rules';
import { invisibleMark, loneSurrogate, tooLarge } from '../../shared/contract/codecs/scalar';
import { isRounded } from '../../shared/contract/readers';
import { createAndUpdate } from './places';
import { rulesByTargetType } from './targeting';

/** Returns the decoded name of a query pair, or the name as it is if it cannot be decoded. */
function queryName(pair: string): string {
	const [name = ''] = pair.split('=');
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

/** Splits a text before the first occurrence of a character. */
function splitAt(text: string, mark: string): [before: string, from: string] {
	const index = text.indexOf(mark);
	return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index)];
}

/**
 * Returns a URL with query parameters. A parameter with the same name is replaced in its position; the others are appended.
 * Nothing else changes: encoding, order, repeated names, fragment.
 */
export function withQuery(address: string, parameters: ReadonlyMap<string, string>): string {
	const [beforeFragment, fragment] = splitAt(address, '#');
	const [base, query] = splitAt(beforeFragment, '?');
	const remaining = new Map(parameters);
	const pairs = query.length > 1 ? query.slice(1).split('&') : [];
	const replaced = pairs.flatMap((pair) => {
		const name = queryName(pair);
		if (!parameters.has(name)) return [pair];
		const value = remaining.get(name);
		remaining.delete(name);
		return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
	});
	const added = [...remaining].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	const all = [...replaced, ...added];
	return `${base}${all.length > 0 ? `?${all.join('&')}` : query}${fragment}`;
}

/** The UTM parameters, in the order of the form. */
const inputs: INodeProperties[] = [
	['utm_source', 'Source', 'e.g. newsletter'],
	['utm_medium', 'Medium', 'e.g. email'],
	['utm_campaign', 'Campaign', 'e.g. spring-sale'],
	['utm_term', 'Term', 'e.g. running shoes'],
	['utm_content', 'Content', 'e.g. top-banner'],
	['utm_id', 'ID', 'e.g. abc.123'],
].map(([name = '', displayName = '', placeholder]) => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder,
}));

const order = inputs.map(({ name }) => name);

/** The fields that get the parameters. */
const urlFields = ['url', ...Object.values(rulesByTargetType)];

const parts: FieldInput[] = inputs.map(({ name, displayName }) => ({
	name,
	displayName: `UTM ${displayName}`,
	stems: [name],
}));

/** The problem of a text with several lines, as the end of a sentence. */
const lineBreak = 'contains a line break; enter it on one line';

/** The texts of values that an expression could not read. No campaign has such a name. */
const unreadValues = ['undefined', 'null', 'NaN', '[object Object]'];

/** Returns the problems of one parameter. */
function problemWith(name: string, value: unknown, property: INodeProperties): Reason[] {
	if (isBlank(value)) return [];
	if (!order.includes(name)) {
		const what = `contain ${JSON.stringify(shorten(name))}, which is not a UTM parameter`;
		return [{ what: `${what}; use ${order.join(', ')}` }];
	}
	const refuse = (reason: string): Reason[] => [
		{ before: 'contain', value: quote(value, property), what: `as ${name}${reason}`, input: name },
	];
	const text = isTextual(value) ? trimInvisible(String(value)) : '';
	if (hasMark(text)) return refuse(`, which ${invisibleMark}`);
	if (isRounded(value)) return refuse(`, which ${tooLarge}`);
	if (!text.isWellFormed()) return refuse(`, which ${loneSurrogate}`);
	if (lineBreaks.test(text)) return refuse(`, which ${lineBreak}`);
	if (isFormulaError(text)) return refuse(`, which ${formulaError}`);
	const isSendable = text !== '' && !isBrokenDate(text) && !unreadValues.includes(text);
	return isSendable ? [] : refuse('; enter one text');
}

/** The max length of a URL at most services (assumption: limits). */
const maxUrlLength = 2048;

const webProtocols: ReadonlyArray<string | undefined> = ['http:', 'https:'];

/** Returns whether a text is an `http` or `https` URL. Mail addresses and app URLs get no parameters. */
const isWebAddress = (text: string): boolean => webProtocols.includes(parseAddress(text)?.protocol);

/** Returns the parameters of a value: the object in a form's collection, or the object of an expression. */
const parametersIn = (value: unknown): unknown =>
	isRecord(value) && 'parameters' in value ? value.parameters : value;

/** Returns the problems of a value. */
function problemsIn(value: unknown): readonly Reason[] {
	const parameters = parametersIn(value);
	const noSet = 'is not a set of parameters; enter a text for each parameter';
	return isRecord(parameters)
		? Object.entries(parameters).flatMap(([name, input]) => problemWith(name, input, utm))
		: refused(parameters, utm, noSet).reasons;
}

/** Returns the parameters that have a value, in the order of the form, because rows can have any order. */
function filledParameters(value: unknown): Map<string, string> {
	const parameters = parametersIn(value);
	if (!isRecord(parameters)) return new Map();
	const filled = order.filter((name) => !isBlank(parameters[name]));
	return new Map(filled.map((name) => [name, trimInvisible(String(parameters[name]))]));
}

/** Returns the number of characters of a text, counting a surrogate pair once. */
const lengthOf = (text: string): number => Array.from(text).length;

const isTooLong = (text: string): boolean =>
	text.length > maxUrlLength && lengthOf(text) > maxUrlLength;

/**
 * Returns a field with the parameters added to its URLs. Reports a URL that is too long only with them. The service
 * decides about URLs that were too long before (assumption: limits).
 */
function withParameters(
	encoded: EncodedField,
	parameters: ReadonlyMap<string, string>,
	report: ReportProblem,
): EncodedField {
	const { field, values, cleared } = encoded;
	if (cleared || !urlFields.includes(field.name)) return encoded;
	const tagged = values.map(([suffix, text]) => {
		const longer = isWebAddress(text) ? withQuery(text, parameters) : text;
		if (isTooLong(longer) && !isTooLong(text)) {
			const [length, max] = [lengthOf(longer), maxUrlLength].map((count) =>
				count.toLocaleString('en-US'),
			);
			const what = `has ${length} characters with UTM Parameters, and services commonly allow ${max}; shorten the address, or leave out UTM Parameters`;
			report(field, [{ before: inputLabel(field, suffix), value: quoteText(text), what }]);
		}
		return [suffix, longer] as const;
	});
	return { ...encoded, values: tagged };
}

/** The UTM parameters of the URLs that a row sends. The API has no such field: they are part of the URLs. */
export const utm: DerivedField = {
	displayName: 'UTM Parameters',
	name: 'utm',
	type: 'fixedCollection',
	// The form shows the parameters as soon as the user adds the field.
	default: { parameters: {} },
	placeholder: 'Add UTM Parameters',
	options: [
		{
			displayName: 'UTM Parameters',
			name: 'parameters',
			values: inputs,
		},
	],
	derive: {
		on: createAndUpdate,
		inputs: parts,
		applyTo: (fields, value, { values, report }) => {
			const problems = problemsIn(value);
			report(utm, problems);
			const parameters = filledParameters(value);
			if (problems.length > 0 || parameters.size === 0) return fields;
			if (urlFields.every((name) => isEmptyDeep(values[name]))) {
				report(utm, ['need Destination URL; set it as well']);
			}
			return fields.map((field) => withParameters(field, parameters, report));
		},
	},
};
