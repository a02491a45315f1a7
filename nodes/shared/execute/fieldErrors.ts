import { operationTable } from '../contract/operations';
import { quote, shorten } from '../contract/values';
import { requiredText } from '../contract/target';
import type { FieldErrors } from '../transport/serviceError';
import type { Row } from './readRows';
import { joinTexts } from './byteLimits';
import { isEncoded } from '../contract/encodedRow';
import type { EncodedField, Field } from '../contract/fieldTypes';
import type { ResourceContract } from '../contract/resourceTypes';

/** The rest of a longer key is not read, in characters. */
const maxKeyLength = 1000;

/** The parts of a key: `country.0.key` and `country[0][key]` are `country`, `0` and `key`. */
const partsOf = (key: string): string[] =>
	key
		.slice(0, maxKeyLength)
		.split(/[.[\]]+/)
		.filter((part) => part !== '');

/** The field that a service's message is about; a create may name the domain without `_id` (contract 2.1, 4.2). */
const fieldOf = ({ fields }: ResourceContract, name: string | undefined): Field | undefined =>
	fields.find(({ wire }) => wire.key === name) ??
	fields.find(({ wire, type }) => type === 'resourceLocator' && wire.key === `${name}_id`);

/** A field as people call it: `country.0.key` is in Country Rules, number 1. */
function labelOf(field: Field | undefined, key: string): string {
	const [, index] = partsOf(key);
	if (!field) return shorten(key);
	return index && /^\d+$/.test(index)
		? `${field.displayName}, number ${Number(index) + 1}`
		: field.displayName;
}

/** What a row sent of a field; undefined if it sent nothing. */
function sentOf(row: Row | undefined, field: Field | undefined): EncodedField | undefined {
	const encoded = row && isEncoded(row.encoded) ? row.encoded : undefined;
	const sent = [...(encoded?.fields ?? []), ...(encoded?.change ? [encoded.change] : [])];
	return sent.find((encoded) => encoded.field === field);
}

/**
 * What a row sent for what the service's message is about, quoted; a secret is hidden. Of a list, `pixel_ids.1` is the
 * second entry, and `country.0.key` one input of the first rule.
 */
function sentText({ field, values }: EncodedField, key: string): string {
	const [, ...path] = partsOf(key);
	const place = path.map((part) => `[${part}]`).join('');
	const texts = values
		.filter(([suffix], index) =>
			suffix === '[]' ? [`[${index}]`, ''].includes(place) : suffix.startsWith(place),
		)
		.map(([, text]) => text);
	return texts.length === 0 ? '' : ` Sent: ${quote(texts.join(', '), field)}`;
}

/** Whether a row that creates something left out a field that tells its resource from others, and that is chosen. */
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

/** Bytes of the messages on one field, and on all. */
const maxFieldBytes = 400;
const maxTotalBytes = 550;

/** No more fields are shown; a message is about the fields of a form, or about the entries of a list. */
const maxFields = 20;

/** The service's messages on the fields of a row, each with what was sent. */
export function fieldErrorText(
	contract: ResourceContract,
	row: Row | undefined,
	fieldErrors: FieldErrors,
): string {
	const entries = Object.entries(fieldErrors);
	const texts = entries.slice(0, maxFields).map(([key, messages]) => {
		const field = fieldOf(contract, partsOf(key)[0]);
		if (isLeftOut(contract, row, field)) return requiredText(field);
		const sent = sentOf(row, field);
		const said = joinTexts(messages, ' ', maxFieldBytes);
		return `${labelOf(field, key)}: ${said}${sent ? sentText(sent, key) : ''}`;
	});
	return joinTexts(texts, '; ', maxTotalBytes, entries.length);
}
