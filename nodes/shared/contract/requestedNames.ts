import { hasScope } from './operations';
import { collectionValues, fieldValues } from './resolveFields';
import type { NameSource } from './types';
import { formParameters } from './formLayout';
import type { EncodeContext } from './encodeContext';
import type { Field } from './fieldTypes';
import { isEmpty, isRecord } from './values';

/** The names that rows contain in place of IDs, by list. */
export type RequestedNames = ReadonlyMap<NameSource, ReadonlySet<string>>;

/** Returns the texts that a field's codec looks up in the list of names. */
function namesInValue(field: Field, value: unknown): string[] {
	const names: string[] = [];
	const collect = (name: string) => {
		names.push(name);
		return name;
	};
	field.wire.codec(value, field, { names: collect });
	return names;
}

/** Returns the names that a row contains in place of IDs. */
export function namesInRow(
	row: Pick<EncodeContext, 'contract' | 'operation' | 'options' | 'parameters'>,
): RequestedNames {
	const { contract, operation, parameters } = row;
	const fields = contract.fields.filter(({ wire }) => wire.nameSource);
	const added = collectionValues({ ...row, report: () => undefined });
	const values = fieldValues(row, added, fields);
	const scope = hasScope(operation) ? parameters[formParameters.syncScope.name] : undefined;
	const requests = fields.map((field): RequestedNames => {
		const inScope = contract.sync.scope
			.filter((property) => property.scope.field === field.name)
			.map(({ name }) => (isRecord(scope) ? scope[name] : undefined));
		const names = [values[field.name], ...inScope]
			.filter((value) => !isEmpty(value, field))
			.flatMap((value) => namesInValue(field, value));
		const { nameSource } = field.wire;
		return new Map(nameSource && names.length > 0 ? [[nameSource, new Set(names)]] : []);
	});
	return mergeNames(requests);
}

/** Returns the names of several rows or fields, without duplicates. */
export function mergeNames(requests: Iterable<RequestedNames>): RequestedNames {
	const merged = new Map<NameSource, Set<string>>();
	for (const request of requests) {
		for (const [source, names] of request) {
			const all = merged.get(source) ?? new Set();
			names.forEach((name) => all.add(name));
			merged.set(source, all);
		}
	}
	return merged;
}
