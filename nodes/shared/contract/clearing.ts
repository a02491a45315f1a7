import type { INodeProperties } from 'n8n-workflow';
import { Invalid, type Field, type OperationName, type ResourceContract } from './types';
import { listOf, quote } from './values';

/** Something that an update can empty: a field, or fields that make sense together only. */
export interface Clearable {
	readonly name: string;
	readonly displayName: string;
	/** Names of the fields that are emptied. */
	readonly fields: readonly string[];
}

/** The aids whose fields make sense together only, as far as an operation has them. */
const groupsOn = ({ aids = [] }: ResourceContract, operation: OperationName) =>
	aids.filter(({ aid }) => aid.together && aid.on[operation]);

/** All that an operation can empty, under the names that the form has for it. */
export function clearables(contract: ResourceContract, operation: OperationName): Clearable[] {
	const groups = groupsOn(contract, operation);
	const fields = contract.fields.filter(({ wire }) => wire.empty && wire.on[operation]);
	const together = (name: string) => groups.find(({ aid }) => aid.gives.includes(name))?.aid.gives;
	return [
		...fields.map(({ name, displayName }) => ({
			name,
			displayName,
			fields: together(name) ?? [name],
		})),
		...groups.map(({ name, displayName, aid }) => ({ name, displayName, fields: aid.gives })),
	];
}

/** What a person chooses from: of fields that make sense together only, their group. */
function choices(contract: ResourceContract): Clearable[] {
	const grouped = groupsOn(contract, 'update').flatMap(({ aid }) => aid.gives);
	return clearables(contract, 'update')
		.filter(({ name }) => !grouped.includes(name))
		.sort((one, other) => one.displayName.localeCompare(other.displayName));
}

/** Name of the parameter of Update that empties fields. */
export const clearFieldsName = 'clearFields';

/** The parameter of Update that empties fields; undefined for a resource that has nothing to empty. */
export function clearFields(contract: ResourceContract): INodeProperties | undefined {
	const options = choices(contract).map(({ name, displayName }) => ({
		name: displayName,
		value: name,
	}));
	if (options.length === 0) return undefined;
	return {
		displayName: 'Clear Fields',
		name: clearFieldsName,
		type: 'multiOptions',
		options,
		default: [],
		description: `Fields to empty on the ${contract.value}. A field that is neither set nor cleared stays as it is.`,
	};
}

/** The names of the fields that a value of Clear Fields empties. */
export function clearedBy(
	contract: ResourceContract,
	value: unknown,
	property: INodeProperties,
): readonly string[] | Invalid {
	const known = choices(contract);
	const wanted = (listOf(value) ?? [value]).map((one) =>
		typeof one === 'string' ? one.trim() : one,
	);
	const unknown = wanted.filter((name) => !known.some((choice) => choice.name === name));
	if (unknown.length > 0) {
		const names = known.map(({ name }) => name).join(', ');
		return new Invalid(
			unknown.map((one) => `${quote(one, property)} cannot be cleared; use ${names}`),
		);
	}
	return known.filter(({ name }) => wanted.includes(name)).flatMap(({ fields }) => fields);
}

/** A field as it is encoded when it is emptied; undefined where it cannot be. */
export const emptied = (field: Field) =>
	field.wire.empty && { field, values: field.wire.empty, cleared: true };
