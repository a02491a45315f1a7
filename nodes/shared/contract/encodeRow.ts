import { bounded, choice, flag, integer } from './codecs/scalar';
import { defaultLimit, formParameters } from './formLayout';
import { hasScope, isList, isPartial, operationTable } from './operations';
import { checkUpdate, encodeParameter, encodeTarget, isNeeded, missing } from './target';
import { collectionValues, resolveFields, withDerivedFields } from './resolveFields';
import { Invalid, type Parameters } from './types';
import type { EncodeContext, ResolvedFields } from './encodeContext';
import type { Field, EncodedField } from './fieldTypes';
import { disabledChange } from './impliedFields';
import { matchOf } from './matchBy';
import { nameLookup } from './nameResolver';
import { encodeScope, inScope, isOfScope, scopeText, type Scope } from './scope';
import { isEmpty, isSecret, isUnset, shorten } from './values';
import { listModesOf, splitChanges } from './listChanges';
import type { Problem, EncodedRow, QrCodeSettings } from './encodedRow';

/** Returns the value of a field; its default if the field is unset and the row has the field that needs it. */
function valueOf(field: Field, values: Parameters): unknown {
	const value = values[field.name];
	const { defaultsWith } = field.wire;
	const usesDefault = defaultsWith !== undefined && !isUnset(values[defaultsWith]);
	return usesDefault && isEmpty(value, field) ? field.default : value;
}

/** Encodes a field. Returns nothing for an unset field and for a field with a problem. */
function encodeField(
	context: EncodeContext,
	field: Field,
	{ values, cleared }: ResolvedFields,
	scope: Scope,
): EncodedField[] {
	const { options, report, guard } = context;
	const { codec, empty } = field.wire;
	if (cleared.has(field.name)) return empty ? [{ field, values: empty, cleared: true }] : [];
	const value = valueOf(field, values);
	if (isEmpty(value, field)) {
		const isInScope = scope.some(
			(entry) => entry.field === field && !entry.property.scope.isPrefix,
		);
		if (isNeeded(context, field) && !isInScope) report(field, [missing(options)]);
		return [];
	}
	const names = nameLookup(field, options);
	const encoded = guard(() => codec(value, field, { names, options }));
	if (encoded instanceof Invalid) {
		report(field, encoded.reasons);
		return [];
	}
	return [{ field, values: encoded }];
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
	{ values: resolvedValues }: ResolvedFields,
	fields: readonly EncodedField[],
): Problem[] {
	return fields.flatMap(({ field, values, cleared }): Problem[] => {
		const name = cleared ? undefined : field.wire.requires?.(values[0]?.[1] ?? '');
		const needed = contract.fields.find((other) => other.name === name);
		if (!needed || !isEmpty(resolvedValues[needed.name], needed)) return [];
		const { displayName } = needed;
		const isLeftOut = options.takesColumns && isSecret(needed);
		const other = isLeftOut ? 'add Map Passwords under Options if a column has it, ' : '';
		const reason = `needs ${displayName}; fill in ${displayName}, ${other}or leave this field out`;
		return [{ field: field.displayName, key: field.wire.key, reason }];
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

/** Max length of an exception's message in a reason, in characters. */
const maxMessageLength = 200;

/** The parts of the context that all rows of a run share. */
type RowContext = Pick<EncodeContext, 'contract' | 'operation' | 'options'>;

/** Collects the problems of a row. */
function problemCollector({ contract, options: { names } }: RowContext) {
	const problems: Problem[] = [];
	const report: EncodeContext['report'] = (property, reasons) => {
		const key = contract.fields.find((field) => field === property)?.wire.key ?? property.name;
		const { displayName: field } = property;
		const scope = isOfScope(property) ? ({ isRunLevel: true } as const) : {};
		for (const reason of reasons) {
			const unreadNames = names?.unreadSource(reason);
			problems.push({ field, key, reason, ...scope, ...(unreadNames ? { unreadNames } : {}) });
		}
	};
	const guard: EncodeContext['guard'] = (read) => {
		try {
			return read();
		} catch (error) {
			const message = shorten(
				error instanceof Error ? error.message : String(error),
				maxMessageLength,
			);
			return new Invalid([
				`contains a value that cannot be read (${message}); enter another value`,
			]);
		}
	};
	return { problems, report, guard };
}

/**
 * Returns the scope of a row as text, or the problems of the scope. Ignores all other problems of the row.
 */
export function scopeOf(row: RowContext, parameters: Parameters): string | readonly Problem[] {
	const { problems, ...collector } = problemCollector(row);
	const scope = encodeScope({ ...collector, ...row, parameters });
	return problems.length > 0 ? problems : scopeText(scope);
}

/**
 * Encodes a row. Returns the encoded row, or all problems of the row. Unset fields make no param (contract 4).
 *
 * @param formValues the parameters of the form
 */
export function encodeRow(
	{ contract, operation, options }: RowContext,
	formValues: Parameters,
): EncodedRow | readonly Problem[] {
	const collector = problemCollector({ contract, operation, options });
	const { problems } = collector;
	const row = { ...collector, contract, operation, options };
	const parameters = contract.withRandomKey?.(formValues, options) ?? formValues;
	const context: EncodeContext = { ...row, parameters };

	const target = encodeTarget(context);
	const limit = encodeLimit(context);
	const added = collectionValues(context);
	const modes = listModesOf(context, added);
	const resolved = resolveFields(context, added);
	const qrCode = encodeQrCode(context);
	const scope = hasScope(operation) ? encodeScope(context) : [];
	const encoded = contract.fields.flatMap((field) => encodeField(context, field, resolved, scope));
	// A list of rules without any filled rule makes no param.
	const filled = encoded.filter(({ values }) => values.length > 0);
	const completed = withDerivedFields(context, filled, added, resolved);
	const { fields: rowFields, changes } = splitChanges(completed, modes);
	const allFields = [...rowFields, ...switchedField(context, rowFields)];
	const fields = hasScope(operation) ? inScope(context, scope, allFields) : allFields;

	const incomplete = isPartial(operation) ? [] : incompleteFieldsIn(context, resolved, fields);
	if (operationTable[operation].creates === 'always') {
		incomplete.forEach((problem) => problems.push(problem));
	}
	if (problems.length === 0) checkUpdate(context, { fields, changes });
	return problems.length > 0
		? problems
		: {
				contract,
				operation,
				options,
				match: matchOf(contract, options),
				...target,
				fields,
				changes,
				limit,
				qrCode,
				scope,
				isKeyRandom: parameters !== formValues,
				incompleteFields: incomplete,
			};
}
