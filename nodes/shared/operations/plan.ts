import type { IDataObject } from 'n8n-workflow';
import { entryTexts, heldOf } from '../contract/compare';
import {
	searchTextOf,
	fieldsToCreate,
	type EncodedField,
	type EncodedRow,
} from '../contract/encodeRow';
import { idOf } from '../contract/readers';
import { Invalid, type Field, type Resource, type WireValue } from '../contract/types';
import { isUnset } from '../contract/values';
import { checkWhole, checkWritable, type Step } from './makeSo';
import type { Result } from './operation';

export const mask = '••••••';

const isSecret = ({ typeOptions }: Field) => Boolean(typeOptions?.password);

/** Values as people read them: `US=https://example.com/us, DE=https://example.com/de`. Null for nothing. */
function written(values: readonly WireValue[]): string | null {
	const texts = entryTexts(values).map((parts) => parts.join('='));
	return texts.some((text) => text !== '' && text !== '=') ? texts.join(', ') : null;
}

/** What a resource holds of a field, as people read it. Of a secret only that there is one. */
function writtenBefore(field: Field, resource: Resource, row: EncodedRow): string | null {
	const held = heldOf(field, resource, row);
	if (isUnset(held) || held === false) return null;
	if (isSecret(field)) return mask;
	const encoded = field.wire.codec(held, field);
	return encoded instanceof Invalid ? JSON.stringify(held) : written(encoded);
}

const writtenAfter = ({ field, values, cleared }: EncodedField): string | null =>
	isSecret(field) && !cleared ? mask : written(values);

/**
 * What a step would do to the resource of a row: the outcome, and each field before and after.
 *
 * @param more what else is to be told
 * @throws ServiceError where the step would fail
 */
export function plannedStep(row: EncodedRow, step: Step, more: IDataObject = {}): Result {
	const { existing, different } = step;
	checkWritable(row, step);
	if (!existing) checkWhole(row);
	const fields = existing ? different : fieldsToCreate(row);
	const outcome = !existing ? 'created' : different.length > 0 ? 'updated' : 'unchanged';
	const before = existing
		? fields.map(({ field }) => [field.name, writtenBefore(field, existing, row)])
		: [];
	const { searchBy } = row.contract.key;
	const planned = {
		outcome,
		id: existing ? idOf(existing.id) : null,
		[searchBy]: searchTextOf(row) ?? existing?.[searchBy] ?? null,
		before: Object.fromEntries(before) as IDataObject,
		after: Object.fromEntries(fields.map((one) => [one.field.name, writtenAfter(one)])),
	};
	return { resources: [{ ...planned, ...more }], outcome };
}
