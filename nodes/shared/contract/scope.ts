import { type Parameters, Invalid } from './types';
import type { EncodedField, Scope, ScopeEntry, ScopeField } from './resourceTypes';
import { searchParams, type Param } from './operations';
import { formParameters, type EncodeContext } from './layout';
import { text } from './codecs/scalar';
import { isRecord, isUnset, quote, shorten } from './values';

/** Returns the text of a scope's field. */
export const scopeValue = ({ values }: ScopeEntry): string => values[0]?.[1] ?? '';

/** Returns whether a text is in a scope. */
export const fits = (entry: ScopeEntry, other: string): boolean =>
	entry.property.scope.isPrefix ? other.startsWith(scopeValue(entry)) : other === scopeValue(entry);

/**
 * Returns the encoded fields of a scope or of filters. Reports their problems.
 *
 * @param holderName the name of the scope or the filters in messages
 */
export const scopeEntries = (
	{ contract, report }: Pick<EncodeContext, 'contract' | 'report'>,
	properties: readonly ScopeField[],
	values: Parameters,
	holderName: string,
): Scope =>
	properties.flatMap((property): ScopeEntry[] => {
		const field = contract.fields.find(({ name }) => name === property.scope.field);
		if (!field || !(property.name in values)) return [];
		const value = values[property.name];
		// A prefix keeps its last space, because without it more resources would match.
		const codec = property.scope.isPrefix ? text : field.wire.codec;
		const encoded = isUnset(value)
			? new Invalid([`is part of the ${holderName} and empty; fill it in, or remove it`])
			: codec(value, field);
		if (encoded instanceof Invalid) report(property, encoded.reasons);
		return encoded instanceof Invalid ? [] : [{ property, field, values: encoded }];
	});

/** Returns the encoded scope of a row. Reports its problems. */
export function encodeScope(context: EncodeContext): Scope {
	const { contract, parameters, report } = context;
	const { syncScope } = formParameters;
	const { scope: properties } = contract.sync;
	const names = properties.map(({ displayName }) => displayName).join(', ');
	const values = parameters[syncScope.name];
	if (!isRecord(values) || properties.every(({ name }) => !(name in values))) {
		report(syncScope, [`is empty; set at least one of ${names}`]);
		return [];
	}
	return scopeEntries(context, properties, values, 'scope');
}

/** Returns a scope as text: `Domain 1, Alias Starts With spring-`. */
export const scopeText = (scope: Scope): string =>
	scope.map((entry) => `${entry.property.displayName} ${scopeValue(entry)}`).join(', ');

/** Returns a scope as text for a message, shortened. */
export const scopeLabel = (scope: Scope): string => shorten(scopeText(scope), 200);

/** Returns the filters of the list for a scope: fields, and a search for a prefix (contract 4.1, 4.4). */
export const scopeParams = (scope: Scope): Param[] =>
	scope.flatMap((entry): Param[] => {
		const { key } = entry.field.wire;
		const text = scopeValue(entry);
		return entry.property.scope.isPrefix ? searchParams(key, text.trim()) : [[key, text]];
	});

/** Returns the fields of a row with the values of the scope for missing fields. Reports values outside the scope. */
export function inScope(
	{ contract, report }: Pick<EncodeContext, 'contract' | 'report'>,
	scope: Scope,
	rowFields: readonly EncodedField[],
): EncodedField[] {
	const fields = new Map(rowFields.map((encoded) => [encoded.field, encoded]));
	for (const entry of scope) {
		const { field, values, property } = entry;
		const rowField = fields.get(field);
		const [, sent = ''] = rowField?.values[0] ?? [];
		if (!rowField || rowField.cleared) {
			if (!property.scope.isPrefix) fields.set(field, { field, values });
		} else if (!fits(entry, sent)) {
			const what = `is outside the Sync Scope (${property.displayName} ${shorten(scopeValue(entry))}); correct the item, or the scope`;
			report(field, [{ value: quote(sent, field), what }]);
		}
	}
	return contract.fields.flatMap((field) => fields.get(field) ?? []);
}
