import type { INodeProperties } from 'n8n-workflow';
import { clearables, clearFields } from './clearFields';
import { choiceMatching } from './codecs/scalar';
import { collectionsOf, collections } from './formLayout';
import { addImpliedValues, isImpliedField } from './impliedFields';
import { placeOf } from './matchBy';
import { scopeName } from './scope';
import { rewriteOf } from './rewrite';
import type { RowRewrite, DerivedField, Field } from './fieldTypes';
import { Invalid, type Parameters, type FormPlace } from './types';
import { isEmpty, isRecord, isUnset, listOf, quote, separators } from './values';
import type { EncodeContext, ResolvedFields } from './encodeContext';

/** The optional fields of a row, as they were added in the form. */
export function collectionValues({
	contract,
	operation,
	parameters,
	report,
}: EncodeContext): Parameters {
	const added = collectionsOf(contract, operation).map((name): Parameters => {
		const collection = parameters[name];
		if (isRecord(collection)) return collection;
		if (!isUnset(collection)) {
			report(collections[name], ['is not a set of fields; add the fields one by one in the form']);
		}
		return {};
	});
	return added.reduce((all, one) => ({ ...all, ...one }), {});
}

/** The names of the fields that Clear Fields empties. */
function clearedByName({ contract, operation, parameters, report }: EncodeContext): string[] {
	const property = operation === 'update' ? clearFields(contract) : undefined;
	const value = property && parameters[property.name];
	if (!property || isEmpty(value, property)) return [];
	const known = clearables(contract, operation).filter(({ isChoice }) => isChoice);
	const wanted = (listOf(value, separators) ?? [value])
		.filter((one) => !isUnset(one))
		.map((one) => (typeof one === 'string' ? (choiceMatching(property, one) ?? one.trim()) : one));
	const unknown = wanted.filter((name) => !known.some((choice) => choice.name === name));
	const names = known.map(({ name }) => name).sort();
	report(
		property,
		unknown.map((one) => `${quote(one, property)} cannot be cleared; use ${names.join(', ')}`),
	);
	return known.filter(({ name }) => wanted.includes(name)).flatMap(({ fields }) => fields);
}

/** The fields that were added and hold nothing. A derived field that sets no field of its own stands for none. */
function emptyOnes({ contract }: EncodeContext, added: Parameters): Array<DerivedField | Field> {
	const derived = (contract.derivedFields ?? []).filter(({ derive }) => derive.sets.length > 0);
	return [...contract.fields, ...derived].filter(
		(property) => Object.hasOwn(added, property.name) && isEmpty(added[property.name], property),
	);
}

/** Whether nothing is to be added to a list or removed from it, so that all of it stays. */
function keepsEmptyValues(property: DerivedField | Field, added: Parameters): boolean {
	const merge = 'wire' in property ? property.wire.merge : undefined;
	const mode = merge && added[merge.name];
	return !isUnset(mode) && mode !== merge?.default;
}

/** The names of the fields that Sync gives rows without a value: those of the scope, and the one that switches them on. */
function filledByRun({ contract, operation, options, parameters }: EncodeContext): string[] {
	if (operation !== 'sync') return [];
	const scope = parameters[scopeName];
	const ofScope = contract.sync.scope.flatMap(({ name, scope: { field, isPrefix } }) =>
		isRecord(scope) && name in scope && !isPrefix ? field : [],
	);
	const { disabledField } = contract.sync;
	return options.unmatchedAction === 'disable' && disabledField
		? [...ofScope, disabledField]
		: ofScope;
}

/** The names of the fields that empty values stand for clearing, where Empty Values means them so. */
function clearedByEmptiness(context: EncodeContext, added: Parameters): string[] {
	const { contract, operation, options, report } = context;
	if (options.emptyValues === 'skip') return [];
	const ones = emptyOnes(context, added);
	if (options.emptyValues === 'fail') {
		for (const property of ones) {
			report(property, ['is empty; fill it in, or change Empty Values under Options']);
		}
		return [];
	}
	const known = clearables(contract, operation);
	const given = filledByRun(context);
	return ones
		.filter(({ name }) => !given.includes(name))
		.filter((property) => !keepsEmptyValues(property, added))
		.flatMap((property) => {
			const clears = 'derive' in property ? property.derive.clears?.(added) : undefined;
			const fields = clears ?? known.find(({ name }) => name === property.name)?.fields ?? [];
			const isStuck = fields.length === 0 && !clears && !isImpliedField(contract, property);
			if (isStuck) {
				report(property, [
					'is empty, and the service cannot clear it; fill it in, or leave it out',
				]);
			}
			return fields;
		});
}

/** The values of the fields that a derived field sets; undefined, and reported, if its value cannot be read. */
function derivedValues(
	context: EncodeContext,
	property: DerivedField,
	value: unknown,
	values: Parameters,
): Parameters | undefined {
	const { contract, options, report, forbid, guard } = context;
	const conflict = contract.fields.find(
		(field) => property.derive.sets.includes(field.name) && !isEmpty(values[field.name], field),
	);
	const set = guard(() => property.derive.read(value, property, values, options));
	if (conflict) {
		report(property, [`sets the same as ${conflict.displayName}; keep one of the two`]);
	}
	if (set instanceof Invalid) {
		report(property, set.reasons);
		return undefined;
	}
	const reason = property.derive.whyNotWrite?.(value, property, options);
	if (reason !== undefined) forbid(property, reason);
	return set;
}

/** Resolves what a row wants of the fields, each value from the place where the operation has it and from nowhere else. */
export function resolveFields(context: EncodeContext, added: Parameters): ResolvedFields {
	const { contract, operation, options, parameters, report } = context;
	const valueAt = ({ name }: INodeProperties, place: FormPlace | undefined): unknown => {
		const holder = place === 'top' ? parameters : added;
		return place && Object.hasOwn(holder, name) ? holder[name] : '';
	};
	const values: Record<string, unknown> = {};
	for (const field of contract.fields) {
		values[field.name] = valueAt(field, placeOf(field, operation, contract, options));
	}
	const sources = new Map<string, DerivedField>();
	let rewrite: RowRewrite | undefined;
	for (const property of contract.derivedFields ?? []) {
		const value = valueAt(property, property.derive.on[operation]);
		if (isEmpty(value, property)) continue;
		const set = derivedValues(context, property, value, values);
		if (!set) continue;
		rewrite ??= rewriteOf(contract, property, value, options);
		Object.assign(values, set);
		for (const name of property.derive.sets) {
			if (Object.hasOwn(set, name)) sources.set(name, property);
		}
	}
	addImpliedValues(context, values);
	const cleared = new Set([...clearedByName(context), ...clearedByEmptiness(context, added)]);
	for (const field of contract.fields) {
		if (cleared.has(field.name) && !isEmpty(values[field.name], field)) {
			report(field, ['is set and cleared at the same time; do one of the two']);
		}
	}
	return { values, sources, rewrite, cleared };
}
