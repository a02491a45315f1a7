import type { INodeProperties } from 'n8n-workflow';
import { line, textOf } from '../../shared/contract/codecs/scalar';
import type { DerivedField, EncodedField, FieldInput } from '../../shared/contract/fieldTypes';
import { placesOf } from '../../shared/contract/operations';
import { parseAddress } from '../../shared/contract/text';
import { allValid, Invalid, type WireValue } from '../../shared/contract/types';
import {
	isBlank,
	isEmptyDeep,
	isRecord,
	lineBreaks,
	refused,
	shorten,
} from '../../shared/contract/values';
import { withQuery } from './destination';
import { rulesByTargetType } from './targeting';

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
	return lineBreaks.test(text)
		? refuse(', which contains a line break; enter it on one line')
		: ([name, text] as const);
}

/** Returns the parameters that have a value, in the order of the form, because rows can have any order. */
function readParameters(value: unknown): Invalid | ReadonlyMap<string, string> {
	// A form has a collection, an expression only the object.
	const set = isRecord(value) && 'parameters' in value ? value.parameters : value;
	if (!isRecord(set)) {
		return refused(set, utm, 'is not a set of parameters; enter a text for each parameter');
	}
	const filled = Object.entries(set).filter(([, text]) => !isBlank(text));
	filled.sort(([a], [b]) => order.indexOf(a) - order.indexOf(b));
	const parameters = allValid(filled.map(readParameter));
	return parameters instanceof Invalid ? parameters : new Map(parameters);
}

/** Returns whether a text is an `http` or `https` URL. Mail addresses and app URLs get no parameters. */
const isWebAddress = (text: string) => /^https?:$/.test(parseAddress(text)?.protocol ?? '');

/** Returns a field with the parameters added to its URLs. */
function withParameters(
	encoded: EncodedField,
	parameters: ReadonlyMap<string, string>,
): EncodedField {
	const { field, values, cleared } = encoded;
	if (cleared || !urlFields.includes(field.name)) return encoded;
	const tagged = values.map(([suffix, text]): WireValue => {
		return [suffix, isWebAddress(text) ? withQuery(text, parameters) : text];
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
	options: [{ displayName: 'UTM Parameters', name: 'parameters', values: inputs }],
	derive: {
		on: placesOf('optional'),
		inputs: parts,
		applyTo: (fields, value, { values, report }) => {
			const parameters = readParameters(value);
			if (parameters instanceof Invalid) {
				report(utm, parameters.reasons);
				return fields;
			}
			if (parameters.size > 0 && urlFields.every((name) => isEmptyDeep(values[name]))) {
				report(utm, ['need Destination URL; set it as well']);
			}
			return fields.map((field) => withParameters(field, parameters));
		},
	},
};
