import type { INodeProperties } from 'n8n-workflow';
import type { DerivedField } from './fieldTypes';
import type { OperationName, WireValue } from './types';
import type { ResourceContract } from './resourceTypes';

/** What a service takes for nothing, by the shape of the field (assumption: clearing). */
export const emptyText: readonly WireValue[] = [['', '']];
export const emptyList: readonly WireValue[] = [['[]', '']];
export const emptyKeyedRules: readonly WireValue[] = [
	['[0][key]', ''],
	['[0][value]', ''],
];
export const emptyRules: readonly WireValue[] = [['[0][value]', '']];

/** Something that an update can empty: a field, or fields that make sense together only. */
export interface Clearable {
	readonly name: string;
	readonly displayName: string;
	/** Names of the fields that are emptied. */
	readonly fields: readonly string[];
	/** Whether Clear Fields offers it: of fields that make sense together only, it offers their group. */
	readonly isChoice: boolean;
}

/** The derived fields whose fields make sense together only. */
export const groupsOf = ({ derivedFields = [] }: ResourceContract): DerivedField[] =>
	derivedFields.filter(({ derive }) => derive.isGroup);

/** All that an operation can empty, under the names that the form has for it. */
export function clearables(contract: ResourceContract, operation: OperationName): Clearable[] {
	const groups = groupsOf(contract).filter(({ derive }) => derive.on[operation]);
	const fields = contract.fields.filter(({ wire }) => wire.empty && wire.on[operation]);
	const groupOf = (name: string) => groups.find(({ derive }) => derive.sets.includes(name));
	return [
		...fields.map(({ name, displayName, wire }) => ({
			name,
			displayName: wire.columnAlias ?? displayName,
			fields: groupOf(name)?.derive.sets ?? [name],
			isChoice: !groupOf(name),
		})),
		...groups.map(({ name, displayName, derive }) => ({
			name,
			displayName,
			fields: derive.sets,
			isChoice: true,
		})),
	];
}

/** The parameter of Update that empties fields; undefined for a resource that has nothing to empty. */
export function clearFields(contract: ResourceContract): INodeProperties | undefined {
	const options = clearables(contract, 'update')
		.filter(({ isChoice }) => isChoice)
		.map(({ name, displayName }) => ({ name: displayName, value: name }))
		.sort((a, b) => a.name.localeCompare(b.name));
	if (options.length === 0) return undefined;
	return {
		displayName: 'Clear Fields',
		name: 'clearFields',
		type: 'multiOptions',
		options,
		default: [],
		description: 'The fields to clear. Fields that you neither set nor clear do not change.',
	};
}
