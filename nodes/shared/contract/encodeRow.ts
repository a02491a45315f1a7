import { choice, flag, integer } from './codecs/scalar';
import { comparesFirst } from './endpoints';
import { isList, limit as limitProperty, returnAll } from './formLayout';
import { checkUpdate, encodeOne, encodeTarget, isNeeded, missing } from './target';
import { collectionValues, resolveFields } from './resolveFields';
import { rewriteFields } from './rewrite';
import {
	Invalid,
	type Columns,
	type EncodeOptions,
	type OperationName,
	type Parameters,
} from './types';
import type { EncodeContext, ResolvedFields } from './encodeContext';
import type { Field, EncodedField } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';
import { isIdentified, matchOf } from './matchBy';
import { nameLookup } from './nameResolver';
import { encodeScope, inScope, isOfScope, scopeText, type Scope } from './scope';
import { isEmpty, isUnset, shorten } from './values';
import type { ListChange, Problem, ForbiddenFields, EncodedRow } from './encodedRow';

/** A field as the row wants it; nothing where it was left alone, or where it is reported. */
function encodeField(
	context: EncodeContext,
	field: Field,
	{ values, sources, cleared }: ResolvedFields,
	scope: Scope,
): EncodedField[] {
	const { contract, options, report, guard } = context;
	const { codec, empty, filledByOption } = field.wire;
	if (cleared.has(field.name)) return empty ? [{ field, values: empty, cleared: true }] : [];
	const value = values[field.name];
	if (isEmpty(value, field)) {
		const isGiven =
			(filledByOption !== undefined && !isUnset(options.resourceOptions[filledByOption])) ||
			scope.some((entry) => entry.field === field && !entry.property.scope.isPrefix);
		if (isNeeded(context, field) && !isGiven) report(field, [missing(options, field.name)]);
		return [];
	}
	const source = sources.get(field.name);
	const timeZone = contract.timeZoneOf?.(options) ?? options.timeZone;
	const encoded = guard(() => codec(value, field, { names: nameLookup(field, options), timeZone }));
	if (encoded instanceof Invalid) {
		report(source ?? field, encoded.reasons);
		return [];
	}
	return [{ field, values: encoded, source }];
}

/** How a field's values go together with what the resource has, where they do not replace it. */
function changeOf(
	context: EncodeContext,
	added: Parameters,
	fields: readonly EncodedField[],
): ListChange | undefined {
	const field = context.contract.fields.find(({ wire }) => wire.merge);
	const property = field?.wire.merge;
	if (!property || context.operation !== 'update') return undefined;
	const mode = encodeOne(context, choice, property, added);
	const list = fields.find((encoded) => encoded.field === field && !encoded.cleared);
	return list && (mode === 'add' || mode === 'remove') ? { ...list, mode } : undefined;
}

function encodeLimit(context: EncodeContext): number {
	const { operation, parameters, report } = context;
	if (!isList(operation)) return 1;
	if (encodeOne(context, flag, returnAll, parameters) === '1') return Infinity;
	const limit = Number(encodeOne(context, integer, limitProperty, parameters) ?? 1);
	if (limit < 1) report(limitProperty, ['is less than 1; enter how many results to return']);
	return limit;
}

/**
 * The fields that have values which make sense beside another field only, and lack it: services take them silently
 * (assumption: limits).
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
		const isLeftOut = options.takesColumns && needed.typeOptions?.password;
		const other = isLeftOut ? 'add Map Passwords under Options if a column has it, ' : '';
		const reason = `needs ${displayName}; fill in ${displayName}, ${other}or leave this field out`;
		return [{ field: field.displayName, key: field.wire.key, reason }];
	});
}

/** The field that Sync writes where a row does not: a row that is there is switched on, if the others are switched off. */
function enabledField({ contract, options }: EncodeContext, fields: readonly EncodedField[]) {
	const name = options.unmatchedAction === 'disable' ? contract.sync.disabledField : undefined;
	const field = contract.fields.find((candidate) => candidate.name === name);
	const isSet = fields.some((encoded) => encoded.field === field && !encoded.cleared);
	return field && !isSet ? [{ field, values: [['', '0']] as const }] : [];
}

