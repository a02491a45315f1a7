import type { IDataObject } from 'n8n-workflow';
import { heldOf } from '../contract/compare';
import type { Denial } from '../contract/denials';
import type { EncodedField, EncodedRow } from '../contract/encodeRow';
import type { ResourceContract } from '../contract/types';
import { isTextual, isUnset, quote, shorten } from '../contract/values';
import { ServiceError, type FieldErrors } from '../transport/serviceError';
import { idIn } from './resource';

/** The display name by which the user knows a field. */
export const labelOf = ({ field, source }: EncodedField): string => (source ?? field).displayName;

/** What was sent and answered, as the user reads it: `Disabled (sent "1", answered 0)`. */
function denialText(fields: readonly EncodedField[], answer: IDataObject, row: EncodedRow): string {
	const [first] = fields;
	if (!first) return '';
	const { field, cleared } = first;
	const label = labelOf(first);
	if (field.typeOptions?.password) {
		return `${label} (the answer says that there is ${cleared ? 'still one' : 'none'})`;
	}
	const sent = fields.flatMap(({ values }) => values.map(([, text]) => text)).join(' ');
	const values = fields.map((one) => heldOf(one.field, answer, row));
	const answered = quote(values.length > 1 ? values.join(' ') : values[0], field);
	return `${label} (${cleared ? 'cleared' : `sent ${quote(sent, field)}`}, answered ${answered})`;
}

/** What was sent and answered, once for each field that the user knows. */
function denialTexts(
	fields: readonly EncodedField[],
	answer: IDataObject,
	row: EncodedRow,
): string {
	const labels = [...new Set(fields.map(labelOf))];
	return labels
		.map((label) =>
			denialText(
				fields.filter((field) => labelOf(field) === label),
				answer,
				row,
			),
		)
		.join('; ');
}

/** What a resource is called in an error: its ID, and the address under which people open it. */
function identityOf({ key }: ResourceContract, resource: IDataObject): string {
	const address = key.address === undefined ? undefined : resource[key.address];
	const shown = isTextual(address) && !isUnset(address) ? `, ${shorten(String(address), 200)}` : '';
	return `ID ${shorten(idIn(resource) ?? 'unknown')}${shown}`;
}

const denialErrors = (fields: readonly EncodedField[]): FieldErrors =>
	Object.fromEntries(
		fields.map(({ field }) => [field.wire.key, ['is not in the answer as it was sent']]),
	);

/** The failure of a row whose answer is about something else. Nobody knows what the service has stored. */
const contradiction = (
	message: string,
	advice: string,
	fields: readonly EncodedField[],
	more: { readonly isStray?: true } = {},
) =>
	new ServiceError({
		cause: 'rejected',
		message,
		advice,
		outcome: 'unknown',
		...(fields.length > 0 ? { fieldErrors: denialErrors(fields) } : {}),
		...more,
	});

export function foreignAnswer({ contract: { value, key } }: EncodedRow, answer: IDataObject) {
	return contradiction(
		`The service answered with another ${value} than the row's (ID ${shorten(idIn(answer) ?? 'unknown')})`,
		`Perhaps its ${key.searchBy} was changed at the same time. Look at the ${value} at the service, and run the row again.`,
		[],
	);
}

export function strayCreate(
	row: EncodedRow,
	answer: IDataObject,
	{ foreign, isEarlier }: { foreign: readonly EncodedField[]; isEarlier: boolean },
): ServiceError {
	const { value } = row.contract;
	const texts = denialTexts(foreign, answer, row);
	const differing = texts === '' ? '' : `: ${texts}`;
	const advice = isEarlier
		? `An earlier row has created the ${value} with this ID. Look at it at the service.`
		: `Look at that ${value} at the service: delete it, unless it was there before the run.`;
	return contradiction(
		`The service answered the create with another ${value} (${identityOf(row.contract, answer)})${differing}`,
		`${advice} The run sends no more creates.`,
		foreign,
		{ isStray: true },
	);
}

export function deniedFields(
	row: EncodedRow,
	failing: readonly Denial[],
	answer: IDataObject,
): ServiceError {
	const { value, ambiguous } = row.contract;
	const fields = failing.map(({ sent }) => sent);
	const isAmbiguous =
		fields.some(({ field }) => ambiguous?.keys.includes(field.wire.key)) &&
		ambiguous?.offsetOf({ ...row, fields }, answer) === 0;
	const reason = isAmbiguous
		? ambiguous.advice
		: 'Perhaps the plan of the account does not include this.';
	return contradiction(
		`The service answered with success, but did not store ${denialTexts(fields, answer, row)}`,
		`Look at the ${value} (${identityOf(row.contract, answer)}) at the service before you run the row again. ${reason}`,
		fields,
	);
}
