import type { IDataObject } from 'n8n-workflow';
import { comparedValue, hasSentValue } from '../contract/compare';
import { identityMismatches, type Mismatch } from '../contract/mismatches';
import { fieldsNamed, secretsOf, type EncodedRow } from '../contract/encodedRow';
import type { EncodedField } from '../contract/fieldTypes';
import { isSecret, isTextual, isUnset, quote, shorten } from '../contract/values';
import { rowSecrets } from '../transport/secrets';
import { rejection, type FieldErrors, type ServiceError } from '../transport/failures';
import { idIn } from './resource';

/** Returns the label of a field in the form. */
export const fieldLabel = ({ field }: EncodedField): string => field.displayName;

/** Returns whether a value of the service may repeat a secret of the row. */
function containsSecret(row: EncodedRow, value: unknown): boolean {
	const text = typeof value === 'string' ? value : JSON.stringify(value);
	return rowSecrets(secretsOf(row)).text(text) !== text;
}

/** Returns the sent and returned values of fields with the same label: `Disabled (sent "1", returned 0)`. */
function labelMismatch(
	label: string,
	fields: readonly EncodedField[],
	answer: IDataObject,
	row: EncodedRow,
): string {
	const [first] = fields;
	if (!first) return '';
	const { field, cleared } = first;
	if (isSecret(field)) {
		return `${label} (${cleared ? 'still set' : 'not set'} in the response)`;
	}
	const sent = fields.flatMap(({ values }) => values.map(([, text]) => text)).join(' ');
	const values = fields.map((each) => comparedValue(each.field, answer, row));
	const shown = quote(values.length > 1 ? values.join(' ') : values[0], field);
	const answered = containsSecret(row, values) ? '(hidden)' : shown;
	return `${label} (${cleared ? 'cleared' : `sent ${quote(sent, field)}`}, returned ${answered})`;
}

/** Returns the sent and returned values, once for each label. */
const mismatchTexts = (
	fields: readonly EncodedField[],
	answer: IDataObject,
	row: EncodedRow,
): string =>
	[...new Set(fields.map(fieldLabel))]
		.map((label) => {
			const labeled = fields.filter((field) => fieldLabel(field) === label);
			return labelMismatch(label, labeled, answer, row);
		})
		.join('; ');

/** Returns the ID of a resource and its public address, for an error. */
export function idAndAddress(row: EncodedRow, resource: IDataObject): string {
	const { address } = row.contract.key;
	const id = `ID ${shorten(idIn(resource) ?? 'unknown')}`;
	const text = address === undefined ? undefined : resource[address];
	if (!isTextual(text) || isUnset(text) || containsSecret(row, String(text))) return id;
	return `${id}, ${shorten(String(text), 200)}`;
}

/** Returns the failure of a row whose response contradicts it, so that the outcome is unknown. */
const contradictionFailure = (
	message: string,
	advice: string,
	fields: readonly EncodedField[],
	stray?: string,
): ServiceError => {
	const errors = fields.map(({ field }) => [
		field.wire.key,
		['differs in the response from the value that was sent'],
	]);
	const fieldErrors: FieldErrors | undefined =
		errors.length > 0 ? Object.fromEntries(errors) : undefined;
	return rejection(message, advice, {
		outcome: 'unknown',
		...(fieldErrors ? { fieldErrors } : {}),
		...(stray === undefined ? {} : { stray }),
	});
};

/** @param sent the fields that were written, which may change the unique key of the resource */
export function wrongResourceError(
	row: EncodedRow,
	answer: IDataObject,
	sent: readonly EncodedField[],
): ServiceError {
	const { value, key } = row.contract;
	const differing = identityMismatches(row, answer).filter((field) => !sent.includes(field));
	const texts = mismatchTexts(differing, answer, row);
	return contradictionFailure(
		`The service returned a different ${value} (${idAndAddress(row, answer)})${texts && `: ${texts}`}`,
		`Its ${key.searchBy} may have changed at the same time. Check the ${value} in the service, and run the item again.`,
		differing,
	);
}

/** Why the service returned another resource for a create. */
interface StrayReasons {
	/** The fields of the unique key that differ. */
	readonly differing: readonly EncodedField[];
	/** Whether the resource existed before, or belongs to another row. */
	readonly isOfOther?: boolean;
	/** Whether another resource with the same key exists. */
	readonly isSecond?: boolean;
}

export function strayCreateError(
	row: EncodedRow,
	answer: IDataObject,
	{ differing, isOfOther = false, isSecond = false }: StrayReasons,
): ServiceError {
	const { value, key } = row.contract;
	const stray = idAndAddress(row, answer);
	const texts = mismatchTexts(differing, answer, row);
	const second = isSecond ? `: a ${value} with this ${key.searchBy} already exists` : '';
	const advice = isOfOther
		? `The ${value} with this ID existed before, or belongs to another item. Check it in the service.`
		: `Check this ${value} in the service. Delete it, unless it existed before the run.`;
	return contradictionFailure(
		`The service returned another ${value} for the create (${stray})${texts ? `: ${texts}` : second}`,
		`${advice} The run sends no more creates.`,
		differing,
		stray,
	);
}

/** Returns the failure of a create if the response has other values of the Match By fields, because the next run would repeat it. */
export function unmatchedCreateError(row: EncodedRow, answer: IDataObject): ServiceError {
	const { contract, match } = row;
	const fields = fieldsNamed(row, match.fields?.uniqueBy ?? []).filter(
		(field) => hasSentValue(field, answer, row) !== true,
	);
	const stray = idAndAddress(row, answer);
	return contradictionFailure(
		`The service created the ${contract.value}, but its ${match.name} differs from the value that was sent, so another run would not find it: ${mismatchTexts(fields, answer, row)}`,
		`Delete it (${stray}), and match the items by another field. The run sends no more creates.`,
		fields,
		stray,
	);
}

/** Returns the failure of a write whose response contradicts required fields. */
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
		'The plan of the account may not include this.';
	return contradictionFailure(
		`The service reported success, but did not store ${mismatchTexts(fields, answer, row)}`,
		`Check the ${value} (${idAndAddress(row, answer)}) in the service before you run the item again. ${reason}`,
		fields,
	);
}
