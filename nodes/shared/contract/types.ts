import type { INodeProperties } from 'n8n-workflow';
import type { OutputField } from './view';

/** What one field contributes to the wire: the part of the name behind the field's key, and the text. */
export type WireValue = readonly [suffix: string, text: string];

/** Why a value cannot be sent. Each reason is a clause that reads on from the field's name and ends with the remedy. */
export class Invalid {
	readonly reasons: readonly string[];

	constructor(reasons: readonly string[]) {
		this.reasons = reasons;
	}
}

/** Turns one set parameter value into what goes on the wire, or says why it cannot. Pure; never throws. */
export type Codec = (value: unknown, property: INodeProperties) => readonly WireValue[] | Invalid;

/** Where a field stands in the node: as a parameter of its own, or in one of the three collections. */
export type Place = 'top' | CollectionName;
export type CollectionName = 'additionalFields' | 'updateFields' | 'filters';

export type OperationName = 'create' | 'delete' | 'get' | 'getAll' | 'update' | 'upsert';

/** How a field travels. */
export interface Wire {
	/** The field's or parameter's name in the contract. */
	readonly key: string;
	readonly codec: Codec;
	/** The operations that accept the field, and where each one shows it. */
	readonly on: Readonly<Partial<Record<OperationName, Place>>>;
	/**
	 * What a resource that the service returned holds of the field, as a value that the codec takes; by default what
	 * stands under the field's key (assumption: one resource).
	 */
	readonly held?: (resource: Readonly<Record<string, unknown>>) => unknown;
}

/** One field of the contract: an ordinary n8n property, plus how it travels. */
export type Field = INodeProperties & { readonly wire: Wire };

export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/**
 * What the client does with an endpoint: read or change one resource, make one, read all pages of a list, delete one, or
 * make one unless it exists and then change it.
 */
export type Task = 'creation' | 'deletion' | 'list' | 'one' | 'upsert';

/** One operation: its entry in the node's Operation dropdown, and the endpoint behind it. */
export interface Operation {
	readonly name: string;
	readonly value: OperationName;
	readonly action: string;
	readonly description: string;
	readonly endpoint: {
		readonly method: Method;
		/** Path under the API prefix; `{id}` stands for the resource's id. */
		readonly path: `/${string}`;
		readonly task: Task;
	};
}

/** What tells one resource from all others of its kind, beside its id. */
export interface ResourceKey {
	/** Name of the field that the list can be searched by; the search finds more than exact matches. */
	readonly searchBy: string;
	/** The fields that make it one of a kind. */
	readonly identity: readonly string[];
	/** The fields that must agree before a resource that was found is taken for the one that a row made. */
	readonly own: readonly string[];
}

/** Everything the package knows of one resource: operations, fields, texts. The only place that knows it. */
export interface ResourceContract {
	readonly name: string;
	readonly value: string;
	/** The parameter whose value goes into `{id}`. */
	readonly id: INodeProperties;
	readonly key: ResourceKey;
	readonly operations: readonly Operation[];
	readonly fields: readonly Field[];
	/** What the output items hold of it. */
	readonly view: readonly OutputField[];
}
