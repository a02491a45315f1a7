import { bounded, choice, choiceMatching, flag, integer } from './codecs/scalar';
import { pathId } from './codecs/id';
import { fieldWith, type EncodedRow, type ListChange } from './encodedRow';
import { type Parameters, type Problem, Invalid } from './types';
import type { EncodedField, Field, Scope } from './resourceTypes';
import {
	collections,
	encodeParameter,
	formParameters,
	reporterTo,
	type EncodeContext,
	type RowRun,
} from './layout';
import { replaceNames, type FindName } from './names';
import { changesExisting, hasScope, isPartial, operationTable } from './operations';
import { encodeScope, inScope } from './scope';
import { isEmpty, isRecord, isSecret, isUnset, listOf, quote } from './values';

/** The reason for a missing value that only a column can provide. */
const missingCell = 'is missing; fill in its cell';

/** Returns the ID or address that identifies the row's resource; empty if the run does not read them. */
function encodeTarget(context: EncodeContext): Pick<EncodedRow, 'id' | 'reference'> {
	const { contract, operation, options, parameters, layout, report } = context;
	if (!layout.readsIdentifier) return {};
	const isColumn = options.takesColumns && options.matchBy !== undefined;
	const property = isColumn ? { ...contract.id, displayName: layout.match.name } : contract.id;
	const identifier = parameters[property.name];
	if (isUnset(identifier)) {
		const notChosen = 'is missing; choose from the list, or enter a value';
		if (operationTable[operation].addressedBy === 'id')
			report(property, [isColumn ? missingCell : notChosen]);
		return {};
	}
	const mode = isRecord(identifier) ? identifier.mode : undefined;
	const reference = contract.address?.read(identifier, property, mode);
	if (reference instanceof Invalid) {
		report(property, reference.reasons);
		return {};
	}
	return reference ? { reference } : { id: encodeParameter(context, pathId, property) };
}

