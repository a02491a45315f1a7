import type { IDataObject } from 'n8n-workflow';
import { comparedValue, hasSentValue } from '../contract/compare';
import { identityMismatches, type Mismatch } from '../contract/mismatches';
import { fieldsNamed, secretsOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { isTextual, isUnset, quote, shorten } from '../contract/values';
import { SecretMask } from '../transport/secretMask';
import { ServiceError, type FieldErrors } from '../transport/serviceError';
import { idIn } from './resource';

/** The display name by which the user knows a field. */
export const fieldLabel = ({ field, source }: EncodedField): string =>
	(source ?? field).displayName;

/** Whether a value of the service repeats a secret that the row sends. */
const containsSecret = (row: EncodedRow, value: unknown): boolean =>
	new SecretMask(secretsOf(row), '').isIn(
		typeof value === 'string' ? value : JSON.stringify(value),
	);

/** What was sent and answered, as the user reads it: `Disabled (sent "1", answered 0)`. */
function mismatchText(
	fields: readonly EncodedField[],
	answer: IDataObject,
	row: EncodedRow,
): string {
	const [first] = fields;
	if (!first) return '';
	const { field, cleared } = first;
	const label = fieldLabel(first);
	if (field.typeOptions?.password) {
		return `${label} (the answer says that there is ${cleared ? 'still one' : 'none'})`;
	}
	const sent = fields.flatMap(({ values }) => values.map(([, text]) => text)).join(' ');
	const values = fields.map((one) => comparedValue(one.field, answer, row));
	const shown = quote(values.length > 1 ? values.join(' ') : values[0], field);
	const answered = containsSecret(row, values) ? '(hidden)' : shown;
	return `${label} (${cleared ? 'cleared' : `sent ${quote(sent, field)}`}, answered ${answered})`;
}

/** What was sent and answered, once for each field that the user knows. */
function mismatchTexts(
	fields: readonly EncodedField[],
	answer: IDataObject,
	row: EncodedRow,
): string {
	const labels = [...new Set(fields.map(fieldLabel))];
	return labels
		.map((label) =>
			mismatchText(
				fields.filter((field) => fieldLabel(field) === label),
				answer,
				row,
			),
		)
		.join('; ');
}

/** What a resource is called in an error: its ID, and the address under which people open it. */
function identityOf(row: EncodedRow, resource: IDataObject): string {
	const { address } = row.contract.key;
	const id = `ID ${shorten(idIn(resource) ?? 'unknown')}`;
	const text = address === undefined ? undefined : resource[address];
	if (!isTextual(text) || isUnset(text) || containsSecret(row, String(text))) return id;
	return `${id}, ${shorten(String(text), 200)}`;
}

const mismatchErrors = (fields: readonly EncodedField[]): FieldErrors =>
	Object.fromEntries(
		fields.map(({ field }) => [field.wire.key, ['is not in the answer as it was sent']]),
	);

/** The failure of a row whose answer is about something else. It is not known what the service has stored. */
const unknownOutcomeError = (
	message: string,
	advice: string,
	fields: readonly EncodedField[],
	more: { readonly stray?: string } = {},
) =>
	new ServiceError({
		cause: 'rejected',
		message,
		advice,
		outcome: 'unknown',
		...(fields.length > 0 ? { fieldErrors: mismatchErrors(fields) } : {}),
		...more,
	});

/** @param sent the fields that were written, which may change what makes the resource unique */
export function wrongResourceError(
	row: EncodedRow,
	answer: IDataObject,
	sent: readonly EncodedField[],
): ServiceError {
	const { value, key } = row.contract;
	const foreign = identityMismatches(row, answer).filter((field) => !sent.includes(field));
	const texts = mismatchTexts(foreign, answer, row);
	return unknownOutcomeError(
		`The service answered with another ${value} than the row's (${identityOf(row, answer)})${texts && `: ${texts}`}`,
		`Perhaps its ${key.searchBy} was changed at the same time. Look at the ${value} at the service, and run the row again.`,
		foreign,
	);
}

/** Why the answer to a create is about another resource than the row's. */
interface StrayReasons {
	/** The fields by which it differs. */
	readonly foreign: readonly EncodedField[];
	/** Whether it was there before, or belongs to another row. */
	readonly isOfOther?: boolean;
	/** Whether another one with the same key is there already. */
	readonly isSecond?: boolean;
}

export function strayCreateError(
	row: EncodedRow,
	answer: IDataObject,
	{ foreign, isOfOther = false, isSecond = false }: StrayReasons,
): ServiceError {
	const { value, key } = row.contract;
	const stray = identityOf(row, answer);
	const texts = mismatchTexts(foreign, answer, row);
	const second = isSecond ? `: there is one with this ${key.searchBy} already` : '';
	const advice = isOfOther
		? `The ${value} with this ID was there before, or belongs to another row: look at it at the service.`
		: `Look at that ${value} at the service: delete it, unless it was there before the run.`;
	return unknownOutcomeError(
		`The service answered the create with another ${value} (${stray})${texts ? `: ${texts}` : second}`,
		`${advice} The run sends no more creates.`,
		foreign,
		{ stray },
	);
}

/** The failure of a create whose answer does not show what the next run finds the resource by: it would create another one. */
export function unmatchedCreateError(row: EncodedRow, answer: IDataObject): ServiceError {
	const { contract, match } = row;
	const fields = fieldsNamed(row, match.fields?.uniqueBy ?? []).filter(
		(field) => hasSentValue(field, answer, row) !== true,
	);
	const texts = mismatchTexts(fields, answer, row);
	return unknownOutcomeError(
		`The service created the ${contract.value}, but does not show ${match.name} as it was sent, so another run would not find it by that: ${texts}`,
		`Delete it (${identityOf(row, answer)}), and match the rows by something else. The run sends no more creates.`,
		fields,
		{ stray: identityOf(row, answer) },
	);
}

export function mismatchError(
	row: EncodedRow,
	failing: readonly Mismatch[],
	answer: IDataObject,
): ServiceError {
	const { value, ambiguous } = row.contract;
	const fields = failing.map(({ sent }) => sent);
	const offset = fields.some(({ field }) => ambiguous?.keys.includes(field.wire.key))
		? ambiguous?.offsetOf({ ...row, fields }, answer)
		: undefined;
	const reason =
		(offset === undefined ? undefined : ambiguous?.adviceFor(offset)) ??
		'Perhaps the plan of the account does not include this.';
	return unknownOutcomeError(
		`The service answered with success, but did not store ${mismatchTexts(fields, answer, row)}`,
		`Look at the ${value} (${identityOf(row, answer)}) at the service before you run the row again. ${reason}`,
		fields,
	);
}
