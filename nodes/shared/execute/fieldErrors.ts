import { operationTable } from '../contract/operations';
import { quote, shorten } from '../contract/values';
import { requiredText } from '../contract/encodeRow';
import type { FieldErrors } from '../transport/failures';
import type { Row } from './readRows';
import { joinTexts } from './byteLimits';
import { isEncoded } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import type { ResourceContract } from '../contract/resourceTypes';

/** Max number of characters of a key. The rest is ignored. */
const maxErrorKey = 1000;

/** Returns the parts of a key: `country.0.key` and `country[0][key]` are `country`, `0` and `key`. */
const keyParts = (key: string): string[] =>
	key
		.slice(0, maxErrorKey)
		.split(/[.[\]]+/)
		.filter((part) => part !== '');

/** Returns the field of a message of the service. The response to a create may name the domain without `_id` (contract 2.1, 4.2). */
const fieldForKey = ({ fields }: ResourceContract, name: string | undefined): Field | undefined =>
	fields.find(({ wire }) => wire.key === name) ??
	// A field can send several params, such as `expiration_date` and `expiration_time`.
	fields.find(({ wire }) => wire.empty?.some(([suffix]) => `${wire.key}${suffix}` === name)) ??
	fields.find(({ wire, type }) => type === 'resourceLocator' && wire.key === `${name}_id`);

/** Returns the label of a field in a message: `country.0.key` is `Country Rules, number 1`. */
function keyLabel(field: Field | undefined, key: string): string {
	const [, index] = keyParts(key);
	if (!field) return shorten(key);
	return index && /^\d+$/.test(index)
		? `${field.displayName}, number ${Number(index) + 1}`
		: field.displayName;
}

/** Returns the values that a row sent for a field; undefined if it sent no value. */
function sentOf(row: Row | undefined, field: Field | undefined): EncodedField | undefined {
	const encoded = row && isEncoded(row.encoded) ? row.encoded : undefined;
	// The service numbers the rules of the merged list, so the number does not fit the rules of the row.
	const lists = encoded?.changes.filter(({ values }) => values.every(([at]) => at === '[]'));
	const sent = [...(encoded?.fields ?? []), ...(lists ?? [])];
	return sent.find((encoded) => encoded.field === field);
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

/** Returns whether a row that creates a resource has no value for a field of the unique key that is chosen from a list. */
const isLeftOut = (
	{ key }: ResourceContract,
	row: Row | undefined,
	field: Field | undefined,
): field is Field =>
	field?.type === 'resourceLocator' &&
	key.uniqueBy.includes(field.wire.key) &&
	row !== undefined &&
	isEncoded(row.encoded) &&
	operationTable[row.encoded.operation].creates !== undefined &&
	sentOf(row, field) === undefined;

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
		const field = fieldForKey(contract, keyParts(key)[0]);
		if (isLeftOut(contract, row, field)) return requiredText(field);
		const sent = sentOf(row, field);
		const said = joinTexts(messages, ' ', maxFieldBytes);
		return `${keyLabel(field, key)}: ${said}${sent ? sentPart(sent, key) : ''}`;
	});
	return joinTexts(texts, '; ', maxTotalBytes, entries.length);
}
