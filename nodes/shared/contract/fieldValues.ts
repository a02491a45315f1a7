import { choiceMatching } from './codecs/scalar';
import { encodeValue, type EncodeContext } from './encodeContext';
import type { EncodedField, Field } from './fieldTypes';
import { clearChoices, collections, formParameters } from './formLayout';
import { hasScope, isPartial } from './operations';
import type { ResourceContract } from './resourceTypes';
import { Invalid, type FormPlace, type Parameters } from './types';
import {
	choicesOf,
	isEmpty,
	isRecord,
	isSecret,
	isUnset,
	listOf,
	quote,
	separators,
	unwrapLocator,
} from './values';

/** Returns the values of a row's collections as one object. */
export function collectionValues({ layout, parameters, report }: EncodeContext): Parameters {
	const values: Parameters = {};
	for (const name of layout.collections) {
		const collection = parameters[name];
		if (isRecord(collection)) {
			Object.assign(values, collection);
		} else if (!isUnset(collection)) {
			report(collections[name], ['is not a set of fields; add the fields one by one in the form']);
		}
	}
	return values;
}

/** Returns a parameter's value from its place in the form; undefined if it has none. */
export function valueAt(
	{ parameters }: EncodeContext,
	place: FormPlace,
	name: string,
	added: Parameters,
): unknown {
	const holder = place === 'top' ? parameters : added;
	return Object.hasOwn(holder, name) ? holder[name] : undefined;
}

/** Returns the names of the fields that Clear Fields clears. */
function clearedByName({ contract, operation, parameters, report }: EncodeContext): string[] {
	const value = isPartial(operation) ? parameters[formParameters.clearFields.name] : undefined;
	if (isEmpty(value, { type: 'multiOptions' })) return [];
	const property = { ...formParameters.clearFields, options: clearChoices(contract) };
	const names = property.options.map((choice) => String(choice.value));
	return (listOf(value, separators) ?? [value])
		.filter((entry) => !isUnset(entry))
		.flatMap((entry) => {
			const name = typeof entry === 'string' ? choiceMatching(property, entry) : undefined;
			if (name !== undefined) return name;
			const written = quote(typeof entry === 'string' ? entry.trim() : entry, property);
			report(property, [`${written} cannot be cleared; use ${names.sort().join(', ')}`]);
			return [];
		});
}

/** Returns whether Sync sets a field on rows without a value: a field of the scope, or the field that enables a resource. */
function isFilledByRun(
	{ contract, operation, options, parameters }: EncodeContext,
	{ name }: Field,
): boolean {
	const scope = parameters[formParameters.syncScope.name];
	return (
		hasScope(operation) &&
		((name === contract.disabledField && options.unmatchedAction === 'disable') ||
			contract.sync.scope.some(
				(entry) =>
					entry.scope.field === name &&
					!entry.scope.isPrefix &&
					isRecord(scope) &&
					entry.name in scope,
			))
	);
}

/** Returns the names of the fields that empty values clear, depending on Empty Values. */
function clearedByEmptiness(context: EncodeContext, added: Parameters): string[] {
	const { operation, options, layout, report } = context;
	if (options.emptyValues === 'skip') return [];
	return layout.fields.flatMap(({ field }) => {
		const { name, wire } = field;
		if (!Object.hasOwn(added, name) || !isEmpty(added[name], field)) return [];
		// An empty list leaves the list unchanged if its values would be added or removed.
		const mode = wire.merge ? added[wire.merge.name] : undefined;
		const isKept = !isUnset(mode) && mode !== wire.merge?.default;
		if (isKept || isFilledByRun(context, field)) return [];
		if (wire.empty && wire.on[operation]) return [name];
		if (!layout.impliedFields.some(({ target }) => target === field)) {
			report(field, ['is empty, and the service cannot clear it; fill it in, or leave it out']);
		}
		return [];
	});
}

/** Returns the fields that Empty Values could clear, apart from passwords. */
export const skippedFieldsIn = ({ layout }: EncodeContext, added: Parameters): Field[] =>
	layout.fields
		.map(({ field }) => field)
		.filter(
			(field) =>
				field.wire.empty &&
				Object.hasOwn(added, field.name) &&
				!isSecret(field) &&
				isEmpty(added[field.name], field),
		);

/** Returns a field with the values that clear it (assumption: clearing). */
export const clearedField = (field: Field): EncodedField => ({
	field,
	values: (field.wire.empty ?? []).map((suffix) => [suffix, ''] as const),
	cleared: true,
});

/** Returns the names of the fields that a row clears. Reports fields that it also sets. */
export function clearedFields(
	context: EncodeContext,
	added: Parameters,
	values: Parameters,
): ReadonlySet<string> {
	const cleared = new Set([...clearedByName(context), ...clearedByEmptiness(context, added)]);
	for (const { field } of cleared.size > 0 ? context.layout.fields : []) {
		if (cleared.has(field.name) && !isEmpty(values[field.name], field)) {
			context.report(field, ['is both set and cleared; do only one of them']);
		}
	}
	return cleared;
}

/**
 * Sets the fields that other fields imply, such as rules the target type. An explicit value decides which of several
 * contradicting fields is valid. Reports each contradiction with both names. A value that is not allowed is reported by its own
 * field.
 *
 * @param values the values of the row's fields, which this function changes
 */
export function addImpliedValues(
	{ layout, report }: EncodeContext,
	values: Record<string, unknown>,
): void {
	for (const { target, sources: all } of layout.impliedFields) {
		const sources = all.filter((field) => !isEmpty(values[field.name], field));
		const [first, ...others] = sources;
		if (!first) continue;
		const { displayName, name } = target;
		const value = unwrapLocator(values[name]);
		if (isUnset(value)) {
			values[name] = first.wire.implies?.[1];
			const what = `cannot be combined with ${first.displayName}; keep only one of them`;
			for (const other of others) report(other, [what]);
			continue;
		}
		const encoded = encodeValue(target.wire.codec, value, target);
		const text = encoded instanceof Invalid ? undefined : encoded[0]?.[1];
		if (text === undefined || sources.some(({ wire }) => wire.implies?.[1] === text)) continue;
		const choice = choicesOf(target).find((candidate) => String(candidate.value) === text);
		const what = `contradicts ${displayName} ${choice?.name ?? quote(value, target)}; leave ${displayName} out, or remove this field`;
		for (const field of sources) report(field, [what]);
	}
}

/** Returns the field that disables or enables a resource; none if a resource cannot be disabled (contract 2.1, `disabled`). */
export const disabledChange = (
	{ fields, disabledField }: ResourceContract,
	disables: boolean,
): EncodedField[] =>
	fields
		.filter(({ name }) => name === disabledField)
		.map((field) => ({ field, values: [['', disables ? '1' : '0']] }));
