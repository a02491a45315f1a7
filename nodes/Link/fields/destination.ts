import type { INodeProperties } from 'n8n-workflow';
import { line, textOf } from '../../shared/contract/codecs/scalar';
import { comparableUrl } from '../../shared/contract/codecs/url';
import { placesOf } from '../../shared/contract/operations';
import type {
	Field,
	FieldInput,
	ResourceContract,
	Wire,
} from '../../shared/contract/resourceTypes';
import { parseAddress } from '../../shared/contract/text';
import { type Codec, type WireValue, allValid, Invalid } from '../../shared/contract/types';
import { isBlank, isRecord, lineBreaks, refused, shorten } from '../../shared/contract/values';
import { rulesByTargetType } from './targeting';

/** Compares a destination with that of a link. A service may normalize it (assumption: normalized addresses). */
export const compareDestination: Wire['compare'] = ({ url }, [[, sent] = ['', '']]) => {
	const shown = String(url);
	if (!parseAddress(shown.trim())) return undefined;
	return comparableUrl(shown) === comparableUrl(sent) ? 'same' : 'different';
};

/** Max number of characters of a search for a destination. */
const maxSearchLength = 200;

/** Returns the longest part of a URL that services do not write in another way: usually the host and the path. */
function plainPart(address: string): string {
	const parts =
		address
			.replace(/^[a-z][a-z\d+.-]{0,30}:\/{0,2}/i, '')
			.slice(0, maxSearchLength)
			.replace(/%[\da-f]{2}|xn--[\w-]+/gi, ' ')
			.match(/[\w./-]+/g) ?? [];
	const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
	return longest.endsWith('/') ? longest.slice(0, -1) : longest;
}

/** Returns texts that find a destination in the list, however the service normalized it. */
export function destinationSearchTexts(url: string): string[] {
	const texts = [plainPart(url), plainPart(parseAddress(url)?.href ?? url)];
	const distinct = [...new Set(texts.filter((text) => text !== ''))];
	return distinct.length > 0 ? distinct : [url];
}

/** Returns the decoded text of a part of a URL, or the part as it is if it cannot be decoded. */
export function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/**
 * Returns a URL with query parameters. A parameter with the same name is replaced in its position; the others are appended.
 * Nothing else changes: encoding, order, repeated names, fragment.
 */
export function withQuery(address: string, parameters: ReadonlyMap<string, string>): string {
	const [, base, query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(address) ?? [];
	const remaining = new Map(parameters);
	const pairs = query.length > 1 ? query.slice(1).split('&') : [];
	const replaced = pairs.flatMap((pair) => {
		const name = decoded(pair.replace(/=.*/s, ''));
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

/** Returns a parameter with its text, or why it cannot be sent. */
function readParameter([name, value]: readonly [name: string, value: unknown]) {
	if (!order.includes(name)) {
		const what = `contain ${JSON.stringify(shorten(name))}, which is not a UTM parameter`;
		return new Invalid([`${what}; use ${order.join(', ')}`]);
	}
	const refuse = (what: string) =>
		refused(value, utm, `as ${name}${what}`, { before: 'contain', input: name });
	const text = textOf(line, value, utm);
	if (text instanceof Invalid) return refuse(`, which ${text.reasons[0]?.what}`);
	if (lineBreaks.test(text)) return refuse(', which contains a line break; enter it on one line');
	return [name, text] as const;
}

/** Encodes the parameters that have a value, in the order of the form, because rows can have any order. */
const codec: Codec = (value, property) => {
	// A form has a collection, an expression only the object.
	const set = isRecord(value) && 'parameters' in value ? value.parameters : value;
	if (!isRecord(set)) {
		return refused(set, property, 'is not a set of parameters; enter a text for each parameter');
	}
	const filled = Object.entries(set).filter(([, text]) => !isBlank(text));
	filled.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
	return allValid(filled.map(readParameter));
};

/** The UTM parameters of the URLs that a row sends. The API has no such field: `tagUrls` adds them to the URLs. */
export const utm: Field = {
	displayName: 'UTM Parameters',
	name: 'utm',
	type: 'fixedCollection',
	// The form shows the parameters as soon as the user adds the field.
	default: { parameters: {} },
	placeholder: 'Add UTM Parameters',
	options: [{ displayName: 'UTM Parameters', name: 'parameters', values: inputs }],
	wire: { key: 'utm', codec, on: placesOf('optional'), inputs: parts, ignoresEmpty: true },
};

/** Returns the fields of a row with its UTM Parameters in their URLs. Reports a row without a URL. */
export const tagUrls: NonNullable<ResourceContract['complete']> = (fields, { values, report }) => {
	const tags = fields.find(({ field }) => field === utm);
	if (!tags) return fields;
	if (!urlFields.some((name) => name in values)) {
		report(utm, ['need Destination URL; set it as well']);
	}
	const parameters = new Map(tags.values.map(([name, text]) => [name, text]));
	// Mail addresses and app URLs get no parameters.
	const tagged = (text: string) => (/^https?:/i.test(text) ? withQuery(text, parameters) : text);
	return fields
		.filter((encoded) => encoded !== tags)
		.map((encoded) => {
			if (encoded.cleared || !urlFields.includes(encoded.field.name)) return encoded;
			const urls = encoded.values.map(([suffix, text]): WireValue => [suffix, tagged(text)]);
			return { ...encoded, values: urls };
		});
};
