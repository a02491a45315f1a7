import { isNoPassword } from './codecs/scalar';
import type { Headings, Wire, ResourceContract } from './resourceTypes';
import { columnName, forMessage } from './text';
import { collections, fixedKeys, formParameters, layoutOf, type RowRun } from './layout';
import { changesExisting, isPartial, operationTable, type OperationName } from './operations';
import type { Columns, FormParameter, FormPlace, Parameters, Problem } from './types';
import {
	isBlank,
	isEmpty,
	isRecord,
	isSecret,
	isTextual,
	isUnset,
	parseJson,
	quoteText,
	refused,
	unwrapLocator,
} from './values';
import { capitalized, columnText, firstTexts, inflected, joined } from './wording';

/** A field that columns can fill, or one input of a field that has several. */
export interface ColumnTarget {
	/** The heading that messages suggest. */
	readonly name: string;
	readonly displayName: string;
	/** The field, or another parameter of the form. */
	readonly property: FormParameter & { readonly wire?: Wire };
	readonly place: FormPlace;
	/** Name of the input, and the target of its field. */
	readonly inputName?: string;
	readonly whole?: ColumnTarget;
	/** Whether each row needs a value. */
	readonly isRequired: boolean;
	/** The headings that fill it, the best first. */
	readonly ranks: ReadonlyArray<readonly string[]>;
	readonly headings: Headings;
}

/** A target apart from its headings. Its label is that of the property by default. */
type TargetPlace = Partial<ColumnTarget> & Pick<ColumnTarget, 'isRequired' | 'place' | 'property'>;

function targetOf(at: TargetPlace, headings: Headings = {}, name = at.property.name): ColumnTarget {
	const { displayName = at.property.displayName, inputName, property } = at;
	const target = { ...at, displayName, headings };
	if (headings.isNamedByLabel) return { ...target, name: displayName, ranks: [[displayName]] };
	const key = (inputName === undefined && property.wire?.key) || name;
	const { formLabel = displayName, synonyms = [] } = headings;
	return { ...target, name, ranks: [[name], [key], [displayName, formLabel], synonyms] };
}

/**
 * Returns the fields and inputs that columns can fill in an operation, in the order of the contract table, and the other parameters
 * that they can fill: what identifies a resource, and what Update does with a field.
 *
 * @param matchBy value of Match By; undefined if the operation does not have it
 */
export function columnTargets(
	contract: ResourceContract,
	operation: OperationName,
	matchBy?: string,
): ColumnTarget[] {
	const { clearChoices, fields, match, readsIdentifier } = layoutOf(contract, operation, matchBy);
	const matchedKey = changesExisting(operation) ? match.fields?.searchBy : undefined;
	const targets = fields.flatMap(({ field: property, place, ...placed }): ColumnTarget[] => {
		const { wire } = property;
		const isRequired = !readsIdentifier && (placed.isRequired || wire.key === matchedKey);
		const at = { property, place, isRequired };
		const whole = targetOf(at, wire);
		const inputs = (wire.inputs ?? []).map((input) => {
			const { name: inputName, displayName } = input;
			return targetOf({ ...at, displayName, inputName, whole }, input, inputName);
		});
		const merge = isPartial(operation) ? wire.merge : undefined;
		return [whole, ...inputs, ...(merge ? [targetOf({ ...at, property: merge })] : [])];
	});
	const top = { place: 'top' } as const;
	const clearing = { ...top, property: formParameters.clearFields, isRequired: false };
	if (clearChoices.length > 0) targets.push(targetOf(clearing));
	// Match By reads an identifier from a column, or fields.
	for (const { name: displayName, value, fields: matched } of contract.matchBy) {
		const identifier = { ...top, property: contract.id, displayName, isRequired: true };
		// A table may have row numbers in `id`, and the IDs of links in `link_id`: both columns together stop the run.
		const ranks = [[value, contract.id.name]];
		if (value === matchBy && !matched) targets.push({ ...targetOf(identifier, {}, value), ranks });
	}
	return targets;
}

/** Returns whether a target is an input whose cell makes one value with the cells of the other inputs. */
const joinsInputs = ({ property, inputName }: ColumnTarget): boolean =>
	inputName !== undefined && property.type !== 'fixedCollection';

/** A column and the field that it fills or looks like. */
type ColumnEntry = readonly [column: string, target: ColumnTarget];

/** Which columns fill which fields, in the order of the input. */
export type ColumnMap = ReadonlyMap<string, ColumnTarget>;

