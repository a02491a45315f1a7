import { clearChoices } from './clearFields';
import { id as idCodec } from './codecs/id';
import { textOf } from './codecs/scalar';
import type { EncodedRow } from './encodedRow';
import type { EncodeContext } from './encodeContext';
import {
	Invalid,
	type Codec,
	type EncodeOptions,
	type FormParameter,
	type Parameters,
} from './types';
import type { Field } from './fieldTypes';
import { changesExisting, isPartial, takesId } from './operations';
import { fixedKeys, isIdentified, matchOf, needsField, readsIdentifier } from './matchBy';
import { collections, formParameters } from './formLayout';
import { isRecord, isUnset } from './values';

/**
 * Returns whether a row must have a value for a field. A row that identifies its resource creates none, and Match By
 * may not need the field.
 */
export const isNeeded = (context: EncodeContext, field: Field): boolean =>
	!isIdentified(context) && isRequired(context, field);

/** Returns whether all rows without an identifier must have a value for a field. */
export const isRequired = (
	{ contract, operation, options }: Pick<EncodeContext, 'contract' | 'operation' | 'options'>,
	field: Field,
): boolean =>
	field.wire.on[operation] === 'top' &&
	needsField(contract, operation, matchOf(contract, options), field);

/** The reason for a missing value that only a column can provide. */
const missingCell = 'is missing; fill in its cell';

/** Returns the reason for a missing required field. */
export const missing = ({ takesColumns }: EncodeOptions): string =>
	takesColumns ? `${missingCell}, or the field in the form` : 'is missing; enter a value';

/**
 * Returns the message for a missing required field: `Domain is required. Choose one, or enter its ID under By ID`.
 */
export function requiredText({ displayName, modes }: FormParameter): string {
	const byId = modes?.find(({ name }) => name === 'id');
	const remedy = byId ? `Choose one, or enter its ID under ${byId.displayName}` : 'Enter a value';
	return `${displayName} is required. ${remedy}`;
}

/** Returns the encoded text of a parameter, or of its default. Reports an invalid value and returns undefined. */
export function encodeParameter(
	{ report }: EncodeContext,
	codec: Codec,
	property: FormParameter,
	parameters: Parameters,
): string | undefined {
	const text = textOf(codec, parameters[property.name], property);
	if (!(text instanceof Invalid)) return text;
	report(property, text.reasons);
	return undefined;
}

/** Returns the ID or address that identifies the row's resource; empty if the run does not read them. */
export function encodeTarget(context: EncodeContext): Pick<EncodedRow, 'id' | 'reference'> {
	const { contract, operation, options, parameters, report } = context;
	if (!readsIdentifier(operation, contract, options)) return {};
	const { name } = matchOf(contract, options);
	const isColumn = options.takesColumns && options.matchBy !== undefined;
	const property = isColumn ? { ...contract.id, displayName: name } : contract.id;
	const identifier = parameters[property.name];
	if (isUnset(identifier)) {
		const remedy = 'is missing; choose from the list, or enter an ID';
		if (takesId(operation)) report(property, [isColumn ? missingCell : remedy]);
		return {};
	}
	const mode = isRecord(identifier) ? identifier.mode : undefined;
	const reference = contract.address?.read(identifier, property, mode);
	if (reference instanceof Invalid) {
		report(property, reference.reasons);
		return {};
	}
	return reference
		? { reference }
		: { id: encodeParameter(context, idCodec, property, parameters) };
}

/** Reports a row that changes a resource without a search text, and a row of Update without a value to change. */
export function checkUpdate(
	context: EncodeContext,
	row: Pick<EncodedRow, 'changes' | 'fields'>,
): void {
	const { contract, operation, options, report } = context;
	if (!changesExisting(operation)) return;
	const match = matchOf(contract, options);
	const key = options.matchBy === undefined ? undefined : match.fields?.searchBy;
	const field = contract.fields.find(({ wire }) => wire.key === key);
	if (field && !row.fields.some((encoded) => encoded.field === field && !encoded.cleared)) {
		report(field, [missingCell]);
	}
	if (!isPartial(operation)) return;
	const fixed = options.matchBy === undefined ? [] : fixedKeys(contract, match);
	const hasValue = row.fields.some((encoded) => !fixed.includes(encoded.field.wire.key));
	// In a sheet with values, a row without values leaves the resource unchanged.
	if (row.changes.length > 0 || hasValue || options.hasValueColumns) return;
	const canClear = clearChoices(contract).length > 0;
	const ways = [
		'fill in at least one field to change',
		...(options.takesColumns ? ['its column'] : []),
		...(canClear ? [`choose fields in ${formParameters.clearFields.displayName}`] : []),
	];
	report(collections.updateFields, [`contains no value; ${ways.join(', or ')}`]);
}
