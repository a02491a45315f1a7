import { choice, bounded, flag, integer } from './codecs/scalar';
import type { Field, EncodedField } from './fieldTypes';
import { clearChoices, collections, formParameters, defaultLimit, layoutOf } from './formLayout';
import {
	type Problem,
	Invalid,
	type EncodeOptions,
	type FormParameter,
	type Parameters,
	type WireValue,
} from './types';
import { isRecord, isUnset, isEmpty, isSecret } from './values';
import { pathId } from './codecs/id';
import type { EncodedRow, ListChange, QrCodeSettings } from './encodedRow';
import { fixedKeys, readsIdentifier } from './matchBy';
import {
	changesExisting,
	isPartial,
	takesId,
	hasScope,
	isList,
	operationTable,
	type FormPlace,
} from './operations';
import {
	addImpliedValues,
	clearedFields,
	collectionValues,
	disabledChange,
	skippedFieldsIn,
	valueAt,
} from './fieldValues';
import { collectNames, replaceNames, type FindName, type RequestedNames } from './names';
import { encodeScope, inScope, type Scope } from './scope';
import {
	encodeParameter,
	encodeValue,
	reporterTo,
	type EncodeContext,
	type RowRun,
} from './encodeContext';

/** The reason for a missing value that only a column can provide. */
const missingCell = 'is missing; fill in its cell';

/** Returns the reason for a missing required field. */
export const missing = ({ takesColumns }: EncodeOptions): string =>
	takesColumns ? `${missingCell}, or the field in the form` : 'is missing; enter a value';

/**
 * Returns the message for a missing required field: `Domain is required. Choose one, or enter its ID under By ID`.
 */
export function requiredText({ displayName, modes }: FormParameter): string {
	const byId = modes?.find(({ name }) => name === 'id');
	const remedy = byId ? `Choose one, or enter its ID under ${byId.displayName}` : 'Enter a value';
	return `${displayName} is required. ${remedy}`;
}

/** Returns the ID or address that identifies the row's resource; empty if the run does not read them. */
function encodeTarget(context: EncodeContext): Pick<EncodedRow, 'id' | 'reference'> {
	const { contract, operation, options, parameters, layout, report } = context;
	if (!readsIdentifier(operation, contract, options)) return {};
	const isColumn = options.takesColumns && options.matchBy !== undefined;
	const property = isColumn ? { ...contract.id, displayName: layout.match.name } : contract.id;
	const identifier = parameters[property.name];
	if (isUnset(identifier)) {
		const notChosen = 'is missing; choose from the list, or enter an ID';
		if (takesId(operation)) report(property, [isColumn ? missingCell : notChosen]);
		return {};
	}
	const mode = isRecord(identifier) ? identifier.mode : undefined;
	const reference = contract.address?.read(identifier, property, mode);
	if (reference instanceof Invalid) {
		report(property, reference.reasons);
		return {};
	}
	return reference ? { reference } : { id: encodeParameter(context, pathId, property, parameters) };
}

/** Reports a row that changes a resource without a search text, and a row of Update without a value to change. */
function checkUpdate(
	{ contract, operation, options, layout: { match }, report }: EncodeContext,
	row: Pick<EncodedRow, 'changes' | 'fields'>,
): void {
	if (!changesExisting(operation)) return;
	const isMatched = options.matchBy !== undefined;
	const key = isMatched ? match.fields?.searchBy : undefined;
	const field = contract.fields.find(({ wire }) => wire.key === key);
	if (field && !row.fields.some((encoded) => encoded.field === field && !encoded.cleared)) {
		report(field, [missingCell]);
	}
	if (!isPartial(operation)) return;
	const fixed = isMatched ? fixedKeys(contract, match) : [];
	const hasValue = row.fields.some((encoded) => !fixed.includes(encoded.field.wire.key));
	// A row that is compared with its resource may leave it unchanged.
	if (row.changes.length > 0 || hasValue || isMatched) return;
	const ways = [
		'fill in at least one field to change',
		...(options.takesColumns ? ['its column'] : []),
		...(clearChoices(contract).length > 0
			? [`choose fields in ${formParameters.clearFields.displayName}`]
			: []),
	];
	report(collections.updateFields, [`contains no value; ${ways.join(', or ')}`]);
}