/**
 * Returns which columns fill which fields, and the fields that several columns fill. Columns for the inputs of a field do not fill
 * it together with a whole value.
 */
export function mapColumns(targets: readonly ColumnTarget[], columns: readonly string[]) {
	const named = columns.map((column, place) => ({ column, place, name: columnName(column) }));
	const columnsOf = (headings: readonly string[]) => {
		const names = headings.map(columnName);
		return named.filter(({ name }) => names.includes(name));
	};
	/** The columns with the best heading of each target. */
	const filled = new Map(
		targets.map((target) => {
			const best = target.ranks.map(columnsOf).find((sameRank) => sameRank.length > 0);
			return [target, best ?? []] as const;
		}),
	);
	const conflicts: Array<{ displayName: string; columns: readonly string[] }> = [];
	const byPlace: ColumnEntry[] = [];
	for (const [target, own] of filled) {
		const ofWhole = (own.length > 0 && target.whole && filled.get(target.whole)) || [];
		if (ofWhole.length > 0 && joinsInputs(target)) continue;
		const same = [...ofWhole, ...own].map(({ column }) => column);
		if (same.length > 1) conflicts.push({ displayName: target.displayName, columns: same });
		for (const { column, place } of own) byPlace[place] = [column, target];
	}
	// The values of an array are in the order of its places, without the empty ones.
	return { map: new Map(Object.values(byPlace)), conflicts };
}

/** Max length of a heading that is compared with stems, in characters. */
const maxHeading = 200;

/** The numbers of words that a stem can have. */
const stemLengths = [1, 2, 3, 4];

/** Returns all runs of words of a heading, without blanks: `customURL`, `Custom url` and `custom-url` have the same. */
function phrasesOf(heading: string): ReadonlySet<string> {
	const words = heading
		.slice(0, maxHeading)
		.replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$& ')
		.toLowerCase()
		.split(/[^\p{L}\p{M}\p{N}]+/u);
	return new Set(
		words.flatMap((_, at) => stemLengths.map((length) => words.slice(at, at + length).join(''))),
	);
}

/**
 * Returns a function that returns the target that a heading looks like: the one with the longest stem that the heading contains
 * as whole words, or one that the heading would fill without columns of a higher rank. An output of the node only looks like the
 * latter.
 */
export function similarTargetFinder(targets: readonly ColumnTarget[]) {
	const entries = targets.flatMap((target) => {
		const { displayName, headings, whole } = target;
		const { stems = [], wholeStems = [] } = headings;
		const label = displayName.split(' ');
		// A label of one word, such as Space, is too common in other headings.
		const labels = label.length > 1 ? [displayName] : [];
		// Valid Until (Time) looks like the time, whether or not a column fills the date.
		const { stems: ofWhole = [], synonyms = [] } = (joinsInputs(target) && whole?.headings) || {};
		const ofInput = [...ofWhole, ...synonyms].map((stem) => `${stem} ${label.at(-1)}`);
		const words = [...labels, ...stems, ...ofInput].map((stem) => ({ stem, isWhole: false }));
		const wholes = [...wholeStems, ...target.ranks.flat()];
		const all = [...words, ...wholes.map((stem) => ({ stem, isWhole: true }))];
		return all.map((entry) => ({ ...entry, target, stem: columnName(entry.stem) }));
	});
	entries.sort((first, second) => second.stem.length - first.stem.length);
	return (heading: string, isOutput = false): ColumnTarget | undefined => {
		const phrases: ReadonlySet<string> = isOutput ? new Set() : phrasesOf(heading);
		const whole = columnName(heading);
		return entries.find(({ stem, isWhole }) => (isWhole ? stem === whole : phrases.has(stem)))
			?.target;
	};
}

/** Returns a copy of an object; an empty object for any other value. */
const copyOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : {});

/** Returns a copy of a field's inputs, which the form stores under the name of the fixed collection. */
function inputsIn({ options: [set] = [] }: FormParameter, value: unknown) {
	return copyOf(isRecord(value) && set && set.name in value ? value[set.name] : value);
}

/** Returns the value that the form has for a target. */
export function formValueOf(form: Parameters, { property, place, inputName }: ColumnTarget) {
	const value = (place === 'top' ? form : copyOf(form[place]))[property.name];
	return inputName === undefined ? value : inputsIn(property, value)[inputName];
}

/** Which columns fill which fields, where the form has an expression, and the only field that an update changes. */
type FilledFields = Pick<RunColumns, 'isExpression' | 'map' | 'onlyChange'>;

