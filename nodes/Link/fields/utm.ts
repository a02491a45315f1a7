import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type DerivedField } from '../../shared/contract/types';
import { halfCharacter, tooLarge } from '../../shared/contract/codecs/scalar';
import { isRounded } from '../../shared/contract/readers';
import {
	isBrokenDate,
	isRecord,
	isTextual,
	isUnset,
	quote,
	shorten,
} from '../../shared/contract/values';
import { onWrites } from './onWrites';

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
	['utm_source', 'Source', 'e.g. newsletter', 'Where the visitor comes from'],
	['utm_medium', 'Medium', 'e.g. email', 'By what means the visitor comes'],
	['utm_campaign', 'Campaign', 'e.g. spring-sale', 'What the link is made for'],
	['utm_term', 'Term', 'e.g. running shoes', 'Keyword of a paid search'],
	['utm_content', 'Content', 'e.g. top-banner', 'Tells links of one campaign apart'],
	['utm_id', 'ID', 'e.g. abc.123', 'Identifies the campaign in reports of ads'],
].map(([name = '', displayName = '', placeholder, description]) => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder,
	description,
}));

const order = inputs.map(({ name }) => name);

/** What is wrong with one parameter. */
function wrongWith(name: string, value: unknown, property: INodeProperties): string[] {
	if (isUnset(value)) return [];
	if (!order.includes(name)) {
		return [`hold ${JSON.stringify(shorten(name))}, which is none; use ${order.join(', ')}`];
	}
	const text = isTextual(value) ? String(value) : '';
	if (isRounded(value)) return [`hold ${quote(value, property)} as ${name}, which ${tooLarge}`];
	if (!text.isWellFormed())
		return [`hold ${quote(value, property)} as ${name}, which ${halfCharacter}`];
	const isSendable = text !== '' && !isBrokenDate(text);
	return isSendable ? [] : [`hold ${quote(value, property)} as ${name}; give it one text`];
}

/** UTM parameters of the destination. The service knows none: they are a part of the address that it stores. */
export const utm: DerivedField = {
	displayName: 'UTM Parameters',
	name: 'utm',
	type: 'fixedCollection',
	// One set of parameters, there as soon as the field is added.
	default: { parameters: {} },
	placeholder: 'Add UTM Parameters',
	description:
		'Merged into the query of Destination URL, where those that it has already are replaced. An empty one is left out.',
	options: [
		{
			displayName: 'UTM Parameters',
			name: 'parameters',
			values: inputs,
		},
	],
	derive: {
		on: onWrites,
		sets: [],
		parts: order,
		read: (value, property, { url }) => {
			const given = isRecord(value) && 'parameters' in value ? value.parameters : value;
			if (!isRecord(given)) {
				return new Invalid([`${quote(given, property)} is not a set of texts; give one text each`]);
			}
			const problems = Object.entries(given).flatMap(([name, one]) =>
				wrongWith(name, one, property),
			);
			if (problems.length > 0) return new Invalid(problems);
			if (typeof url !== 'string' || url === '') {
				return new Invalid(['need Destination URL, which they are a part of; set it as well']);
			}
			// In the order of the form, whatever the order of the row.
			const ordered = order.flatMap((name) =>
				isUnset(given[name]) ? [] : [[name, String(given[name])] as const],
			);
			return { url: withQuery(url.trim(), new Map(ordered)) };
		},
	},
};
