import type { INodeProperties } from 'n8n-workflow';
import { clearableFields, clearChoices } from './clearFields';
import { choiceMatching } from './codecs/scalar';
import { collectionsOf, collections, formParameters } from './formLayout';
import { addImpliedValues, isImpliedField } from './impliedFields';
import { placeOf } from './matchBy';
import { Invalid, type Parameters, type FormPlace } from './types';
import { hasScope, isPartial } from './operations';
import type { DerivedField, EncodedField, Field } from './fieldTypes';
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
	const property = { ...formParameters.clearFields, options: clearChoices(contract) };
	const value = isPartial(operation) ? parameters[property.name] : undefined;
	if (isEmpty(value, { type: 'multiOptions' })) return [];
	const choices = clearableFields(contract, operation).filter(({ isChoice }) => isChoice);
	const requested = (listOf(value, separators) ?? [value])
		.filter((entry) => !isUnset(entry))
		.map((entry) =>
			typeof entry === 'string' ? (choiceMatching(property, entry) ?? entry.trim()) : entry,
		);
	const unknown = requested.filter((name) => !choices.some((choice) => choice.name === name));
	const names = choices.map(({ name }) => name).sort();
	report(
		property,
		unknown.map((name) => `${quote(name, property)} cannot be cleared; use ${names.join(', ')}`),
	);
	return choices.filter(({ name }) => requested.includes(name)).flatMap(({ fields }) => fields);
}

/** Returns the fields that were added and are empty, without derived fields that set no field. */
function addedEmptyFields(
	{ contract }: EncodeContext,
	added: Parameters,
): Array<DerivedField | Field> {
	const derived = (contract.derivedFields ?? []).filter(({ derive }) => derive.sets.length > 0);
	return [...contract.fields, ...derived].filter(
		(property) => Object.hasOwn(added, property.name) && isEmpty(added[property.name], property),
	);
}

/** Returns whether an empty list leaves the resource's list unchanged, because its values would be added or removed. */
function keepsEmptyValues(property: DerivedField | Field, added: Parameters): boolean {
	const merge = 'wire' in property ? property.wire.merge : undefined;
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
	const emptyFields = addedEmptyFields(context, added);
	const fillable = clearableFields(contract, operation);
	const filled = filledByRun(context);
	return emptyFields
		.filter(({ name }) => !filled.includes(name))
		.filter((property) => !keepsEmptyValues(property, added))
		.flatMap((property) => {
			const fields = fillable.find(({ name }) => name === property.name)?.fields ?? [];
			if (fields.length === 0 && !isImpliedField(contract, property)) {
				report(property, [
					'is empty, and the service cannot clear it; fill it in, or leave it out',
				]);
			}
			return fields;
		});
}

/** Returns the values that a derived field sets; undefined if its value is invalid, which is reported. */
function derivedValues(
	context: EncodeContext,
	property: DerivedField,
	value: unknown,
	values: Parameters,
): Parameters | undefined {
	const { contract, options, report, guard } = context;
	const conflict = contract.fields.find(
		(field) => property.derive.sets.includes(field.name) && !isEmpty(values[field.name], field),
	);
	const set = guard(() => property.derive.read(value, property, values, options));
	if (conflict) {
		report(property, [`sets the same value as ${conflict.displayName}; keep only one of them`]);
	}
	if (!(set instanceof Invalid)) return set;
	report(property, set.reasons);
	return undefined;
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
	const { contract, operation, parameters, report } = context;
	const values = fieldValues(context, added);
	const sources = new Map<string, DerivedField>();
	let complete = (fields: readonly EncodedField[]) => fields;
	for (const property of contract.derivedFields ?? []) {
		const value = valueAt(property.derive.on[operation], property, parameters, added);
		if (isEmpty(value, property)) continue;
		const set = derivedValues(context, property, value, values);
		if (!set) continue;
		const { applyTo } = property.derive;
		if (applyTo) complete = (fields) => applyTo(fields, value, { values, report });
		Object.assign(values, set);
		for (const name of property.derive.sets) {
			if (Object.hasOwn(set, name)) sources.set(name, property);
		}
	}
	addImpliedValues(context, values);
	const cleared = new Set([...clearedByName(context), ...clearedByEmptiness(context, added)]);
	for (const field of contract.fields) {
		if (cleared.has(field.name) && !isEmpty(values[field.name], field)) {
			report(field, ['is both set and cleared; do only one of them']);
		}
	}
	return { values, sources, complete, cleared };
}
