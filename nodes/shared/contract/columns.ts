import type { INodeProperties } from 'n8n-workflow';
import type {
	CollectionName,
	Columns,
	EncodeOptions,
	FormPlace,
	OperationName,
	Parameters,
} from './types';
import type { Field, Headings, ResourceContract } from './resourceTypes';
import { layoutOf } from './layout';
import { isBlank, isEmpty, isRecord } from './values';

/** Returns a heading without case, blanks, `_` and `-`: `Expiration Date` and `expiration_date` are equal. */
export const columnName = (heading: string): string =>
	heading.toLowerCase().replace(/[\s\p{Cf}_-]/gu, '');

/** A field that columns can fill, or one input of a field that has several. */
export interface ColumnTarget {
	/** The heading that messages suggest. */
	readonly name: string;
	readonly displayName: string;
	readonly property: Field | ResourceContract['id'];
	readonly place: FormPlace;
	/** Name of the input, and the target of its field. */
	readonly inputName?: string;
	readonly whole?: ColumnTarget;
	/** The headings that fill it, the best first. */
	readonly ranks: ReadonlyArray<readonly string[]>;
	readonly headings: Headings;
}

function targetOf(
	at: Pick<ColumnTarget, 'displayName' | 'inputName' | 'place' | 'property' | 'whole'>,
	headings: Headings,
	name: string,
	key = name,
): ColumnTarget {
	const { displayName } = at;
	if (headings.isNamedByLabel)
		return { ...at, name: displayName, ranks: [[displayName]], headings };
	const { formLabel = displayName, synonyms = [] } = headings;
	return { ...at, name, ranks: [[name], [key], [displayName, formLabel], synonyms], headings };
}

/**
 * Returns the fields and inputs that columns can fill in an operation, in the order of the contract table.
 *
 * @param matchBy value of Match By; undefined if the operation does not have it
 */
export function columnTargets(
	contract: ResourceContract,
	operation: OperationName,
	matchBy?: string,
): ColumnTarget[] {
	const { fields } = layoutOf(contract, operation, matchBy);
	const targets = fields.flatMap(({ field: property, place }): ColumnTarget[] => {
		const { name, displayName, wire } = property;
		const whole = targetOf({ property, place, displayName }, wire, name, wire.key);
		const inputs = (wire.inputs ?? []).map((input) => {
			const { name: inputName, displayName: label } = input;
			return targetOf({ property, place, displayName: label, inputName, whole }, input, inputName);
		});
		return [whole, ...inputs];
	});
	// Match By reads an identifier from a column, or fields.
	const identifiers = contract.matchBy
		.filter(({ value, fields: matched }) => value === matchBy && !matched)
		.map(({ name: displayName, value }) =>
			targetOf({ property: contract.id, place: 'top', displayName }, {}, value),
		);
	return [...targets, ...identifiers];
}

/** Columns that fill the same field, although only one can. */
export interface ColumnConflict {
	readonly displayName: string;
	readonly columns: readonly string[];
}

/** Which columns fill which fields, in the order of the input. */
export type ColumnMap = ReadonlyMap<string, ColumnTarget>;

/** Returns which columns fill which fields. Columns for the inputs of a field do not fill it together with a whole value. */
export function mapColumns(targets: readonly ColumnTarget[], columns: readonly string[]) {
	const byName = new Map<string, string[]>();
	for (const column of columns) {
		const name = columnName(column);
		const same = byName.get(name);
		if (same) same.push(column);
		else byName.set(name, [column]);
	}
	/** The columns with the best heading of each target. */
	const filled = new Map<ColumnTarget, readonly string[]>();
	for (const target of targets) {
		const best = target.ranks
			.map((names) => [...new Set(names.map(columnName))].flatMap((name) => byName.get(name) ?? []))
			.find((sameRank) => sameRank.length > 0);
		if (best) filled.set(target, best);
	}
	const conflicts: ColumnConflict[] = [];
	const byColumn = new Map<string, ColumnTarget>();
	for (const [target, own] of filled) {
		const ofWhole = (target.whole && filled.get(target.whole)) ?? [];
		if (ofWhole.length > 0 && joinsInputs(target)) continue;
		const same = [...ofWhole, ...own];
		if (same.length > 1) conflicts.push({ displayName: target.displayName, columns: same });
		for (const column of own) byColumn.set(column, target);
	}
	const map: ColumnMap = new Map(
		columns.flatMap((column) => {
			const target = byColumn.get(column);
			return target ? [[column, target] as const] : [];
		}),
	);
	return { map, conflicts };
}

/** Returns whether a target is an input whose cell makes one value with the cells of the other inputs. */
export const joinsInputs = ({ property, inputName }: ColumnTarget): boolean =>
	inputName !== undefined && property.type !== 'fixedCollection';

/** Returns a copy of an object; an empty object for any other value. */
const copyOf = (value: unknown): Record<string, unknown> => (isRecord(value) ? { ...value } : {});

