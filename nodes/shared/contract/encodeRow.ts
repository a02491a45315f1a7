import { bounded, choice, flag, integer } from './codecs/scalar';
import {
	encodeParameter,
	encodeValue,
	reporterTo,
	type EncodeContext,
	type RowRun,
} from './encodeContext';
import type { EncodedRow, QrCodeSettings } from './encodedRow';
import type { EncodedField, Field } from './fieldTypes';
import {
	addImpliedValues,
	clearedFields,
	collectionValues,
	disabledChange,
	skippedFieldsIn,
	valueAt,
} from './fieldValues';
import { defaultLimit, formParameters, layoutOf } from './formLayout';
import { splitChanges } from './listChanges';
import { readsIdentifier } from './matchBy';
import { collectNames, resolveNames, type FindName, type RequestedNames } from './names';
import { hasScope, isList, isPartial, operationTable } from './operations';
import type { Problem } from './problems';
import { encodeScope, inScope, resolveScope, scopeFields, type Scope } from './scope';
import { checkUpdate, encodeTarget, missing } from './target';
import { Invalid, type Parameters } from './types';
import { isEmpty, isSecret, isUnset } from './values';

/** Returns the value of a field; its default if the field is unset and the row has the field that needs it. */
function valueOf(field: Field, values: Parameters): unknown {
	const value = values[field.name];
	const { defaultsWith } = field.wire;
	const usesDefault = defaultsWith !== undefined && !isUnset(values[defaultsWith]);
	return usesDefault && isEmpty(value, field) ? field.default : value;
}

/** Encodes the fields of a row. Reports required fields without a value. */
function encodeFields(
	context: EncodeContext,
	values: Parameters,
	cleared: ReadonlySet<string>,
	scope: Scope,
): EncodedField[] {
	const { options, layout, report } = context;
	const { contract, operation, parameters } = context;
	const isIdentified =
		readsIdentifier(operation, contract, options) && !isUnset(parameters[contract.id.name]);
	const isInScope = (field: Field) =>
		scope.some((entry) => entry.field === field && !entry.property.scope.isPrefix);
	return layout.fields.flatMap(({ field, isRequired }): EncodedField[] => {
		const { codec, empty } = field.wire;
		if (cleared.has(field.name)) return empty ? [{ field, values: empty, cleared: true }] : [];
		const value = valueOf(field, values);
		if (value === undefined || isEmpty(value, field)) {
			if (isRequired && !isIdentified && !isInScope(field)) report(field, [missing(options)]);
			return [];
		}
		const encoded = encodeValue(codec, value, field, options);
		if (!(encoded instanceof Invalid))
			return encoded.length > 0 ? [{ field, values: encoded }] : [];
		report(field, encoded.reasons);
		return [];
	});
}

function encodeLimit(context: EncodeContext): number {
	const { operation, parameters, report } = context;
	if (!isList(operation)) return 1;
	const returnAll = { ...formParameters.returnAll, default: false };
	if (encodeParameter(context, flag, returnAll, parameters) === '1') return Infinity;
	const property = { ...formParameters.limit, default: defaultLimit };
	const limit = Number(encodeParameter(context, integer, property, parameters) ?? 1);
	if (limit < 1) report(property, ['is less than 1; enter the max number of results']);
	return limit;
}

/** Returns the settings of a row's QR code, with the defaults of empty values; undefined if it has none. */
function encodeQrCode(context: EncodeContext): QrCodeSettings | undefined {
	const { contract, operation, parameters } = context;
	if (!contract.qrCode || !operationTable[operation].drawsQrCode) return undefined;
	const { format, size } = contract.qrCode;
	return {
		format: encodeParameter(context, choice, format, parameters) ?? '',
		size: Math.floor(Number(encodeParameter(context, bounded, size, parameters))),
	};
}

/**
 * Returns the fields that lack a field that they require. Services accept them without an error (assumption: limits).
 */
function incompleteFieldsIn(
	{ contract, options }: EncodeContext,
	values: Parameters,
	fields: readonly EncodedField[],
): Problem[] {
	return fields.flatMap(({ field, values: sent, cleared }): Problem[] => {
		const name = cleared ? undefined : field.wire.requires?.(sent[0]?.[1] ?? '');
		const needed = contract.fields.find((other) => other.name === name);
		if (!needed || !isEmpty(values[needed.name], needed)) return [];
		const { displayName } = needed;
		const isLeftOut = options.takesColumns && isSecret(needed);
		const other = isLeftOut ? 'add Map Passwords under Options if a column has it, ' : '';
		const what = `needs ${displayName}; fill in ${displayName}, ${other}or leave this field out`;
		return [{ field: field.displayName, key: field.wire.key, what }];
	});
}

/**
 * Returns the field that the operation sets: Disable and Enable do, and Sync enables a resource again that it would disable
 * if no row had it. A row of Sync may set the field itself.
 */
