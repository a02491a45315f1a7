import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Param } from '../shared/contract/endpoints';
import type { Resource } from '../shared/contract/types';
import type { ClickSettings, DetectorDefinition } from './detectors/detector';

/** An event of the node: an entry of the table of events. */
export interface EventDefinition {
	/** Label of the event. */
	readonly name: string;
	readonly value: string;
	/** What n8n's nodes panel says; by default `On` and the label. */
	readonly action?: string;
	/** What happened, as a clause. */
	readonly description: string;
	/** Number of requests of a poll that finds no event, as text. */
	readonly cost: string;
	/** What the node guarantees for the event, as a sentence. */
	readonly promise: string;
	/** The parameters that only this event uses. */
	readonly needs?: readonly INodeProperties[];
	readonly detector: DetectorDefinition;
	readonly sample: Sample;
}

/** How to make a test event from a real link. */
export interface Sample {
	/** The list whose first link is the sample (contract 4.1). */
	readonly params: readonly Param[];
	/** Returns whether a link is an example; all links are without it. */
	readonly isExample?: (link: Resource, settings: ClickSettings) => boolean;
	/** Returns the additional output fields, with invented earlier values if needed. */
	readonly extraOf?: (link: Resource, settings: ClickSettings) => IDataObject;
	/** Whether the event's link is deleted, so that the event has only its ID, alias and short URL. */
	readonly isGone?: true;
	/** What to do if no link is an example. */
	readonly advice: string;
	/**
	 * The advice if Links to Watch has links. Only these links are examples then. Without this advice, the event ignores Links to
	 * Watch.
	 */
	readonly chosenAdvice?: string;
}
