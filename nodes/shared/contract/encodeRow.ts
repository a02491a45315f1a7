import { choice, flag, integer } from './codecs/scalar';
import { comparesFirst, type Param } from './endpoints';
import { isList, limit as limitProperty, returnAll } from './placement';
import { checkUpdate, encodeOne, encodeTarget, isNeeded, missing } from './target';
import { addedIn, resolveFields, type EncodeContext, type ResolvedFields } from './resolveFields';
import { isIdentified, matchOf } from './matchBy';
import { nameFinder } from './names';
import { rewriteFields, type RowRewrite } from './rewrite';
import { encodeScope, inScope, isOfScope, scopeText, type Scope } from './scope';
import {
	Invalid,
	type Columns,
	type DerivedField,
	type EncodeOptions,
	type Field,
	type MatchChoice,
	type OperationName,
	type Parameters,
	type ResourceContract,
	type ResourceReference,
	type WireValue,
} from './types';
import { isEmpty, isUnset, shorten } from './values';

/** One field as it was encoded. */
export interface EncodedField {
	readonly field: Field;
	readonly values: readonly WireValue[];
	/** Whether the values stand for nothing, to empty the field. */
	readonly cleared?: boolean;
	/** The derived field that it was set by. */
	readonly source?: DerivedField;
}

/** Values that are added to what a resource has, or removed from it. */
export interface ListChange extends EncodedField {
	readonly mode: 'add' | 'remove';
}

/** What a row asks for, encoded and checked, before anything of it is sent. */
export interface EncodedRow {
	readonly contract: ResourceContract;
	readonly operation: OperationName;
	/** What its values were read by; answers are compared by the same. */
	readonly options: EncodeOptions;
	/** How the row finds its resource, unless it has an ID or a reference. */
	readonly match: MatchChoice;
	/** The ID of its resource as it was given. */
	readonly id?: string;
	/** What was given in place of an ID. */
	readonly reference?: ResourceReference;
	/** The fields that are set or cleared, in the order of the table. */
	readonly fields: readonly EncodedField[];
	/** The field whose values depend on what the resource has; it is none of `fields`. */
	readonly change?: ListChange;
	/** How the resource's own texts are rewritten. Set if the row does not give these texts. */
	readonly rewrite?: RowRewrite;
	/** How many results of a list are wanted; Infinity for all. */
	readonly limit: number;
	/** What the resource is to lie in, for Sync. */
	readonly scope: Scope;
	/** Set where the row left out what it is known by, and an option gave it. */
	readonly isKeyMade: boolean;
	/** Why nothing may be created of the row, though what exists can be updated. */
	readonly halfSet: readonly Problem[];
	/** Why some fields must not be written, though the row may have what is there already. */
	readonly unwritable: readonly UnwritableFields[];
}

/** Fields that must not be written. */
export interface UnwritableFields {
	/** Names of the fields. */
	readonly fields: readonly string[];
	readonly problem: Problem;
}

/** What is wrong with one field of one row: its display name and contract name, and a clause that ends with the remedy. */
export interface Problem {
	readonly field: string;
	readonly key: string;
	readonly reason: string;
	/** Whether no row can be executed then, because all rows must agree on it. */
	readonly isRunLevel?: true;
}

/** Whether a row could be encoded. */
export const isEncoded = (encoded: EncodedRow | readonly Problem[]): encoded is EncodedRow =>
	'contract' in encoded;

/** The params of fields, as they are sent. */
export const paramsOf = (fields: readonly EncodedField[]): Param[] =>
	fields.flatMap(({ field, values }) =>
		values.map(([suffix, text]) => [`${field.wire.key}${suffix}`, text] as const),
	);

/** Returns the passwords that a row sends. */
export const secretsOf = ({ fields }: Pick<EncodedRow, 'fields'>): string[] =>
	fields
		.filter(({ field, cleared }) => field.typeOptions?.password && !cleared)
		.flatMap(({ values }) => values.map(([, secret]) => secret));

/** The fields that a create sends: it has nothing to clear. */
export const fieldsToCreate = ({ fields }: EncodedRow): EncodedField[] =>
	fields.filter(({ cleared }) => !cleared);

/** The fields of a row whose contract keys are named. */
export const fieldsNamed = ({ fields }: EncodedRow, keys: readonly string[]): EncodedField[] =>
	fields.filter(({ field }) => keys.includes(field.wire.key));

/** The text that a row's resource can be found by in the list, or undefined where the row gave none. */
export function searchTextOf(row: EncodedRow): string | undefined {
	const [searched] = fieldsNamed(row, [row.contract.key.searchBy]);
	return searched?.values[0]?.[1];
}

/** What a row locks whose resource Match By finds otherwise than by its alias or name. */
export function matchLockKey({ contract, match, id, reference, fields }: EncodedRow): string | undefined {
	if (reference) return `${contract.path}?${reference.search.toLowerCase()}`;
	if (id !== undefined) return `${contract.path}/${id}`;
	const key = match.fields?.searchBy;
	const text = fields.find(({ field }) => field.wire.key === key)?.values[0]?.[1];
	return key === undefined || key === contract.key.searchBy || text === undefined
		? undefined
		: `${contract.path}?${key}=${text}`;
}

/** What a row that is found by a text works on, so that rows of the same text can take turns; undefined for others. */
export function lockKey(row: EncodedRow): string | undefined {
	const text = searchTextOf(row)?.toLowerCase();
	return text === undefined ? undefined : `${row.contract.path}?${text}`;
}

