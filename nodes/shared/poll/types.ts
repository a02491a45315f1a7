import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Param } from '../contract/endpoints';
import type { Resource } from '../contract/types';
import type { ResourceContract, ScopeField } from '../contract/resourceTypes';
import type { Reading } from './reading';
import type { IdPage } from './idList';

/** Something that happened to a resource. */
export interface Happening {
	/** The event's name. */
	readonly event: string;
	readonly id: number;
	/** What the service holds of it; undefined where it is gone. */
	readonly resource?: IDataObject;
	/** Tells this event of a resource from others of the same name that can happen to it once each. */
	readonly once?: string;
	/** What the output tells of the event beside its name. */
	readonly told?: IDataObject;
}

/** What a watch is begun with. */
export interface WatchContext {
	readonly contract: ResourceContract;
	/** The filters of the list that narrow it to the node's filters. */
	readonly params: readonly Param[];
	/** Those of them that no change of a resource takes it out of. */
	readonly fixedParams: readonly Param[];
	/** Whether a resource fits the node's filters; undefined where it does not tell. */
	readonly fits: (resource: Resource) => boolean | undefined;
	/** Whether what is there already is reported too. */
	readonly startsFromAll: boolean;
	/** Names of the events that the node asks for. */
	readonly events: ReadonlySet<string>;
	/** Numbers to be reached, lowest first. */
	readonly thresholds: readonly number[];
	/** Reports an event. What a watch knows of it is changed in the same step, so that an error between them loses nothing. */
	readonly report: (happening: Happening) => void;
}

/** What a watch keeps between two polls, as JSON. */
export type StoredWatch = IDataObject;

/** Looks for some events. Whatever stops it, what it has reported and what it knows fit together. */
export interface Watch {
	/** Reads what it needs. */
	look?(reading: Reading): Promise<void>;
	/** Looks at a resource that fits the filters and was read for whatever reason. */
	see?(resource: IDataObject, id: number): void;
	/** What it wants of the rolling read over all resources; undefined for nothing. */
	readonly rolling?: RollingWatch;
	store(): StoredWatch;
}

/** The part of a watch that looks at all resources by and by. */
export interface RollingWatch {
	/** Whether the round shall begin with the newest ones again, because this watch has read none yet. */
	readonly isNew: boolean;
	/** Pages of a poll that it wants. */
	readonly pages: number;
	/**
	 * Takes the pages of a round, the highest IDs first.
	 *
	 * @param below all IDs from this one on were taken before
	 */
	take(page: IdPage, reading: Reading, below: number): Promise<void>;
	/** Told when a round has read all. */
	endRound(): void;
}

/**
 * Begins a watch where it left off.
 *
 * @param stored what it kept; undefined for a new beginning
 * @throws SyntaxError where it cannot be read
 */
export type BeginWatch = (context: WatchContext, stored: StoredWatch | undefined) => Watch;

/** An event that the form offers. */
export interface TriggerEvent {
	readonly name: string;
	readonly value: string;
	/** What has happened, in a clause. */
	readonly description: string;
	/** The requests of a poll that finds nothing. */
	readonly cost: string;
	/** What is promised of it. */
	readonly promise: string;
	readonly sample: Sample;
}

/** A real resource that stands for an event in a test. */
export interface Sample {
	/** The list whose first entry it is (contract 4.1). */
	readonly params: readonly Param[];
	/** What the output tells of the event beside its name; undefined where the resource is no example. */
	readonly tell?: (resource: Resource, thresholds: readonly number[]) => IDataObject | undefined;
	/** Whether the event's resource is gone, so that its ID is all that is told. */
	readonly isGone?: true;
	/** What to do where there is no example. */
	readonly advice: string;
}

/** One watch and the events that it reports. */
export interface WatchSpec {
	readonly name: string;
	readonly events: readonly string[];
	readonly begin: BeginWatch;
}

/** A polling trigger: everything that is known of its resource's events. */
export interface TriggerContract {
	readonly resource: ResourceContract;
	readonly filters: readonly ScopeField[];
	readonly events: readonly TriggerEvent[];
	readonly watches: readonly WatchSpec[];
	/** The parameter that holds the thresholds, and the event that they are of. */
	readonly thresholds: { readonly property: INodeProperties; readonly event: string };
}
