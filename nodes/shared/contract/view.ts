import type { IDataObject, INodeProperties } from 'n8n-workflow';

/** A resource as the service describes it (assumption: one resource). */
export type Resource = Readonly<Record<string, unknown>>;

/** The part of JSON Schema that n8n's editor shows. The first of several types is the one it names. */
export interface Schema {
	readonly type: string | readonly string[];
	readonly enum?: readonly string[];
	readonly items?: Schema;
	readonly properties?: Readonly<Record<string, Schema>>;
}

export type OutputValue = boolean | number | string | null | Array<number | string> | IDataObject[];

/** How one value is read out of a resource, and what JSON it is. Never throws and never gives undefined. */
export interface Reader {
	readonly schema: Schema;
	readonly read: (resource: Resource) => OutputValue;
}

/** One field of the output, in the contract's terms. */
export interface OutputField {
	readonly name: string;
	readonly displayName: string;
	readonly description: string;
	/** Whether it is part of Simplified; Selected Fields offers all. */
	readonly isSimple: boolean;
	readonly from: Reader;
}

/** The fields that Simplified gives. */
export const simpleFields = (view: readonly OutputField[]) =>
	view.filter(({ isSimple }) => isSimple);

/** A resource as these fields, in their order: every name is there, whatever the resource lacks. */
export const project = (fields: readonly OutputField[], resource: Resource): IDataObject =>
	Object.fromEntries(fields.map(({ name, from }) => [name, from.read(resource)]));

/** The parameter that says how much of a resource is returned. */
export const output = {
	displayName: 'Output',
	name: 'output',
	type: 'options',
	options: [
		{ name: 'Raw', value: 'raw', description: 'Everything, as the service sent it' },
		{ name: 'Selected Fields', value: 'selectedFields', description: 'The fields that you choose' },
		{
			name: 'Simplified',
			value: 'simplified',
			description: 'The fields used most, flat and always the same',
		},
	],
	default: 'simplified',
	description: 'How much of each result to return',
} satisfies INodeProperties;

/** The parameter that Selected Fields adds; each resource's view fills in its options. */
export function outputFields(view: readonly OutputField[]) {
	const first = simpleFields(view)
		.slice(0, 4)
		.map(({ name }) => name);
	return {
		displayName: 'Fields',
		name: 'outputFields',
		type: 'multiOptions',
		options: view
			.map(({ displayName, name, description }) => ({
				name: displayName,
				value: name,
				description,
			}))
			.sort((one, other) => one.name.localeCompare(other.name)),
		default: [...first],
		description: 'The fields to return, in the order in which you choose them',
		displayOptions: { show: { output: ['selectedFields'] } },
	} satisfies INodeProperties;
}
