import { isEncoded } from '../contract/encodeRow';
import type { ResourceContract } from '../contract/types';
import { quote } from '../contract/values';
import type { FieldErrors } from '../transport/serviceError';
import type { Row } from './readRows';

/** The field that a service's message is about, as people call it: `country.0.key` is in Country Rules, number 1. */
function labelOf(contract: ResourceContract, key: string): string {
	const [name, index] = key.split(/[.[\]]+/);
	const field = contract.fields.find(({ wire }) => wire.key === name);
	if (!field) return key;
	return index && /^\d+$/.test(index)
		? `${field.displayName}, number ${Number(index) + 1}`
		: field.displayName;
}

/**
 * What a row sent for what the service's message is about, quoted; a secret is hidden. Of a list, `pixel_ids.1` is the
 * second entry, and `country.0.key` one input of the first rule.
 */
function sentText(row: Row | undefined, key: string): string {
	const [name, ...path] = key.split(/[.[\]]+/).filter((part) => part !== '');
	const encoded = row && isEncoded(row.encoded) ? row.encoded : undefined;
	const sent = [...(encoded?.fields ?? []), ...(encoded?.change ? [encoded.change] : [])];
	const field = sent.find((one) => one.field.wire.key === name);
	if (!field) return '';
	const place = path.map((part) => `[${part}]`).join('');
	const texts = field.values
		.filter(([suffix], index) =>
			suffix === '[]' ? [`[${index}]`, ''].includes(place) : suffix.startsWith(place),
		)
		.map(([, text]) => text);
	return texts.length === 0 ? '' : ` Sent: ${quote(texts.join(', '), field.field)}`;
}

/** The service's messages on the fields of a row, each with what was sent. */
export const fieldErrorText = (
	contract: ResourceContract,
	row: Row | undefined,
	fieldErrors: FieldErrors,
): string =>
	Object.entries(fieldErrors)
		.map(
			([key, messages]) => `${labelOf(contract, key)}: ${messages.join(' ')}${sentText(row, key)}`,
		)
		.join('; ');
