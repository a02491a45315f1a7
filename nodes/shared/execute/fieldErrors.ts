import { isEncoded } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import { operationTable } from '../contract/operations';
import type { ResourceContract } from '../contract/resourceTypes';
import { requiredText } from '../contract/encodeRow';
import { quote, shorten } from '../contract/values';
import type { FieldErrors } from '../transport/failures';
import { joinTexts } from './byteLimits';
import type { Row } from './outcome';

/** Max number of characters of a key. The rest is ignored. */
const maxErrorKey = 1000;

/** Returns the parts of a key: `country.0.key` and `country[0][key]` are `country`, `0` and `key`. */
const keyParts = (key: string): string[] =>
	key
		.slice(0, maxErrorKey)
		.split(/[.[\]]+/)
		.filter((part) => part !== '');

/**
 * Returns the names of a field in messages of the service. A field can send several params, such as `expiration_date` and
 * `expiration_time`. The response to a create may name the domain without `_id` (contract 2.1, 4.2).
 */
const namesOf = ({ wire: { key, empty = [] }, type }: Field): string[] => [
	key,
	...empty.map((suffix) => `${key}${suffix}`),
	...(type === 'resourceLocator' ? [key.replace(/_id$/, '')] : []),
];

/** Returns the label of a field in a message: `country.0.key` is `Country Rules, number 1`. */
function keyLabel(field: Field | undefined, key: string): string {
	if (!field) return shorten(key);
	const [, index = ''] = keyParts(key);
	return /^\d+$/.test(index)
		? `${field.displayName}, number ${Number(index) + 1}`
		: field.displayName;
}

/** Returns the values that a row sent for a field; undefined if it sent no value. */
function sentOf(row: Row | undefined, field: Field | undefined): EncodedField | undefined {
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
function sentPart({ field, values }: EncodedField, key: string): string {
	const [, ...path] = keyParts(key);
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

/** Max bytes of the messages about one field, and about all fields. */
const maxFieldBytes = 400;
const maxTotalBytes = 550;

/** Max number of fields in a message. */
const maxFields = 20;

/** Returns the messages of the service about the fields of a row, each with the values that were sent. */
export function fieldErrorText(
	contract: ResourceContract,
	row: Row | undefined,
	fieldErrors: FieldErrors,
): string {
	const entries = Object.entries(fieldErrors);
	const texts = entries.slice(0, maxFields).map(([key, messages]) => {
		const [name = ''] = keyParts(key);
		const field = contract.fields.find((each) => namesOf(each).includes(name));
		const sent = sentOf(row, field);
		if (field && !sent && isChosenKey(contract, row, field)) return requiredText(field);
		const said = joinTexts(messages, ' ', maxFieldBytes);
		return `${keyLabel(field, key)}: ${said}${sent ? sentPart(sent, key) : ''}`;
	});
	return joinTexts(texts, '; ', maxTotalBytes, entries.length);
}
