import { pathId } from './codecs/id';
import type { EncodedRow } from './encodedRow';
import { encodeParameter, type EncodeContext } from './encodeContext';
import { clearChoices, collections, formParameters } from './formLayout';
import { fixedKeys, readsIdentifier } from './matchBy';
import { changesExisting, isPartial, takesId } from './operations';
import { Invalid, type EncodeOptions, type FormParameter } from './types';
import { isRecord, isUnset } from './values';

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

/** Returns the ID or address that identifies the row's resource; empty if the run does not read them. */
export function encodeTarget(context: EncodeContext): Pick<EncodedRow, 'id' | 'reference'> {
	const { contract, operation, options, parameters, layout, report } = context;
	if (!readsIdentifier(operation, contract, options)) return {};
	const isColumn = options.takesColumns && options.matchBy !== undefined;
	const property = isColumn ? { ...contract.id, displayName: layout.match.name } : contract.id;
	const identifier = parameters[property.name];
	if (isUnset(identifier)) {
		const notChosen = 'is missing; choose from the list, or enter an ID';
		if (takesId(operation)) report(property, [isColumn ? missingCell : notChosen]);
		return {};
	}
	const mode = isRecord(identifier) ? identifier.mode : undefined;
	const reference = contract.address?.read(identifier, property, mode);
	if (reference instanceof Invalid) {
		report(property, reference.reasons);
		return {};
	}
	return reference ? { reference } : { id: encodeParameter(context, pathId, property, parameters) };
}

/** Reports a row that changes a resource without a search text, and a row of Update without a value to change. */
export function checkUpdate(
	{ contract, operation, options, layout: { match }, report }: EncodeContext,
	row: Pick<EncodedRow, 'changes' | 'fields'>,
): void {
	if (!changesExisting(operation)) return;
	const isMatched = options.matchBy !== undefined;
	const key = isMatched ? match.fields?.searchBy : undefined;
	const field = contract.fields.find(({ wire }) => wire.key === key);
	if (field && !row.fields.some((encoded) => encoded.field === field && !encoded.cleared)) {
		report(field, [missingCell]);
	}
	if (!isPartial(operation)) return;
	const fixed = isMatched ? fixedKeys(contract, match) : [];
	const hasValue = row.fields.some((encoded) => !fixed.includes(encoded.field.wire.key));
	// In a sheet with values, a row without values leaves the resource unchanged.
	if (row.changes.length > 0 || hasValue || options.hasValueColumns) return;
	const ways = [
		'fill in at least one field to change',
		...(options.takesColumns ? ['its column'] : []),
		...(clearChoices(contract).length > 0
			? [`choose fields in ${formParameters.clearFields.displayName}`]
			: []),
	];
	report(collections.updateFields, [`contains no value; ${ways.join(', or ')}`]);
}