/**
 * Returns the lists of a row whose values are added to the values of the resource, or removed from them. Reports a mode that is
 * not a choice.
 */
const listChanges = (
	context: EncodeContext,
	encoded: readonly EncodedField[],
	added: Parameters,
): ListChange[] =>
	context.layout.fields.flatMap(({ field }): ListChange[] => {
		const { merge } = field.wire;
		const mode = merge && encodeParameter(context, choice, merge, added);
		const list = encoded.find((candidate) => candidate.field === field);
		const isChange = list && !list.cleared && (mode === 'add' || mode === 'remove');
		return isChange ? [{ ...list, mode }] : [];
	});

/** Returns a list of IDs after IDs were added or removed; undefined if nothing changes. */
export function mergeList(
	{ mode, values }: Pick<ListChange, 'mode' | 'values'>,
	current: readonly WireValue[],
): readonly WireValue[] | undefined {
	const before = new Set(current.map(([, text]) => text));
	const changed = new Set(values.map(([, text]) => text));
	const after =
		mode === 'add'
			? [...current, ...values.filter(([, text]) => !before.has(text))]
			: current.filter(([, text]) => !changed.has(text));
	return after.length === current.length ? undefined : after;
}

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
	const { contract, operation, options, layout, parameters, report } = context;
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
	const { disables } = operationTable[operation];
	if (disables === undefined && options.unmatchedAction !== 'disable') return [];
	return disabledChange(contract, disables ?? false).filter(
		({ field }) => !fields.some((encoded) => encoded.field === field && !encoded.cleared),
	);
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
	const context = { ...run, layout, parameters, report: reporterTo(problems) };

	const target = encodeTarget(context);
	const limit = encodeLimit(context);
	const added = collectionValues(context);
	const valueOf = (place: FormPlace, name: string) => valueAt(context, place, name, added);
	const values = Object.fromEntries(
		layout.fields.map(({ field: { name }, place }) => [name, valueOf(place, name)]),
	);
	addImpliedValues(context, values);
	const cleared = clearedFields(context, added, values);
	const qrCode = encodeQrCode(context);
	const scope = hasScope(operation) ? encodeScope(context) : [];
	let encoded: readonly EncodedField[] = encodeFields(context, values, cleared, scope);
	for (const { property, place } of layout.derivedFields) {
		const value = valueOf(place, property.name);
		const row = { values, report: context.report };
		if (!isEmpty(value, property)) encoded = property.derive.applyTo(encoded, value, row);
	}
	const changes = isPartial(operation) ? listChanges(context, encoded, added) : [];
	const written = encoded.filter(({ field }) => changes.every((change) => change.field !== field));
	const fields = [...written, ...switchedField(context, written)];
	const incompleteFields = isPartial(operation) ? [] : incompleteFieldsIn(context, values, fields);
	for (const problem of operationTable[operation].creates === 'always' ? incompleteFields : []) {
		problems.push(problem);
	}
	if (problems.length === 0) checkUpdate(context, { fields, changes });
	const row = {
		...{ contract, operation, options, match: layout.match, ...target },
		...{ fields, changes, limit, qrCode, scope, incompleteFields },
		isKeyRandom: parameters !== formValues,
		skippedFields: options.reportsEmpty ? skippedFieldsIn(context, added) : [],
	};
	return { row, problems };
}

/** Adds the names in a row to the names of the run. Returns whether it has any. */
export const collectRowNames = (
	{ fields, changes, scope }: EncodedRow,
	requested: RequestedNames,
): boolean => collectNames([...fields, ...changes, ...scope], requested);

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
	const resolved = replaceNames(draft.row.fields, find, report);
	const changes = replaceNames(draft.row.changes, find, report);
	const scope = replaceNames(draft.row.scope, find, report);
	const fields = hasScope(operation) ? inScope({ contract, report }, scope, resolved) : resolved;
	return { row: { ...draft.row, fields, changes, scope }, problems };
}

/** Encodes a row whose values are IDs. Returns the encoded row, or all its problems. */
export function encodeRow(run: RowRun, formValues: Parameters): EncodedRow | readonly Problem[] {
	const { row, problems } = finishRow(draftRow(run, formValues));
	return problems.length > 0 ? problems : row;
}