/** Returns the values of a row for the targets of columns. The cells of some inputs make one value together. */
function filledTargets(map: ColumnMap, cells: Columns): ReadonlyMap<ColumnTarget, unknown> {
	const filled = new Map<ColumnTarget, unknown>();
	for (const [column, target] of map) {
		if (!Object.hasOwn(cells, column)) continue;
		const { whole, inputName = '', property } = target;
		const cell = isBlank(cells[column]) ? '' : cells[column];
		const inputs = (whole && filled.get(whole)) ?? '';
		if (!whole || !joinsInputs(target)) filled.set(target, cell);
		else if (cell !== '') filled.set(whole, { ...copyOf(inputs), [inputName]: cell });
		// Without its first input, the date, an empty time says nothing about the field.
		else if (property.wire?.inputs?.[0]?.name === inputName) filled.set(whole, inputs);
	}
	return filled;
}

/**
 * Returns the parameters of a row with the values of its columns. A column takes precedence over a fixed value of the form,
 * unless its cell is empty and empty cells are skipped. An expression with a value takes precedence over the column.
 *
 * @param parameters the values of the form
 */
export function withColumnValues(
	{ layout, options }: Pick<RowRun, 'layout' | 'options'>,
	{ map, isExpression }: FilledFields,
	parameters: Parameters,
	cells: Columns,
): Parameters {
	const holders = layout.collections.map((name) => [name, copyOf(parameters[name])] as const);
	const values: Record<string, unknown> = { ...parameters, ...Object.fromEntries(holders) };
	for (const [target, cell] of filledTargets(map, cells)) {
		const { property, place, inputName } = target;
		const { name, wire } = property;
		// An empty cell keeps the value of the form if no update can clear the field.
		const isKept = place === 'top' && wire && !wire.on.update;
		const [, holder = values] = holders.find(([collection]) => collection === place) ?? [];
		const inputs = inputName === undefined ? holder : inputsIn(property, holder[name]);
		const key = inputName ?? name;
		if (isExpression(target) && !isEmpty(inputs[key], property)) continue;
		const isSkipped = isEmpty(cell, property) && (options.emptyValues === 'skip' || isKept);
		if (isSkipped && Object.hasOwn(inputs, key)) continue;
		holder[name] = inputName === undefined ? cell : { ...inputs, [inputName]: cell };
	}
	return values;
}

/** Returns whether a problem is about the value for a target. */
function isAbout({ key, input, isRunLevel }: Problem, target: ColumnTarget): boolean {
	const { property, inputName } = target;
	const isWhole = inputName === undefined || joinsInputs(target);
	const isSameKey = key === (property.wire?.key ?? property.name);
	return !isRunLevel && isSameKey && (isWhole || input === inputName);
}

/** Returns the problems of a row. The first problem that comes from a cell has its columns. */
export function withColumnNames(
	problems: readonly Problem[],
	{ map, isExpression, onlyChange }: FilledFields,
	cells: Columns,
): Problem[] {
	const used = [...map].filter(([column, to]) => !isBlank(cells[column]) && !isExpression(to));
	const named = new Set<string>();
	return problems.map((problem) => {
		const filling = used.filter(([, target]) => isAbout(problem, target));
		const columns = filling.map(([column]) => column);
		const names = columns.join('\n');
		if (columns.length === 0 || named.has(names)) return problem;
		named.add(names);
		const isNeeded = filling.some(([, to]) => to.isRequired || to.property === onlyChange);
		return { ...problem, columns, isNeeded };
	});
}

/** Matches an entry of a list of columns. Messages show some names in quotes, in which a comma is no separator. */
const columnEntry = /\s*"(?:[^"\\]|\\.)*"\s*(?=,|$)|[^,]+/g;

/**
 * Returns the columns in Inputs to Ignore: a text with entries that are separated by commas, or a list. An entry is the name of a
 * column, as messages write it, or apart from case, blanks, `_` and `-`.
 */
