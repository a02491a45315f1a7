import { isEncoded } from '../contract/encodedRow';
import type { EncodedField, Field, ResourceContract } from '../contract/resourceTypes';
import { operationTable } from '../contract/operations';
import { quote, shorten } from '../contract/values';
import type { FieldErrors } from '../transport/failures';
import type { Row } from './outcome';
import { firstTexts } from './wording';

/** Returns the parts of a key: `country.0.key` and `country[0][key]` are `country`, `0` and `key`. */
const keyParts = (key: string): string[] => key.split(/[.[\]]/).filter((part) => part !== '');

/**
 * Returns the names of a field in messages of the service. A field can send several params, such as `expiration_date` and
 * `expiration_time`. The response to a create may name the domain without `_id` (contract 2.1, 4.2).
 */
const namesOf = ({ wire: { key, empty = [] }, type }: Field): string[] => [
	key,
	...empty.map((suffix) => `${key}${suffix}`),
	...(type === 'resourceLocator' ? [key.replace(/_id$/, '')] : []),
];

/** Returns the values that a row sent for a field; undefined if it sent no value. */
function sentOf(row: Row | undefined, field: Field): EncodedField | undefined {
	if (!row || !isEncoded(row.encoded)) return undefined;
	const { fields, changes } = row.encoded;
	// The service numbers the rules of the merged list, so the number does not fit the rules of the row.
	const lists = changes.filter(({ values }) => values.every(([at]) => at === '[]'));
	return [...fields, ...lists].find((encoded) => encoded.field === field);
}

/**
 * Returns the values that a row sent for the key of a message, quoted. Secrets are hidden. In a list, `pixel_ids.1` is the
 * second entry, and `country.0.key` is an input of the first rule.
 */
function sentText({ field, values }: EncodedField, path: readonly string[]): string {
	const place = path.map((part) => `[${part}]`).join('');
	const texts = values
		.filter(([suffix], index) =>
			suffix === '[]' ? [`[${index}]`, ''].includes(place) : suffix.startsWith(place),
		)
		.map(([, text]) => text);
	return texts.length === 0 ? '' : ` Sent: ${quote(texts.join(', '), field)}`;
}

/** Returns whether a row may create a resource, and a field of the unique key is chosen from a list. */
const isChosenKey = ({ key }: ResourceContract, row: Row | undefined, field: Field): boolean =>
	field.type === 'resourceLocator' &&
	key.uniqueBy.includes(field.wire.key) &&
	row !== undefined &&
	isEncoded(row.encoded) &&
	operationTable[row.encoded.operation].creates !== undefined;

/** Returns the message for a missing required field: `Domain is required. Choose one, or enter its ID under By ID`. */
function requiredText({ displayName, modes }: Field): string {
	const byId = modes?.find(({ name }) => name === 'id');
	const remedy = byId ? `Choose one, or enter its ID under ${byId.displayName}` : 'Enter a value';
	return `${displayName} is required. ${remedy}`;
}

/** Max number of characters of the messages about one field, and about all fields; and max number of fields. */
const maxField = 400;
const maxTotal = 550;
const maxFields = 20;

/** Returns the messages of the service about the fields of a row, each with the values that were sent. */
export function fieldErrorText(
	contract: ResourceContract,
	row: Row | undefined,
	fieldErrors: FieldErrors,
): string {
	const entries = Object.entries(fieldErrors);
	const texts = entries.slice(0, maxFields).map(([key, messages]) => {
		const [name = '', ...path] = keyParts(key);
		const said = firstTexts(messages, maxField).join(' ');
		const field = contract.fields.find((each) => namesOf(each).includes(name));
		if (!field) return `${shorten(key)}: ${said}`;
		const sent = sentOf(row, field);
		if (!sent && isChosenKey(contract, row, field)) return requiredText(field);
		const [index = ''] = path;
		const number = /^\d+$/.test(index) ? `, number ${Number(index) + 1}` : '';
		return `${field.displayName}${number}: ${said}${sent ? sentText(sent, path) : ''}`;
	});
	return firstTexts(texts, maxTotal, entries.length).join('; ');
}

/** Returns field errors for the data of an error, with a max number of characters for the messages of all fields. */
export function limitFieldErrors(errors: FieldErrors, most: number): FieldErrors {
	const entries = Object.entries(errors).slice(0, maxFields);
	return Object.fromEntries(
		entries.map(([key, messages]) => [shorten(key), firstTexts(messages, most / entries.length)]),
	);
}
