import type { INodeProperties } from 'n8n-workflow';

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

export type OperationName = 'create' | 'delete' | 'get' | 'getAll' | 'update';

/** How a field travels. */
export interface Wire {
	/** The field's or parameter's name in the contract. */
	readonly key: string;
	readonly codec: Codec;
	/** The operations that accept the field, and where each one shows it. */
	readonly on: Readonly<Partial<Record<OperationName, Place>>>;
}

/** One field of the contract: an ordinary n8n property, plus how it travels. */
export type Field = INodeProperties & { readonly wire: Wire };

export type Method = 'DELETE' | 'GET' | 'POST' | 'PUT';

/** What the client makes of an answer: one resource, all pages of a list, or the confirmation of a delete. */
export type AnswerKind = 'one' | 'list' | 'deletion';

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
		readonly answer: AnswerKind;
	};
}

/** Everything the package knows of one resource: operations, fields, texts. The only place that knows it. */
export interface ResourceContract {
	readonly name: string;
	readonly value: string;
	/** The parameter whose value goes into `{id}`. */
	readonly id: INodeProperties;
	readonly operations: readonly Operation[];
	readonly fields: readonly Field[];
}