/** Max number of characters of another error's message. */
const maxMessageLength = 200;

/** Collects what is wrong with a row. */
function problemCollector(contract: ResourceContract, operation: OperationName) {
	const problems: Problem[] = [];
	const forbidden: ForbiddenFields[] = [];
	const report: EncodeContext['report'] = (property, reasons) => {
		const key = contract.fields.find((field) => field === property)?.wire.key ?? property.name;
		const { displayName: field } = property;
		const scope = isOfScope(property) ? ({ isRunLevel: true } as const) : {};
		for (const reason of reasons) problems.push({ field, key, reason, ...scope });
	};
	const guard: EncodeContext['guard'] = (read) => {
		try {
			return read();
		} catch (error) {
			const message = shorten(
				error instanceof Error ? error.message : String(error),
				maxMessageLength,
			);
			return new Invalid([`holds a value that cannot be read (${message}); enter another one`]);
		}
	};
	const forbid: EncodeContext['forbid'] = (property, reason) => {
		const { name: key, displayName: field, derive } = property;
		// What compares with the resource first may find that there is nothing to write.
		if (!comparesFirst(operation)) report(property, [reason]);
		else forbidden.push({ fields: derive.sets, problem: { field, key, reason } });
	};
	return { problems, unwritable: forbidden, report, forbid, guard };
}

/**
 * Returns the scope that the parameters of a Sync row give as text, whatever else is wrong with the row, or what is wrong
 * with the scope.
 */
export function scopeOf(
	contract: ResourceContract,
	parameters: Parameters,
	options: EncodeOptions,
): string | readonly Problem[] {
	const operation = 'sync';
	const { problems, ...collector } = problemCollector(contract, operation);
	const scope = encodeScope({ ...collector, contract, operation, parameters, options });
	return problems.length > 0 ? problems : scopeText(scope);
}

/**
 * Encodes one row: parameters in, what it asks for or all its problems out. Nothing is sent here, and what is not set
 * makes no param (contract 4).
 *
 * @param columns of its input item
 */
export function encodeRow(
	contract: ResourceContract,
	operation: OperationName,
	formValues: Parameters,
	options: EncodeOptions,
	columns: Columns = {},
): EncodedRow | readonly Problem[] {
	const collector = problemCollector(contract, operation);
	const { problems, unwritable, report } = collector;
	const raw = { operation, parameters: formValues, columns, options, report };
	const row = { ...collector, contract, operation, options };
	const isMade = !isIdentified({ ...row, parameters: formValues });
	const parameters = (isMade ? contract.addDefaults?.(raw) : undefined) ?? formValues;
	const context: EncodeContext = { ...row, parameters };

	const target = encodeTarget(context);
	const limit = encodeLimit(context);
	const added = collectionValues(context);
	const resolved = resolveFields(context, added);
	const scope = operation === 'sync' ? encodeScope(context) : [];
	const encoded = contract.fields.flatMap((field) => encodeField(context, field, resolved, scope));
	const change = changeOf(context, added, encoded);
	// A list of rules of which none is filled in makes no param.
	const filled = encoded.filter(
		({ field, values }) => field !== change?.field && values.length > 0,
	);
	const { fields: ownFields, rewrite } = rewriteFields(context, resolved, filled);
	const fields =
		operation === 'sync'
			? inScope(context, scope, [...ownFields, ...enabledField(context, ownFields)])
			: ownFields;

	const incomplete = operation === 'update' ? [] : incompleteFieldsIn(context, resolved, fields);
	if (operation === 'create') incomplete.forEach((problem) => problems.push(problem));
	if (problems.length === 0) checkUpdate(context, { fields, change, rewrite });
	return problems.length > 0
		? problems
		: {
				contract,
				operation,
				options,
				match: matchOf(contract, options),
				...target,
				fields,
				change,
				rewrite,
				limit,
				scope,
				isKeyGenerated: parameters !== formValues,
				incompleteFields: incomplete,
				forbidden: unwritable,
			};
}
