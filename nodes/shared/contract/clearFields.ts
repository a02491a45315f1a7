import type { INodePropertyOptions } from 'n8n-workflow';
import type { DerivedField } from './fieldTypes';
import type { OperationName, WireValue } from './types';
import type { ResourceContract } from './resourceTypes';
import { operationsWith } from './operations';
import { sortBy } from './values';

/** The wire values that clear a field, by the type of the field (assumption: clearing). */
export const emptyText: readonly WireValue[] = [['', '']];
export const emptyList: readonly WireValue[] = [['[]', '']];
export const emptyKeyedRules: readonly WireValue[] = [
	['[0][key]', ''],
	['[0][value]', ''],
];
export const emptyRules: readonly WireValue[] = [['[0][value]', '']];

/** A field that an update can clear, or a group of fields that belong together. */
interface Clearable {
	readonly name: string;
	readonly displayName: string;
	/** Names of the fields to clear. */
	readonly fields: readonly string[];
	/** Whether Clear Fields offers it. Clear Fields offers a group instead of its fields. */
	readonly isChoice: boolean;
}

/** Returns the derived fields whose fields are set and cleared together. */
export const groupsOf = ({ derivedFields = [] }: ResourceContract): DerivedField[] =>
	derivedFields.filter(({ derive }) => derive.isGroup);

/** Returns the fields and groups that an operation can clear, with their names in the form. */
export function clearableFields(contract: ResourceContract, operation: OperationName): Clearable[] {
	const groups = groupsOf(contract).filter(({ derive }) => derive.on[operation]);
	const fields = contract.fields.filter(({ wire }) => wire.empty && wire.on[operation]);
	const groupOf = (name: string) => groups.find(({ derive }) => derive.sets.includes(name));
	return [
		...fields.map(({ name, displayName }) => ({
			name,
			displayName,
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

/** Returns the choices of Clear Fields, sorted by label; none if the resource has no field to clear. */
export function clearChoices(contract: ResourceContract): INodePropertyOptions[] {
	const [partial] = operationsWith((operation) => operation.isPartial);
	const choices = (partial ? clearableFields(contract, partial) : [])
		.filter(({ isChoice }) => isChoice)
		.map(({ name, displayName }) => ({ name: displayName, value: name }));
	return sortBy(choices, ({ name }) => name);
}