export function columnsToIgnore(value: unknown, columns: ReadonlySet<string>) {
	const texts = (Array.isArray(value) ? value : [value]).filter((entry) => !isUnset(entry));
	if (!texts.every(isTextual)) {
		const what = 'is not a list of columns; write it as notes, owner';
		return refused(value, formParameters.inputsToIgnore, what);
	}
	const similar = new Map<string, Set<string>>();
	for (const column of columns) {
		for (const name of [column, String(parseJson(forMessage(quoteText(column))))].map(columnName))
			similar.set(name, (similar.get(name) ?? new Set()).add(column));
	}
	const entries = typeof value === 'string' ? (value.match(columnEntry) ?? []) : texts.map(String);
	const named = entries.flatMap((entry) => {
		const text = Array.isArray(value) ? entry : entry.trim();
		const name = String(parseJson(text.startsWith('"') ? text : `"${text}"`) ?? text);
		const own = [text, name].find((each) => columns.has(each));
		return own ?? [...(similar.get(columnName(name)) ?? [])];
	});
	return new Set(named);
}

/** What decides which columns a run uses. */
interface ColumnInput {
	/** All columns, apart from row numbers. */
	readonly columns: readonly string[];
	/** The cells of each item. */
	readonly rows: readonly Columns[];
	/** Whether the items look like rows. */
	readonly hasRows: boolean;
	readonly form: Parameters;
	/** Returns whether the form has an expression for a target. */
	readonly isExpression: (target: ColumnTarget) => boolean;
	/** Returns whether the form has no value for a target and an item. An expression that fails, or names the column, has one. */
	readonly isUnfilled: (target: ColumnTarget, column: string, index: number) => boolean;
	/** The columns in Inputs to Ignore. */
	readonly leftOut: ReadonlySet<string>;
	readonly mapsPasswords: boolean;
}

/** What fills the fields of a run. */
interface ColumnRun extends RowRun, ColumnInput {
	readonly map: ColumnMap;
	readonly targets: readonly ColumnTarget[];
	/** Returns whether a column or the form fills the field of a target. */
	readonly isFilled: (target: ColumnTarget) => boolean;
}

/** Returns whether a cell has a value for a field. A flag or a formula error is no password. */
const isValue = (cell: unknown, { property }: ColumnTarget): boolean =>
	!isBlank(cell) && !(isSecret(property) && isNoPassword(cell));

/** Returns whether two targets are the same field or input, or a field and one of its inputs. */
const overlaps = (one: ColumnTarget, other: ColumnTarget): boolean =>
	one.property === other.property &&
	(one.inputName === other.inputName || !one.inputName || !other.inputName);

/** Returns the columns that look like a field, with the field. Neither a column nor the form fills it in rows with their values. */
function leftOverColumns(run: ColumnRun, columns: readonly string[]): ColumnEntry[] {
	const { rows, targets, map, isUnfilled, contract, operation } = run;
	const isNew = operationTable[operation].creates === 'always';
	const similarTarget = similarTargetFinder(targets);
	const outputNames = new Set(contract.output.map(({ name }) => columnName(name)));
	const isOutput = (name: string) => outputNames.has(columnName(name));
	return columns.flatMap((name): ColumnEntry[] => {
		const target = similarTarget(name, isOutput(name));
		if (!target) return [];
		const filling = [...map].filter(([, other]) => overlaps(target, other));
		// An empty `spaceId` of an output clears the space of a resource that exists, although `space` still has its name.
		const isEdit = !isNew && target.property.wire?.empty && isOutput(name);
		if (isEdit && filling.every(([other]) => isOutput(other))) return [];
		const named = filling.find(([, { inputName }]) => !inputName)?.[1] ?? target;
		const isLost = (cells: Columns, index: number) =>
			isValue(cells[name], target) &&
			!filling.some(([other, to]) => isValue(cells[other], to)) &&
			isUnfilled(target, name, index);
		return rows.some(isLost) ? [[name, named]] : [];
	});
}

/** Returns the required fields that neither a column, the form nor the scope of Sync fills. */
function missingFields({ contract, targets, form, isFilled }: ColumnRun): ColumnTarget[] {
	const scope = copyOf(form[formParameters.syncScope.name]);
	const inScope = contract.sync.scope
		.filter((property) => !property.scope.isPrefix && property.name in scope)
		.map((property) => property.scope.field);
	return targets.filter(
		(target) => target.isRequired && !isFilled(target) && !inScope.includes(target.property.name),
	);
}

/** Returns the fields that Update can change; none for any other operation. */
function changingFields({ contract, operation, options, layout, targets }: ColumnRun) {
	if (!isPartial(operation)) return [];
	const fixed = options.matchBy === undefined ? [] : fixedKeys(contract, layout.match);
	return targets.filter(({ property: { name, wire } }) =>
		wire ? !fixed.includes(wire.key) : name === formParameters.clearFields.name,
	);
}

