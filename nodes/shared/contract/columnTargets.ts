import { columnName, type ColumnTarget } from './columns';
import { isPartial, takesColumns } from './operations';
import { placeOf } from './matchBy';
import type { EncodeOptions, OperationName } from './types';
import type { Headings } from './fieldTypes';
import type { ResourceContract } from './resourceTypes';

/** A field or an input that a column can fill, and the column names for it. */
export interface FillableField extends Headings {
	/** Name of the field or the input. */
	readonly name: string;
	readonly target: ColumnTarget;
	/** The names of the field itself. */
	readonly names: readonly string[];
	/** A name that is used only if no other column fills the field. */
	readonly fallbackName?: string;
}

/** Returns the fields and inputs that columns can fill in an operation, in the order of the contract table. */
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
		return [{ ...headingsOf(wire), name, target, names, fallbackName: wire.columnLabel }];
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

/** Returns the identifiers that Match By can read from columns: the ID and an address. */
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
	similarNames,
});

/** Returns the fields and inputs that columns can fill in any operation, without duplicates. */
export function writableFields(contract: ResourceContract): FillableField[] {
	const operations = contract.operations.map(({ value }) => value).filter(takesColumns);
	const all = operations.flatMap((operation) => fillableFields(contract, operation));
	const fields = [...all, ...identifierFields(contract)];
	return [...new Map(fields.map((field) => [field.name, field])).values()];
}

/** The targets of column names in an operation. `columnName` normalizes the names. */
export interface ColumnTargets {
	/** The targets by the names of the fields. */
	readonly exact: ReadonlyMap<string, ColumnTarget>;
	readonly synonyms: ReadonlyMap<string, ColumnTarget>;
	/** The targets by names that can mean several fields. */
	readonly ambiguous: ReadonlyMap<string, readonly ColumnTarget[]>;
	/** Names that look misspelled but are not. */
	readonly similarNames: ReadonlySet<string>;
	/** The labels of modes by their names. Only the form sets a mode. */
	readonly modes: ReadonlyMap<string, string>;
}

/** Returns the labels of the parameters that select how an operation changes a list, by their normalized names. */
function modesIn({ fields }: ResourceContract, operation: OperationName): Map<string, string> {
	const modes = isPartial(operation) ? fields.flatMap(({ wire }) => wire.merge ?? []) : [];
	return new Map(
		modes.flatMap(({ name, displayName }) =>
			[name, displayName].map((text) => [columnName(text), displayName] as const),
		),
	);
}

/** Returns the targets of column names in an operation. */
export function columnTargets(
	contract: ResourceContract,
	operation: OperationName,
	options: Pick<EncodeOptions, 'matchBy'> = {},
): ColumnTargets {
	const exact = new Map<string, ColumnTarget>();
	const synonyms = new Map<string, ColumnTarget>();
	const possible = new Map<string, ColumnTarget[]>();
	const lookalikes = new Set<string>();
	for (const { target, names, fallbackName, ...headings } of fillableFields(
		contract,
		operation,
		options,
	)) {
		if (fallbackName) exact.set(columnName(fallbackName), { ...target, isFallback: true });
		for (const name of names) exact.set(columnName(name), target);
		for (const name of headings.synonyms ?? []) synonyms.set(columnName(name), target);
		for (const name of headings.similarNames ?? []) lookalikes.add(columnName(name));
		for (const written of headings.ambiguousNames ?? []) {
			const name = columnName(written);
			possible.set(name, [...(possible.get(name) ?? []), target]);
		}
	}
	const modes = modesIn(contract, operation);
	return { exact, synonyms, ambiguous: possible, similarNames: lookalikes, modes };
}

const setBy = ({ property }: ColumnTarget): readonly string[] =>
	'derive' in property ? property.derive.sets : [];

/**
 * Returns whether two targets exclude each other: they are the same, one contains the other, or one sets the other.
 */
export function overlap(a: ColumnTarget, b: ColumnTarget): boolean {
	if (a.property === b.property) {
		return a.inputName === undefined || b.inputName === undefined || a.inputName === b.inputName;
	}
	return setBy(a).includes(b.property.name) || setBy(b).includes(a.property.name);
}