/** A field as the row wants it; nothing where it was left alone, or where it is reported. */
function encodeField(
	context: EncodeContext,
	field: Field,
	{ values, sources, cleared }: ResolvedFields,
	scope: Scope,
): EncodedField[] {
	const { contract, options, report, guard } = context;
	const { codec, empty, givenBy } = field.wire;
	if (cleared.has(field.name)) return empty ? [{ field, values: empty, cleared: true }] : [];
	const value = values[field.name];
	if (isEmpty(value, field)) {
		const isGiven =
			(givenBy !== undefined && !isUnset(options.own[givenBy])) ||
			scope.some((entry) => entry.field === field && !entry.property.scope.isPrefix);
		if (isNeeded(context, field) && !isGiven) report(field, [missing(options, field.name)]);
		return [];
	}
	const source = sources.get(field.name);
	const timeZone = contract.timeZoneOf?.(options) ?? options.timeZone;
	const encoded = guard(() => codec(value, field, { names: nameFinder(field, options), timeZone }));
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
	const list = fields.find((one) => one.field === field && !one.cleared);
	return list && (mode === 'add' || mode === 'remove') ? { ...list, mode } : undefined;
}

function encodeLimit(context: EncodeContext): number {
	const { operation, parameters, report } = context;
	if (!isList(operation)) return 1;
	if (encodeOne(context, flag, returnAll, parameters) === '1') return Infinity;
	const wanted = Number(encodeOne(context, integer, limitProperty, parameters) ?? 1);
	if (wanted < 1) report(limitProperty, ['is less than 1; enter how many results to return']);
	return wanted;
}

/**
 * The fields that have values which make sense beside another field only, and lack it: services take them silently
 * (assumption: limits).
 */
function halfSet(
	{ contract, options }: EncodeContext,
	{ values: given }: ResolvedFields,
	fields: readonly EncodedField[],
): Problem[] {
	return fields.flatMap(({ field, values, cleared }): Problem[] => {
		const name = cleared ? undefined : field.wire.needs?.(values[0]?.[1] ?? '');
		const needed = contract.fields.find((other) => other.name === name);
		if (!needed || !isEmpty(given[needed.name], needed)) return [];
		const { displayName } = needed;
		const isLeftOut = options.takesColumns && needed.typeOptions?.password;
		const other = isLeftOut ? 'add Map Passwords under Options if a column has it, ' : '';
		const reason = `needs ${displayName}; fill in ${displayName}, ${other}or leave this field out`;
		return [{ field: field.displayName, key: field.wire.key, reason }];
	});
}

/** The field that Sync writes where a row does not: a row that is there is switched on, if the others are switched off. */
function switchedOn({ contract, options }: EncodeContext, fields: readonly EncodedField[]) {
	const name = options.others === 'disable' ? contract.sync.disabled : undefined;
	const field = contract.fields.find((one) => one.name === name);
	const isGiven = fields.some((one) => one.field === field && !one.cleared);
	return field && !isGiven ? [{ field, values: [['', '0']] as const }] : [];
}

/** Max number of characters of another error's message. */
const maxSaid = 200;

/** Collects what is wrong with a row. */
function problemCollector(contract: ResourceContract, operation: OperationName) {
	const problems: Problem[] = [];
	const unwritable: UnwritableFields[] = [];
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
			const said = shorten(error instanceof Error ? error.message : String(error), maxSaid);
			return new Invalid([`holds a value that cannot be read (${said}); enter another one`]);
		}
	};
	const forbid: EncodeContext['forbid'] = (property, reason) => {
		const { name: key, displayName: field, derive } = property;
		// What compares with the resource first may find that there is nothing to write.
		if (!comparesFirst(operation)) report(property, [reason]);
		else unwritable.push({ fields: derive.sets, problem: { field, key, reason } });
	};
	return { problems, unwritable, report, forbid, guard };
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
	given: Parameters,
	options: EncodeOptions,
	columns: Columns = {},
): EncodedRow | readonly Problem[] {
	const collector = problemCollector(contract, operation);
	const { problems, unwritable, report } = collector;
	const raw = { operation, parameters: given, columns, options, report };
	const row = { ...collector, contract, operation, options };
	const isMade = !isIdentified({ ...row, parameters: given });
	const parameters = (isMade ? contract.complete?.(raw) : undefined) ?? given;
	const context: EncodeContext = { ...row, parameters };

	const target = encodeTarget(context);
	const limit = encodeLimit(context);
	const added = addedIn(context);
	const resolved = resolveFields(context, added);
	const scope = operation === 'sync' ? encodeScope(context) : [];
	const encoded = contract.fields.flatMap((field) => encodeField(context, field, resolved, scope));
	const change = changeOf(context, added, encoded);
	// A list of rules of which none is filled in makes no param.
	const filled = encoded.filter(
		({ field, values }) => field !== change?.field && values.length > 0,
	);
	const { fields: own, rewrite } = rewriteFields(context, resolved, filled);
	const fields =
		operation === 'sync' ? inScope(context, scope, [...own, ...switchedOn(context, own)]) : own;

	const half = operation === 'update' ? [] : halfSet(context, resolved, fields);
	if (operation === 'create') half.forEach((problem) => problems.push(problem));
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
				isKeyMade: parameters !== given,
				halfSet: half,
				unwritable,
			};
}