/** Returns the names of the fields that Clear Fields clears. */
function clearedByName({ layout, parameters, report }: EncodeContext): string[] {
	const property = { ...formParameters.clearFields, options: layout.clearChoices };
	const value = layout.clearChoices.length > 0 ? parameters[property.name] : undefined;
	if (isEmpty(value, { type: 'multiOptions' })) return [];
	const names = property.options.map((choice) => String(choice.value));
	return (listOf(value) ?? [value])
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
const isFilledByRun = ({ contract, options }: RowRun, field: Field, scope: Scope): boolean =>
	(field.name === contract.disabledField && options.unmatchedAction === 'disable') ||
	scope.some((entry) => entry.field === field && !entry.property.scope.isPrefix);

/** Returns a field with the values that clear it (assumption: clearing). */
export function clearing(field: Field): EncodedField {
	const values = (field.wire.empty ?? []).map((suffix) => [suffix, ''] as const);
	return { field, values, cleared: true };
}

/** The reason for an empty value that an update cannot send. */
const cannotBeCleared = 'is empty, and the service cannot clear it; fill it in, or leave it out';

/** Encodes the fields of a row, and returns their values by name. Reports required fields without a value. */
function encodeFields(context: EncodeContext, scope: Scope) {
	const { contract, operation, options, layout, parameters, report } = context;
	// n8n hands on no collection that is not an object.
	const added: Parameters = {};
	for (const name of layout.collections) Object.assign(added, parameters[name]);
	const isIdentified = layout.readsIdentifier && !isUnset(parameters[contract.id.name]);
	const cleared = clearedByName(context);
	const values: Record<string, unknown> = {};
	const fields: EncodedField[] = [];
	const changes: ListChange[] = [];
	const skippedFields: Field[] = [];
	for (const { field, place, isRequired } of layout.fields) {
		const { name, wire } = field;
		const value = (place === 'top' ? parameters : added)[name];
		const isAdded = place !== 'top' && name in added;
		const isEmptyCell = isAdded || context.lacked?.has(field);
		const isSet = value !== undefined && !isEmpty(value, field);
		if (isSet) values[name] = value;
		const mode =
			wire.merge && isPartial(operation)
				? encodeParameter({ parameters: added, report }, choice, wire.merge)
				: undefined;
		const isChange = mode === 'add' || mode === 'remove';
		if (cleared.includes(name)) {
			if (isSet) report(field, ['is both set and cleared; do only one of them']);
			fields.push(clearing(field));
		} else if (isSet) {
			const encoded = wire.codec(value, field, { options });
			if (encoded instanceof Invalid) report(field, encoded.reasons);
			else if (encoded.length > 0 && isChange) changes.push({ field, values: encoded, mode });
			else if (encoded.length > 0) fields.push({ field, values: encoded });
		} else if (isAdded && options.emptyValues === 'clear') {
			// An empty list leaves the list unchanged if its values would be added or removed.
			if (isChange || wire.ignoresEmpty || isFilledByRun(context, field, scope)) continue;
			if (wire.empty) fields.push(clearing(field));
			else report(field, [cannotBeCleared]);
		} else if (isEmptyCell && options.reportsEmpty && wire.empty && !isSecret(field)) {
			skippedFields.push(field);
		} else if (isRequired && !isIdentified && !isFilledByRun(context, field, scope)) {
			const inForm = `${missingCell}, or the field in the form`;
			report(field, [options.takesColumns ? inForm : 'is missing; enter a value']);
		}
	}
	return { values, fields, changes, skippedFields };
}

/** Reports a row that changes a resource without a search text, and a row of Update without a value to change. */
function checkUpdate(
	{ contract, operation, options, layout, report }: EncodeContext,
	row: Pick<EncodedRow, 'changes' | 'fields'>,
): void {
	if (!changesExisting(operation)) return;
	const isMatched = options.matchBy !== undefined;
	const key = isMatched ? layout.match.fields?.searchBy : undefined;
	const field = contract.fields.find(({ wire }) => wire.key === key);
	if (field && !row.fields.some((encoded) => encoded.field === field && !encoded.cleared)) {
		report(field, [missingCell]);
	}
	// A row that is compared with its resource may leave it unchanged.
	if (!isPartial(operation) || isMatched || row.changes.length + row.fields.length > 0) return;
	const ways = [
		'fill in at least one field to change',
		...(options.takesColumns ? ['its column'] : []),
		...(layout.clearChoices.length > 0
			? [`choose fields in ${formParameters.clearFields.displayName}`]
			: []),
	];
	report(collections.updateFields, [`contains no value; ${ways.join(', or ')}`]);
}

function encodeLimit(context: EncodeContext): number {
	const { operation, report } = context;
	if (operationTable[operation].addressedBy !== 'list') return 1;
	const { limit: property, returnAll } = formParameters;
	if (encodeParameter(context, flag, returnAll) === '1') return Infinity;
	const limit = Number(encodeParameter(context, integer, property) ?? 1);
	if (limit < 1) report(property, ['is less than 1; enter the max number of results']);
	return limit;
}

/** Returns the settings of a row's QR code, with the defaults of empty values; undefined if it has none. */
function encodeQrCode(context: EncodeContext): EncodedRow['qrCode'] {
	const { contract, operation } = context;
	if (!contract.qrCode || !operationTable[operation].drawsQrCode) return undefined;
	const { format, size } = contract.qrCode;
	return {
		format: encodeParameter(context, choice, format) ?? '',
		size: Math.floor(Number(encodeParameter(context, bounded, size))),
	};
}

/**
 * Returns the field that the operation sets: Disable and Enable do, and Sync enables a resource again that it would disable
 * if no row had it. A row of Sync may set the field itself.
 */
function switchedField({ contract, operation, options }: RowRun, fields: readonly EncodedField[]) {
	const { disables } = operationTable[operation];
	if (disables === undefined && options.unmatchedAction !== 'disable') return [];
	return fieldWith(contract, contract.disabledField, [disables ? '1' : '0']).filter(
		({ field }) => !fields.some((encoded) => encoded.field === field && !encoded.cleared),
	);
}

/**
 * Encodes a row, apart from the names in it. Unset fields make no param (contract 4).
 *
 * @param run with the properties whose columns the row lacks
 * @param parameters the values of the form and of columns
 */
export function draftRow(run: Pick<EncodeContext, 'lacked'> & RowRun, parameters: Parameters) {
	const { contract, operation, options, layout } = run;
	const problems: Problem[] = [];
	const incompleteFields: Problem[] = [];
	const report = reporterTo(problems);
	const context = { ...run, parameters, report };
	const target = encodeTarget(context);
	const limit = encodeLimit(context);
	const qrCode = encodeQrCode(context);
	const scope = hasScope(operation) ? encodeScope(context) : [];
	const encoded = encodeFields(context, scope);
	const creates = operationTable[operation].creates === 'always';
	const reportIncomplete = creates ? report : reporterTo(incompleteFields);
	const { changes, skippedFields, values } = encoded;
	const written =
		contract.complete?.(encoded.fields, { ...context, values, reportIncomplete }) ?? encoded.fields;
	const fields = [...written, ...switchedField(run, written)];
	if (problems.length === 0) checkUpdate(context, { fields, changes });
	const row: EncodedRow = {
		...{ contract, operation, options, match: layout.match, ...target },
		...{ fields, changes, limit, qrCode, scope, incompleteFields, skippedFields },
	};
	return { row, problems };
}

/** An encoded row whose fields and scope may contain names in place of IDs, and its problems. */
export type RowDraft = ReturnType<typeof draftRow>;

/**
 * Returns a row with the IDs of its names, and with the values of the scope for missing fields.
 *
 * @param find finds the ID of a name
 */
export function finishRow(draft: RowDraft, find: FindName): RowDraft {
	const { contract, operation } = draft.row;
	const problems = [...draft.problems];
	const report = reporterTo(problems);
	const resolved = replaceNames(draft.row.fields, find, report);
	const changes = replaceNames(draft.row.changes, find, report);
	const scope = replaceNames(draft.row.scope, find, report);
	const fields = hasScope(operation) ? inScope({ contract, report }, scope, resolved) : resolved;
	return { row: { ...draft.row, fields, changes, scope }, problems };
}