/** Returns a copy of a field's inputs, which the form stores under the name of the fixed collection. */
export function inputsIn({ options: [set] = [] }: INodeProperties, value: unknown) {
	return copyOf(isRecord(value) && set && set.name in value ? value[set.name] : value);
}

/** Returns whether an empty cell keeps the value of the form, because no update can clear the field. */
const keepsFormValue = ({ property, place }: ColumnTarget): boolean =>
	place === 'top' && 'wire' in property && !property.wire.on.update;

/** A row whose values come from the form and from columns. */
interface MappedRow {
	/** The collections of the operation's form. */
	readonly collections: readonly CollectionName[];
	readonly options: Pick<EncodeOptions, 'emptyValues'>;
	/** The values of the form. */
	readonly parameters: Parameters;
	readonly columns: ColumnMap;
	/** The cells of the row, by column. */
	readonly cells: Columns;
	/** Returns whether the form has an expression for a target. */
	readonly isExpression: (target: ColumnTarget) => boolean;
}

/** Returns the values of a row for the targets of columns. The cells of some inputs make one value together. */
function filledTargets({ columns, cells }: MappedRow): ReadonlyMap<ColumnTarget, unknown> {
	const filled = new Map<ColumnTarget, unknown>();
	for (const [column, target] of columns) {
		if (!Object.hasOwn(cells, column)) continue;
		const { whole, inputName = '' } = target;
		const cell = cells[column];
		if (!whole || !joinsInputs(target)) {
			filled.set(target, cell);
			continue;
		}
		const inputs = filled.get(whole) ?? '';
		filled.set(whole, isBlank(cell) ? inputs : { ...copyOf(inputs), [inputName]: cell });
	}
	return filled;
}

/**
 * Returns the parameters of a row with the values of its columns. A column takes precedence over a fixed value of the form,
 * unless its cell is empty and empty cells are skipped. An expression with a value takes precedence over the column.
 */
export function withColumnValues(row: MappedRow): Parameters {
	const { collections: names, options, parameters, isExpression } = row;
	const collections = names.map((name) => [name, copyOf(parameters[name])] as const);
	const values: Record<string, unknown> = { ...parameters, ...Object.fromEntries(collections) };
	const holders = new Map<FormPlace, Record<string, unknown>>([['top', values], ...collections]);
	for (const [target, cell] of filledTargets(row)) {
		const { property, place, inputName } = target;
		const { name } = property;
		const looksEmpty = isEmpty(cell, property) || (inputName !== undefined && isBlank(cell));
		const isSkipped = (options.emptyValues === 'skip' || keepsFormValue(target)) && looksEmpty;
		const holder = holders.get(place) ?? values;
		const inputs = inputName === undefined ? holder : inputsIn(property, holder[name]);
		const key = inputName ?? name;
		if (isExpression(target) && !isEmpty(inputs[key], property)) continue;
		if (isSkipped && Object.hasOwn(inputs, key)) continue;
		holder[name] = inputName === undefined ? cell : { ...inputs, [inputName]: cell };
	}
	return values;
}

/** Max length of a heading that is compared with stems, in characters, and max number of words of a stem. */
const maxHeading = 200;
const maxStemWords = 4;

/** Returns the words of a heading: `customURL`, `Custom url` and `custom-url` have the same. */
const wordsOf = (heading: string): string[] =>
	heading
		.slice(0, maxHeading)
		.replace(/(\p{Ll})(?=\p{Lu})|(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$& ')
		.toLowerCase()
		.split(/[^\p{L}\p{M}\p{N}]+/u);

/** Returns all runs of words, each without the blanks between them. */
function phrasesOf(heading: string): ReadonlySet<string> {
	const words = wordsOf(heading);
	const lengths = Array.from({ length: maxStemWords }, (_, index) => index + 1);
	return new Set(
		words.flatMap((_, at) => lengths.map((length) => words.slice(at, at + length).join(''))),
	);
}

/**
 * Returns a function that returns the target that a heading looks like: the one with the longest stem that the heading contains
 * as whole words.
 */
export function similarTargetFinder(
	targets: readonly ColumnTarget[],
): (heading: string) => ColumnTarget | undefined {
	const entries = targets.flatMap((target) => {
		const { stems = [], wholeStems = [] } = target.headings;
		const { displayName } = target;
		// A label of one word, such as Space, is too common in other headings. Expiration Date contains a stem of Expiration.
		const labels = displayName.includes(' ') && !joinsInputs(target) ? [displayName] : [];
		return [
			...[...labels, ...stems].map((stem) => ({ target, stem: columnName(stem), isWhole: false })),
			...wholeStems.map((stem) => ({ target, stem: columnName(stem), isWhole: true })),
		];
	});
	entries.sort((first, second) => second.stem.length - first.stem.length);
	return (heading) => {
		const phrases = phrasesOf(heading);
		const whole = columnName(heading);
		return entries.find(({ stem, isWhole }) => (isWhole ? stem === whole : phrases.has(stem)))
			?.target;
	};
}
