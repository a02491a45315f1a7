import type { INodeProperties } from 'n8n-workflow';
import { clearChoices } from './clearFields';
import { choiceMatching } from './codecs/scalar';
import { collectionsOf, collections, formParameters } from './formLayout';
import { addImpliedValues, isImpliedField } from './impliedFields';
import { placeOf } from './matchBy';
import type { Parameters, FormPlace } from './types';
import { hasScope, isPartial } from './operations';
import type { EncodedField, Field } from './fieldTypes';
import { isEmpty, isRecord, isUnset, listOf, quote, separators } from './values';
import type { EncodeContext, ResolvedFields } from './encodeContext';

/** Returns the values of a row's collections as one object. */
export function collectionValues({
	contract,
	operation,
	parameters,
	report,
}: Pick<EncodeContext, 'contract' | 'operation' | 'parameters' | 'report'>): Parameters {
	const added = collectionsOf(contract, operation).map((name): Parameters => {
		const collection = parameters[name];
		if (isRecord(collection)) return collection;
		if (!isUnset(collection)) {
			report(collections[name], ['is not a set of fields; add the fields one by one in the form']);
		}
		return {};
	});
	return added.reduce((all, values) => ({ ...all, ...values }), {});
}

/** Returns the names of the fields that Clear Fields clears. */
function clearedByName({ contract, operation, parameters, report }: EncodeContext): string[] {
	const choices = clearChoices(contract);
	const property = { ...formParameters.clearFields, options: choices };
	const value = isPartial(operation) ? parameters[property.name] : undefined;
	if (isEmpty(value, { type: 'multiOptions' })) return [];
	const requested = (listOf(value, separators) ?? [value])
		.filter((entry) => !isUnset(entry))
		.map((entry) =>
			typeof entry === 'string' ? (choiceMatching(property, entry) ?? entry.trim()) : entry,
		);
	const names = choices.map((choice) => String(choice.value)).sort();
	const unknown = requested.filter((name) => !names.some((known) => known === name));
	report(
		property,
		unknown.map((name) => `${quote(name, property)} cannot be cleared; use ${names.join(', ')}`),
	);
	return names.filter((name) => requested.includes(name));
}

/** Returns whether an empty list leaves the resource's list unchanged, because its values would be added or removed. */
function keepsEmptyValues({ wire: { merge } }: Field, added: Parameters): boolean {
	const mode = merge ? added[merge.name] : undefined;
	return !isUnset(mode) && mode !== merge?.default;
}

/**
 * Returns the names of the fields that Sync sets on rows without a value: fields of the scope, and the field that
 * enables a resource.
 */
function filledByRun({ contract, operation, options, parameters }: EncodeContext): string[] {
	if (!hasScope(operation)) return [];
	const scope = parameters[formParameters.syncScope.name];
	const ofScope = contract.sync.scope.flatMap(({ name, scope: { field, isPrefix } }) =>
		isRecord(scope) && name in scope && !isPrefix ? field : [],
	);
	const { disabledField } = contract;
	return options.unmatchedAction === 'disable' && disabledField
		? [...ofScope, disabledField]
		: ofScope;
}

/** Returns the names of the fields that empty values clear, depending on Empty Values. */
function clearedByEmptiness(context: EncodeContext, added: Parameters): string[] {
	const { contract, operation, options, report } = context;
	if (options.emptyValues === 'skip') return [];
	const emptyFields = contract.fields.filter(
		(field) => Object.hasOwn(added, field.name) && isEmpty(added[field.name], field),
	);
	const filled = filledByRun(context);
	return emptyFields
		.filter((field) => !filled.includes(field.name) && !keepsEmptyValues(field, added))
		.flatMap((field) => {
			if (field.wire.empty && field.wire.on[operation]) return field.name;
			if (!isImpliedField(contract, field)) {
				report(field, ['is empty, and the service cannot clear it; fill it in, or leave it out']);
			}
			return [];
		});
}

/** Returns a parameter's value from its place in the form; an empty text if it has none. */
function valueAt(
	place: FormPlace | undefined,
	{ name }: INodeProperties,
	parameters: Parameters,
	added: Parameters,
): unknown {
	const holder = place === 'top' ? parameters : added;
	return place && Object.hasOwn(holder, name) ? holder[name] : '';
}

/**
 * Returns the values of the fields by name, from their place in the form of the operation. A field without a value
 * has an empty text.
 */
export function fieldValues(
	{
		contract,
		operation,
		options,
		parameters,
	}: Pick<EncodeContext, 'contract' | 'operation' | 'options' | 'parameters'>,
	added: Parameters,
	fields = contract.fields,
): Record<string, unknown> {
	const entries = fields.map((field) => {
		const place = placeOf(field, operation, contract, options);
		return [field.name, valueAt(place, field, parameters, added)] as const;
	});
	return Object.fromEntries(entries);
}

/** Returns the values of a row for the fields of the contract, and the fields to clear. Reports all conflicts. */
export function resolveFields(context: EncodeContext, added: Parameters): ResolvedFields {
	const { contract, report } = context;
	const values = fieldValues(context, added);
	addImpliedValues(context, values);
	const cleared = new Set([...clearedByName(context), ...clearedByEmptiness(context, added)]);
	for (const field of contract.fields) {
		if (cleared.has(field.name) && !isEmpty(values[field.name], field)) {
			report(field, ['is both set and cleared; do only one of them']);
		}
	}
	return { values, cleared };
}

/** Returns the encoded fields of a row after the derived fields that have a value are applied to them. */
export function withDerivedFields(
	{ contract, operation, parameters, report }: EncodeContext,
	encoded: readonly EncodedField[],
	added: Parameters,
	{ values }: ResolvedFields,
): readonly EncodedField[] {
	return (contract.derivedFields ?? []).reduce((fields, property) => {
		const value = valueAt(property.derive.on[operation], property, parameters, added);
		return isEmpty(value, property)
			? fields
			: property.derive.applyTo(fields, value, { values, report });
	}, encoded);
}