const ignore = formParameters.inputsToIgnore.displayName;
const mapPasswords = formParameters.mapPasswords.displayName;

/** Returns the names of columns, up to the max size of an error or a hint. */
const columnList = (columns: readonly string[]): string => firstTexts(columns, 500).join(', ');

/** Returns the names of columns in quotes, up to the max size of an error. */
const quotedColumns = (columns: readonly string[]): string =>
	joined(firstTexts(columns.map(quoteText), 500)).replace(' … and ', ' ');

/** Returns the names of all columns of the input, for a sentence. */
const cameText = (columns: readonly string[]): string =>
	`Columns that came: ${columnList(columns.map(columnText)) || 'none'}.`;

/** What to do about items that are no rows. */
const noRows =
	'Each item must be a row with a column for each field. Extract from File reads the rows of a file: check its Delimiter. Edit Fields takes values out of an object such as body: replace each dragged name with that of a field, such as url.';

/** Returns the sentence about ignored columns that would fill some fields; empty if there are none. */
function ignoredText({ leftOut }: ColumnRun, targets: readonly ColumnTarget[]): string {
	const ignored = [...mapColumns(targets, [...leftOut]).map.keys()].map(columnText);
	if (ignored.length === 0) return '';
	return `Remove ${joined(ignored)} from ${ignore}, and correct any wrong values there.`;
}

/** Returns the sentences about required fields that nothing fills. */
function missingText(run: ColumnRun, missing: readonly ColumnTarget[]): string {
	const { columns, contract, hasRows, operation } = run;
	const text = inflected(missing.length);
	const names = joined(missing.map(({ name }) => name));
	const labels = joined(missing.map(({ displayName }) => displayName));
	const what = `No column fills ${labels}. ${cameText(columns)}`;
	if (!hasRows) return `${what} ${noRows}`;
	const ignored = ignoredText(run, missing);
	if (ignored) return `${what} ${ignored}`;
	const rename = columns.length > 0 ? text`rename [one|columns] to` : text`add the column[|s]`;
	const inForm = text`set the field[|s] in the form`;
	const other = missing[0]?.property.wire ? inForm : 'choose another Match By';
	const { displayName, modes: [, ...modes] = [] } = contract.id;
	const kinds = modes.map((mode) => mode.displayName).join(', ');
	const ways = changesExisting(operation)
		? [`set ${displayName} (${kinds}) with an expression`, `${rename} ${names}`]
		: [`${rename} ${names}`, other];
	return `${what} ${capitalized(ways.join(', or '))}.`;
}

/** Returns the sentence about left-over columns that look like fields. */
function leftOverText(leftOver: readonly ColumnEntry[]): string {
	const columns = quotedColumns(leftOver.map(([column]) => column));
	const names = [...new Set(leftOver.map(([, target]) => target.name))];
	const text = inflected(leftOver.length);
	const each = names.length === 1 ? 'one of them' : 'one each';
	const renamed = leftOver.length === names.length ? text`[it|them]` : each;
	return text`Column[|s] ${columns} [is|are] not used. Add [it|them] to ${ignore}, or rename ${renamed} to ${joined(names)}.`;
}

/** Returns the sentence about columns with passwords that are not mapped. It quotes no value. */
function passwordText(columns: readonly string[]): string {
	const names = columnList(columns.map(columnText));
	const text = inflected(columns.length);
	return text`The column[|s] ${names} contain[s|] passwords and [is|are] not mapped. Add ${mapPasswords} under Options, or add [it|them] to ${ignore}.`;
}

/** Returns sentences about the fields that nothing fills, and the columns that are not used. */
function problemTexts(run: ColumnRun, leftOver: readonly ColumnEntry[], secret: ColumnMap) {
	const { columns, hasRows, rows, isExpression, isUnfilled, isFilled } = run;
	const missing = missingFields(run);
	const isRow = hasRows || missing.length === 0;
	const lost = leftOver.filter(([, target]) => isRow && !missing.includes(target));
	const passwords = [...secret].flatMap(([column, target]) => {
		const isOpen = (index: number) => !isExpression(target) || isUnfilled(target, column, index);
		const isLost = rows.some((cells, index) => isValue(cells[column], target) && isOpen(index));
		return isLost ? [column] : [];
	});
	const texts = [
		missing.length > 0 ? missingText(run, missing) : '',
		lost.length > 0 ? leftOverText(lost) : '',
		passwords.length > 0 ? passwordText(passwords) : '',
	].filter((text) => text !== '');
	const changing = changingFields(run);
	if (texts.length > 0 || changing.length === 0 || changing.some(isFilled)) return texts;
	const rename = `Rename one of them to the name of a field, or fill in ${collections.updateFields.displayName}.`;
	const what = `No column fills a field to change. ${cameText(columns)}`;
	return [`${what} ${ignoredText(run, changing) || (hasRows ? rename : noRows)}`];
}

