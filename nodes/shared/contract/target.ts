import type { INodeProperties } from 'n8n-workflow';
import { clearFields } from './clearFields';
import { id as idCodec } from './codecs/id';
import { textOf } from './codecs/scalar';
import type { EncodedRow } from './encodedRow';
import type { EncodeContext } from './encodeContext';
import { Invalid, type Codec, type EncodeOptions, type Parameters } from './types';
import type { Field } from './fieldTypes';
import { takesId } from './endpoints';
import { fixedKeys, isIdentified, matchOf, needsField, readsIdentifier } from './matchBy';
import { collections } from './formLayout';
import { isRecord, isUnset } from './values';

/**
 * Returns whether a row must have a value of a field. A row that identifies its resource creates none. Match By may find it without
 * what a create does not need.
 */
export function isNeeded(context: EncodeContext, field: Field): boolean {
	const { contract, operation, options } = context;
	if (!field.required || field.wire.on[operation] !== 'top' || isIdentified(context)) return false;
	return needsField(contract, matchOf(contract, options), field);
}

/** What a row lacks that only a column gives. */
const missingColumn = (name: string): string =>
	`is missing; fill in the column that is named like it, such as ${name}`;

/** Returns what a message says about a required field without a value. */
export const missing = ({ takesColumns }: EncodeOptions, name: string): string =>
	takesColumns ? `${missingColumn(name)}, or the field in the form` : 'is missing; enter a value';

/** Returns the text of a parameter, or of its default. Reports a value without a text, and returns undefined. */
export function encodeOne(
	{ report }: EncodeContext,
	codec: Codec,
	property: INodeProperties,
	parameters: Parameters,
): string | undefined {
	const text = textOf(codec, parameters[property.name], property);
	if (!(text instanceof Invalid)) return text;
	report(property, text.reasons);
	return undefined;
}

/** Returns the ID or the address that the row identifies its resource by, where the run reads them. */
export function encodeTarget(context: EncodeContext): Pick<EncodedRow, 'id' | 'reference'> {
	const { contract, operation, options, parameters, report } = context;
	if (!readsIdentifier(operation, contract, options)) return {};
	const { name, value, isAddress = false } = matchOf(contract, options);
	const isColumn = options.takesColumns && options.matchBy !== undefined;
	const property = isColumn ? { ...contract.id, displayName: name } : contract.id;
	const identifier = parameters[property.name];
	if (isUnset(identifier)) {
		const remedy = 'is missing; choose one from the list, or enter its ID';
		if (takesId(operation)) report(property, [isColumn ? missingColumn(value) : remedy]);
		return {};
	}
	const isUrlMode = isRecord(identifier) ? identifier.mode === 'url' : isAddress;
	const reference = contract.address?.read(identifier, property, isUrlMode);
	if (reference instanceof Invalid) {
		report(property, reference.reasons);
		return {};
	}
	return reference ? { reference } : { id: encodeOne(context, idCodec, property, parameters) };
}

/** Reports a row of Update that gives nothing to find its resource by, or nothing to change. */
export function checkUpdate(
	context: EncodeContext,
	row: Pick<EncodedRow, 'change' | 'fields' | 'rewrite'>,
): void {
	const { contract, operation, options, report } = context;
	if (operation !== 'update') return;
	const match = matchOf(contract, options);
	const key = options.matchBy === undefined ? undefined : match.fields?.searchBy;
	const field = contract.fields.find(({ wire }) => wire.key === key);
	if (field && !row.fields.some((encoded) => encoded.field === field && !encoded.cleared)) {
		report(field, [missingColumn(field.name)]);
	}
	const fixed = options.matchBy === undefined ? [] : fixedKeys(contract, match);
	const dependsOnResource = row.change !== undefined || row.rewrite !== undefined;
	const hasValue = row.fields.some((encoded) => !fixed.includes(encoded.field.wire.key));
	// In a sheet with values, a row that Match By finds may have none: its resource is unchanged.
	if (dependsOnResource || hasValue || options.hasValueColumns) return;
	const clear = clearFields(contract);
	const ways = [
		'fill in at least one field to change',
		...(options.takesColumns ? ['a column that is named like it'] : []),
		...(clear ? [`choose what to empty in ${clear.displayName}`] : []),
	];
	report(collections.updateFields, [`holds no value; ${ways.join(', or ')}`]);
}
