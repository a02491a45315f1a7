import { collectionValues, fieldValues } from './resolveFields';
import type { NameSource } from './types';
import { scopeCollection } from './scope';
import type { EncodeContext } from './encodeContext';
import type { Field } from './fieldTypes';
import { isEmpty, isRecord } from './values';

/** Names that rows contain in place of IDs, by the list that has their IDs. */
export type RequestedNames = ReadonlyMap<NameSource, ReadonlySet<string>>;

/** Returns the texts of a value that the field's codec looks up in the list of names. */
function namesInValue(field: Field, value: unknown): string[] {
	const names: string[] = [];
	const idOf = (name: string) => {
		names.push(name);
		return name;
	};
	field.wire.codec(value, field, { names: { idOf, isListed: () => false, maxParts: () => 1 } });
	return names;
}

/**
 * Returns the names that a row contains in place of IDs. A name that contains separators counts as several here, because only
 * its list shows that they belong together.
 */
export function namesInRow(
	row: Pick<EncodeContext, 'contract' | 'operation' | 'options' | 'parameters'>,
): RequestedNames {
	const { contract, operation, parameters } = row;
	const values = fieldValues(row, collectionValues({ ...row, report: () => undefined }));
	const scope = operation === 'sync' ? parameters[scopeCollection(contract).name] : undefined;
	const requested = new Map<NameSource, Set<string>>();
	for (const field of contract.fields) {
		const { nameSource } = field.wire;
		if (!nameSource) continue;
		const inScope = contract.sync.scope
			.filter((property) => property.scope.field === field.name)
			.map(({ name }) => (isRecord(scope) ? scope[name] : undefined));
		const names = [values[field.name], ...inScope]
			.filter((value) => !isEmpty(value, field))
			.flatMap((value) => namesInValue(field, value));
		if (names.length > 0) requested.set(nameSource, new Set(names));
	}
	return requested;
}

/** Returns all names of several rows. */
export function mergeNames(rows: Iterable<RequestedNames>): RequestedNames {
	const merged = new Map<NameSource, Set<string>>();
	for (const row of rows) {
		for (const [source, names] of row) {
			const all = merged.get(source) ?? new Set();
			names.forEach((name) => all.add(name));
			merged.set(source, all);
		}
	}
	return merged;
}
