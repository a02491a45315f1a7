import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Param } from '../shared/contract/endpoints';
import type { Resource } from '../shared/contract/types';
import type { DetectorDefinition } from './detectors/detector';

/** An event that the node offers: a row of the table of events. */
export interface EventDefinition {
	/** Label of the event. */
	readonly name: string;
	readonly value: string;
	/** What has happened, in a clause. */
	readonly description: string;
	/** Number of requests of a poll that finds nothing, in words. */
	readonly cost: string;
	/** What is promised of the event, in a clause. */
	readonly promise: string;
	/** The parameter that only this event needs. */
	readonly needs?: INodeProperties;
	readonly detector: DetectorDefinition;
	readonly sample: Sample;
}

/** How a real link becomes a test event. */
export interface Sample {
	/** The list whose first link is the sample (contract 4.1). */
	readonly params: readonly Param[];
	/** Returns the further output fields of the event; undefined if the link is no example. */
	readonly extraOf?: (link: Resource, thresholds: readonly number[]) => IDataObject | undefined;
	/** Whether the event's link is deleted, so that the event has only its ID. */
	readonly isGone?: true;
	/** What to do if there is no example. */
	readonly advice: string;
}