/** Returns the columns of a run: which fields they fill, and why they cannot be used. */
export function readColumns(rowRun: RowRun, input: ColumnInput) {
	const { contract, operation, options } = rowRun;
	const { columns, leftOut, form, isExpression, mapsPasswords } = input;
	const usable = columns.filter((column) => !leftOut.has(column));
	const targets = columnTargets(contract, operation, options.matchBy);
	const { map: all, conflicts } = mapColumns(targets, usable);
	const isMapped = ({ property }: ColumnTarget) => mapsPasswords || !isSecret(property);
	const map: ColumnMap = new Map([...all].filter(([, target]) => isMapped(target)));
	const secret: ColumnMap = new Map([...all].filter(([, target]) => !isMapped(target)));
	const filled = new Set([...map.values()].map(({ property }) => property));
	const isFilled = (target: ColumnTarget) =>
		filled.has(target.property) || !isBlank(unwrapLocator(formValueOf(form, target)));
	const hasObjects = input.rows.some((cells) => Object.values(cells).some(isRecord));
	const hasRows = input.hasRows || (map.size > 0 && !hasObjects);
	const run: ColumnRun = { ...rowRun, ...input, hasRows, targets, map, isFilled };
	const ignored = columns.filter((column) => !map.has(column));
	const isGenerated = ([, { property }]: ColumnEntry) =>
		operationTable[operation].creates !== undefined && property.wire?.key === contract.key.searchBy;
	const omitted = columns.filter((column) => leftOut.has(column));
	const unused = usable.filter((column) => !all.has(column));
	const [conflict] = conflicts;
	const changed = changingFields(run).filter(isFilled);
	const [onlyChange, ...others] = new Set(changed.map(({ property }) => property));
	return {
		/** `ignored` are the columns that fill no field, with those of passwords (`secret`), if the settings do not allow them. */
		...{ map, isExpression, ignored, secret },
		/** The only field that an update changes, so that its columns should not be ignored. */
		...(others.length === 0 ? { onlyChange } : {}),
		/** Columns of Inputs to Ignore that look like the key, if new resources get a generated key. Any other one stops the run. */
		unusedKeys: leftOverColumns(run, omitted).filter(isGenerated),
		// A conflict makes the other problems uncertain.
		problems: conflict
			? [
					`The columns ${quotedColumns(conflict.columns)} both fill ${conflict.displayName}; keep one of them, or add the other to ${ignore}`,
				]
			: problemTexts(run, leftOverColumns(run, unused), secret),
	};
}

/** The columns of a run. */
export type RunColumns = ReturnType<typeof readColumns>;

/** Returns the name of a column, and of its field if it differs. */
function mappingText([column, { displayName, headings }]: ColumnEntry): string {
	const others = [headings.formLabel ?? [], headings.synonyms ?? []].flat().map(columnName);
	const name = columnText(column);
	return others.includes(columnName(column)) ? `${name} (${displayName})` : name;
}

/** Returns `Mapped columns: url, slug (Alias). Ignored columns: notes.` */
export function columnsHint({ value }: ResourceContract, columns: RunColumns): string {
	const { map, ignored, secret, unusedKeys } = columns;
	const leftOut = ignored.map((column) =>
		secret.has(column) ? `${columnText(column)} (only with ${mapPasswords})` : columnText(column),
	);
	const mapped = map.size > 0 ? [...map].map(mappingText) : ['none'];
	const key = unusedKeys[0]?.[1].displayName ?? '';
	const keyColumns = columnList(unusedKeys.map(([column]) => columnText(column)));
	const are = inflected(unusedKeys.length)`[is|are]`;
	const sentences = [
		`Mapped columns: ${columnList(mapped)}`,
		leftOut.length > 0 ? `Ignored columns: ${columnList(leftOut)}` : '',
		keyColumns &&
			`New ${value}s get a generated ${key.toLowerCase()}, because nothing fills ${key} and ${keyColumns} ${are} ignored`,
	];
	return `${sentences.filter((text) => text !== '').join('. ')}.`;
}
