import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Param } from '../shared/contract/endpoints';
import type { Resource } from '../shared/contract/types';
import type { DetectorDefinition } from './detectors/detector';

/** An event of the node: an entry of the table of events. */
export interface EventDefinition {
	/** Label of the event. */
	readonly name: string;
	readonly value: string;
	/** What happened, as a clause. */
	readonly description: string;
	/** Number of requests of a poll that finds no event, as text. */
	readonly cost: string;
	/** What the node guarantees for the event, as a sentence. */
	readonly promise: string;
	/** A parameter that only this event uses. */
	readonly needs?: INodeProperties;
	readonly detector: DetectorDefinition;
	readonly sample: Sample;
}

/** How to make a test event from a real link. */
export interface Sample {
	/** The list whose first link is the sample (contract 4.1). */
	readonly params: readonly Param[];
	/** Returns the additional output fields, with invented earlier values if needed; undefined if the link is no example. */
	readonly extraOf?: (link: Resource, thresholds: readonly number[]) => IDataObject | undefined;
	/** Whether the event's link is deleted, so that the event has only its ID. */
	readonly isGone?: true;
	/** What to do if no link is an example. */
	readonly advice: string;
}
