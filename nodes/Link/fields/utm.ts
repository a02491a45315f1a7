import type { INodeProperties } from 'n8n-workflow';
import { Invalid } from '../../shared/contract/types';
import type { DerivedField, FieldInput } from '../../shared/contract/fieldTypes';
import type { ResourceOption } from '../../shared/contract/resourceTypes';
import { flag, loneSurrogate, tooLarge } from '../../shared/contract/codecs/scalar';
import { parseAddress } from '../../shared/contract/textLimits';
import { isRounded } from '../../shared/contract/readers';
import {
	formulaError,
	isBlank,
	isBrokenDate,
	isFormulaError,
	isRecord,
	isTextual,
	lineBreaks,
	quote,
	shorten,
} from '../../shared/contract/values';
import { createAndUpdate } from './places';
import { rulesByTargetType } from './targeting';

/** The name of a query pair as it means, decoded where it can be. */
function nameOf(pair: string): string {
	const [name = ''] = pair.split('=');
	try {
		return decodeURIComponent(name);
	} catch {
		return name;
	}
}

/** The part of a text before a character, and the part from there on. */
function splitAt(text: string, mark: string): [before: string, from: string] {
	const at = text.indexOf(mark);
	return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at)];
}

/**
 * Merges parameters into the query of an address: one that is there already gets the new value in its place, the others
 * follow at the end. Everything else stays to the letter: encoding, order, repeated names, fragment.
 */
export function withQuery(address: string, parameters: ReadonlyMap<string, string>): string {
	const [beforeFragment, fragment] = splitAt(address, '#');
	const [base, query] = splitAt(beforeFragment, '?');
	const left = new Map(parameters);
	const pairs = query.length > 1 ? query.slice(1).split('&') : [];
	const kept = pairs.flatMap((pair) => {
		const name = nameOf(pair);
		if (!parameters.has(name)) return [pair];
		const value = left.get(name);
		left.delete(name);
		return value === undefined ? [] : [`${name}=${encodeURIComponent(value)}`];
	});
	const added = [...left].map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
	const all = [...kept, ...added];
	return `${base}${all.length > 0 ? `?${all.join('&')}` : query}${fragment}`;
}

/** All parameters there are, in the order in which people fill them in. */
const inputs: INodeProperties[] = [
	['utm_source', 'Source', 'e.g. newsletter', 'The source of the visitor'],
	['utm_medium', 'Medium', 'e.g. email', 'The marketing medium'],
	['utm_campaign', 'Campaign', 'e.g. spring-sale', 'The name of the campaign'],
	['utm_term', 'Term', 'e.g. running shoes', 'The keyword of a paid search'],
	['utm_content', 'Content', 'e.g. top-banner', 'Distinguishes the links of a campaign'],
	['utm_id', 'ID', 'e.g. abc.123', 'The ID of the campaign'],
].map(([name = '', displayName = '', placeholder, description]) => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder,
	description,
}));

const order = inputs.map(({ name }) => name);

const ruleNames = Object.values(rulesByTargetType);

/** Headings that mean a parameter in some sheets, and something else in others. */
const ambiguousNames: Readonly<Record<string, readonly string[]>> = {
	utm_source: ['source'],
	utm_medium: ['medium'],
	utm_campaign: ['campaign'],
	utm_term: ['term', 'keyword'],
	utm_content: ['content'],
};

const parts: FieldInput[] = inputs.map(({ name, displayName }) => ({
	name,
	displayName: `UTM ${displayName}`,
	ambiguousNames: ambiguousNames[name],
}));

/** What is wrong with a text of several lines; reads on behind it. */
const lineBreak = 'contains a line break; enter it on one line';

/** What is wrong with one parameter. */
function problemWith(name: string, value: unknown, property: INodeProperties): string[] {
	if (isBlank(value)) return [];
	if (!order.includes(name)) {
		return [
			`contain ${JSON.stringify(shorten(name))}, which is not a UTM parameter; use ${order.join(', ')}`,
		];
	}
	const held = `contain ${quote(value, property)} as ${name}`;
	const text = isTextual(value) ? String(value).trim() : '';
	if (isRounded(value)) return [`${held}, which ${tooLarge}`];
	if (!text.isWellFormed()) return [`${held}, which ${loneSurrogate}`];
	if (lineBreaks.test(text)) return [`${held}, which ${lineBreak}`];
	if (isFormulaError(text)) return [`${held}, which ${formulaError}`];
	const isSendable = text !== '' && !isBrokenDate(text);
	return isSendable ? [] : [`${held}; enter one text`];
}

export const utmInUrlOnly: ResourceOption = {
	displayName: 'UTM in Destination URL Only',
	name: 'utmInUrlOnly',
	type: 'boolean',
	default: true,
	description:
		'Whether to add UTM Parameters to Destination URL only, and not to the URLs of rules',
	displayOptions: { show: { '/operation': ['create', 'sync', 'update', 'upsert'] } },
	codec: flag,
};

/** Services commonly allow no longer address, in characters (assumption: limits). */
const maxAddressLength = 2048;

const webProtocols: ReadonlyArray<string | undefined> = ['http:', 'https:'];

/** Whether a text is an address that parameters can be merged into: a mail address or one of an app is not. */
const isWebAddress = (text: string): boolean => webProtocols.includes(parseAddress(text)?.protocol);

/**
 * UTM parameters of the destinations. The service does not know them: they are a part of the addresses that it stores.
 */
export const utm: DerivedField = {
	displayName: 'UTM Parameters',
	name: 'utm',
	type: 'fixedCollection',
	// One set of parameters, there as soon as the field is added.
	default: { parameters: {} },
	placeholder: 'Add UTM Parameters',
	description:
		'The UTM parameters to add to the URLs of the row: Destination URL and the rules, but not Expiration Redirect URL. They replace parameters of the same name. Empty parameters change nothing. If an update has no Destination URL, the node reads the link and changes its URL.',
	options: [
		{
			displayName: 'UTM Parameters',
			name: 'parameters',
			values: inputs,
		},
	],
	derive: {
		on: createAndUpdate,
		sets: [],
		inputs: parts,
		read: (value, property) => {
			const given = isRecord(value) && 'parameters' in value ? value.parameters : value;
			if (!isRecord(given)) {
				return new Invalid([
					`${quote(given, property)} is not a set of parameters; enter a text for each parameter`,
				]);
			}
			const problems = Object.entries(given).flatMap(([name, one]) =>
				problemWith(name, one, property),
			);
			return problems.length > 0 ? new Invalid(problems) : {};
		},
		rewrite: {
			fields: ({ resourceOptions }) => [
				'url',
				...(resourceOptions[utmInUrlOnly.name] === '1' ? [] : ruleNames),
			],
			rewriterFor: (inputs) => {
				// In the order of the form, whatever the order of the row.
				const ordered = order.flatMap((name) =>
					Object.hasOwn(inputs, name) ? [[name, String(inputs[name]).trim()] as const] : [],
				);
				const parameters = new Map(ordered);
				return (text) => (isWebAddress(text) ? withQuery(text, parameters) : text);
			},
			maxLength: maxAddressLength,
		},
	},
};
