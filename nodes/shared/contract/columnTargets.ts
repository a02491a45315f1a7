import { columnName, takesColumns, type ColumnTarget } from './columns';
import { placeOf } from './matchBy';
import type { EncodeOptions, OperationName } from './types';
import type { Headings } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';

/** What a column can fill, and the names that columns have for it. */
export interface FillableField extends Headings {
	/** Name of the field, or of its input. */
	readonly name: string;
	readonly target: ColumnTarget;
	/** The names of the field itself. */
	readonly names: readonly string[];
	/** A name that counts only if no other column fills the field. */
	readonly spareName?: string;
}

/** Returns all that columns can fill in an operation, in the order of the contract table. */
export function fillableFields(
	contract: ResourceContract,
	operation: OperationName,
	options: Pick<EncodeOptions, 'matchBy'> = {},
): FillableField[] {
	const fields = contract.fields.flatMap((property): FillableField[] => {
		const { wire, name, displayName } = property;
		const place = placeOf(property, operation, contract, options);
		if (!place) return [];
		const target = { property, place, displayName };
		const names = [name, displayName, wire.key];
		return [{ ...headingsOf(wire), name, target, names, spareName: wire.columnAlias }];
	});
	const derived = (contract.derivedFields ?? []).flatMap((property): FillableField[] => {
		const { derive, name, displayName } = property;
		const place = derive.on[operation];
		if (!place) return [];
		const wholeTarget = { property, place, displayName };
		const parts = (derive.inputs ?? []).map((part) => ({
			...headingsOf(part),
			name: part.name,
			target: { property, place, displayName: part.displayName, inputName: part.name },
			names: [part.name, part.displayName],
		}));
		return [
			{ ...headingsOf(derive), name, target: wholeTarget, names: [name, displayName] },
			...parts,
		];
	});
	const isMatched = options.matchBy !== undefined;
	const identifiers = identifierFields(contract).filter(({ name }) => name === options.matchBy);
	return [...fields, ...derived, ...(isMatched ? identifiers : [])];
}

/** Returns the identifiers that Match By may read from columns: the ID, and an address. */
export const identifierFields = (contract: ResourceContract): FillableField[] =>
	contract.matchBy
		.filter(({ fields }) => !fields)
		.map(({ name, value }) => ({
			name: value,
			names: [value, name],
			target: { property: contract.id, place: 'top', displayName: name },
		}));

const headingsOf = ({ synonyms, ambiguousNames, similarNames }: Headings): Headings => ({
	synonyms,
	ambiguousNames,
	similarNames: similarNames,
});

/** Returns all that columns can fill in any operation that writes, each field once. */
export function writableFields(contract: ResourceContract): FillableField[] {
	const operations = contract.operations.map(({ value }) => value).filter(takesColumns);
	const all = operations.flatMap((operation) => fillableFields(contract, operation));
	const fields = [...all, ...identifierFields(contract)];
	return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** What the headings of columns mean in an operation, by `columnName`. */
export interface ColumnTargets {
	/** By the names of the fields themselves. */
	readonly exact: ReadonlyMap<string, ColumnTarget>;
	readonly synonyms: ReadonlyMap<string, ColumnTarget>;
	/** What ambiguous headings may mean. */
	readonly ambiguous: ReadonlyMap<string, readonly ColumnTarget[]>;
	/** Headings that are no misspelled names, although they look like it. */
	readonly similarNames: ReadonlySet<string>;
}

/** Returns what the headings of columns mean in an operation. */
export function columnTargets(
	contract: ResourceContract,
	operation: OperationName,
	options: Pick<EncodeOptions, 'matchBy'> = {},
): ColumnTargets {
	const exact = new Map<string, ColumnTarget>();
	const synonyms = new Map<string, ColumnTarget>();
	const possible = new Map<string, ColumnTarget[]>();
	const lookalikes = new Set<string>();
	for (const { target, names, spareName, ...headings } of fillableFields(
		contract,
		operation,
		options,
	)) {
		if (spareName) exact.set(columnName(spareName), { ...target, isFallback: true });
		for (const name of names) exact.set(columnName(name), target);
		for (const name of headings.synonyms ?? []) synonyms.set(columnName(name), target);
		for (const name of headings.similarNames ?? []) lookalikes.add(columnName(name));
		for (const written of headings.ambiguousNames ?? []) {
			const name = columnName(written);
			possible.set(name, [...(possible.get(name) ?? []), target]);
		}
	}
	return { exact, synonyms, ambiguous: possible, similarNames: lookalikes };
}

const setBy = ({ property }: ColumnTarget): readonly string[] =>
	'derive' in property ? property.derive.sets : [];

/** Returns whether two targets exclude each other: they are the same, one is a part of the other, or one sets the other. */
export function overlap(a: ColumnTarget, b: ColumnTarget): boolean {
	if (a.property === b.property) {
		return a.inputName === undefined || b.inputName === undefined || a.inputName === b.inputName;
	}
	return setBy(a).includes(b.property.name) || setBy(b).includes(a.property.name);
}