function switchedField(
	{ contract, operation, options }: EncodeContext,
	fields: readonly EncodedField[],
): EncodedField[] {
	const isReenabling = options.unmatchedAction === 'disable';
	const { disables = isReenabling ? false : undefined } = operationTable[operation];
	if (disables === undefined) return [];
	return disabledChange(contract, disables).filter(
		({ field }) => !fields.some((encoded) => encoded.field === field && !encoded.cleared),
	);
}

/** Returns the fields of a row after the derived fields that have a value are applied to them. */
function withDerivedFields(
	context: EncodeContext,
	encoded: readonly EncodedField[],
	added: Parameters,
	values: Parameters,
): readonly EncodedField[] {
	return context.layout.derivedFields.reduce((fields, { property, place }) => {
		const value = valueAt(context, place, property.name, added);
		return isEmpty(value, property)
			? fields
			: property.derive.applyTo(fields, value, { values, report: context.report });
	}, encoded);
}

/** An encoded row whose fields and scope may contain names in place of IDs, and its problems. */
export interface RowDraft {
	readonly row: EncodedRow;
	readonly problems: readonly Problem[];
}

/**
 * Encodes a row, apart from the names in it. Unset fields make no param (contract 4).
 *
 * @param formValues the parameters of the form
 */
export function draftRow(run: RowRun, formValues: Parameters): RowDraft {
	const { contract, operation, options } = run;
	const problems: Problem[] = [];
	const layout = layoutOf(contract, operation, options);
	const parameters = contract.withRandomKey?.(formValues, options) ?? formValues;
	const context = {
		contract,
		operation,
		options,
		layout,
		parameters,
		report: reporterTo(problems),
	};

	const target = encodeTarget(context);
	const limit = encodeLimit(context);
	const added = collectionValues(context);
	const values = Object.fromEntries(
		layout.fields.map(({ field: { name }, place }) => [name, valueAt(context, place, name, added)]),
	);
	addImpliedValues(context, values);
	const cleared = clearedFields(context, added, values);
	const qrCode = encodeQrCode(context);
	const scope = hasScope(operation) ? encodeScope(context) : [];
	const encoded = encodeFields(context, values, cleared, scope);
	const completed = withDerivedFields(context, encoded, added, values);
	const split = splitChanges(context, completed, added);
	const fields = [...split.fields, ...switchedField(context, split.fields)];

	const incompleteFields = isPartial(operation) ? [] : incompleteFieldsIn(context, values, fields);
	if (operationTable[operation].creates === 'always') {
		for (const problem of incompleteFields) problems.push(problem);
	}
	const row = {
		contract,
		operation,
		options,
		match: layout.match,
		...target,
		fields,
		limit,
		qrCode,
	};
	const isKeyRandom = parameters !== formValues;
	const { changes } = split;
	if (problems.length === 0) checkUpdate(context, { fields, changes });
	const skippedFields = options.reportsEmpty ? skippedFieldsIn(context, added) : [];
	const more = { changes, scope, isKeyRandom, incompleteFields, skippedFields };
	return { row: { ...row, ...more }, problems };
}

/** Adds the names in a row to the names of the run. Returns whether it has any. */
export const collectRowNames = (
	{ fields, changes, scope }: EncodedRow,
	requested: RequestedNames,
): boolean => collectNames([...fields, ...changes, ...scopeFields(scope)], requested);

/** Sends names as they are, because the run has not read their lists. */
const asIds: FindName = (_source, name) => name;

/**
 * Returns a row with the IDs of its names, and with the values of the scope for missing fields.
 *
 * @param find finds the ID of a name
 */
export function finishRow(draft: RowDraft, find: FindName = asIds): RowDraft {
	const { contract, operation } = draft.row;
	const problems = [...draft.problems];
	const report = reporterTo(problems);
	const withIds = <T extends EncodedField>(fields: readonly T[]): T[] =>
		fields.flatMap((encoded) => {
			const values = resolveNames(encoded, encoded.field, find);
			if (!(values instanceof Invalid)) return [{ ...encoded, values }];
			report(encoded.field, values.reasons);
			return [];
		});
	const resolved = withIds(draft.row.fields);
	const changes = withIds(draft.row.changes);
	const scope = resolveScope(draft.row.scope, find, report);
	const fields = hasScope(operation) ? inScope({ contract, report }, scope, resolved) : resolved;
	return { row: { ...draft.row, fields, changes, scope }, problems };
}

/** Encodes a row whose values are IDs. Returns the encoded row, or all its problems. */
export function encodeRow(run: RowRun, formValues: Parameters): EncodedRow | readonly Problem[] {
	const { row, problems } = finishRow(draftRow(run, formValues));
	return problems.length > 0 ? problems : row;
}
