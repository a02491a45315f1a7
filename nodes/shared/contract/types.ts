import type { INodeProperties } from 'n8n-workflow';
import type { OutputField, Resource } from './view';

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
	readonly held?: (resource: Resource) => unknown;
	/** What stands for "nothing" on an update. A field without it cannot be cleared (assumption: clearing). */
	readonly empty?: readonly WireValue[];
	/**
	 * For a list: the parameter beside it on Update that says whether its values replace what the resource has, or are
	 * added to it or removed from it.
	 */
	readonly merge?: INodeProperties;
}

/** One field of the contract: an ordinary n8n property, plus how it travels. */
export type Field = INodeProperties & { readonly wire: Wire };

/** The values of a row's parameters by name, collections as objects. */
export type Parameters = Readonly<Record<string, unknown>>;

/** What the values of a row are read by, beside the contract. */
export interface Reading {
	/** IANA name of the zone that wall-clock times are meant in. */
	readonly timeZone: string;
	/** The present, in milliseconds since 1970. */
	readonly now: number;
	/** Whether a moment that is over may be sent. */
	readonly allowPast: boolean;
	/** What an empty value of a field that was added means: nothing, an order to clear the field, or a mistake. */
	readonly emptyValues: 'clear' | 'fail' | 'skip';
}

/** A parameter that is never sent itself: it gives the values of fields in a form that people have at hand. */
export type Aid = INodeProperties & {
	readonly aid: {
		readonly on: Wire['on'];
		/** Names of the fields whose values it gives. None of them may be set beside it. */
		readonly gives: readonly string[];
		/** Set where those fields make sense together only: then they are cleared together too. */
		readonly together?: true;
		/** Set where its value stands for a list, of which one without entries is nothing. */
		readonly takesList?: true;
		/** Names of the fields that its empty value clears, where that depends on the values of others. */
		readonly clears?: (values: Parameters) => readonly string[];
		/**
		 * The values of fields for the aid's own value.
		 *
		 * @param values those of the row's fields, which it may look at and change
		 */
		readonly read: (
			value: unknown,
			property: INodeProperties,
			values: Parameters,
			reading: Reading,
		) => Invalid | Parameters;
	};
};

/** What names a resource other than its ID. */
export interface Address {
	/** As it was given. */
	readonly text: string;
	/** What to search the list for. */
	readonly search: string;
	/** Whether a resource that was found is the one. */
	readonly fits: (resource: Resource) => boolean;
}

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
	/** When an AI agent should choose the operation; reads on behind the description. */
	readonly useWhen: string;
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
	/**
	 * Reads the value of the id parameter as an address; undefined where it is none.
	 *
	 * @param isMeant whether the parameter says that it holds an address, not an ID
	 */
	readonly address?: (
		value: unknown,
		property: INodeProperties,
		isMeant: boolean,
	) => Address | Invalid | undefined;
	readonly key: ResourceKey;
	readonly operations: readonly Operation[];
	readonly fields: readonly Field[];
	readonly aids?: readonly Aid[];
	/** What the form tells beside the fields; `displayOptions` says when. */
	readonly notices?: readonly INodeProperties[];
	/** What the output items hold of it. */
	readonly view: readonly OutputField[];
}
