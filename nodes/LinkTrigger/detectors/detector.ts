import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../../shared/contract/endpoints';
import type { Resource } from '../../shared/contract/types';
import type { ScannedPage } from '../polling/listScan';
import type { PollRequests } from '../polling/pollRequests';

/** Something that happened to a link. */
export interface TriggerEvent {
	/** Value of the event in the table of events. */
	readonly event: string;
	readonly id: number;
	/** The link as the service shows it; undefined if it is deleted. */
	readonly link?: IDataObject;
	/** Distinguishes events of the same name that can happen to the link once each; '' if the event can happen once at all. */
	readonly once?: string;
	/** Fields of the output next to the event's name and the link's own fields. */
	readonly extra?: IDataObject;
}

/** What a detector gets from the node's settings. */
export interface DetectorContext {
	/** The filters of the list that apply the node's filters (contract 4.1). */
	readonly params: readonly Param[];
	/** The part of `params` that no update of a link can make it miss or match. */
	readonly fixedParams: readonly Param[];
	/** Returns whether a link matches the node's filters; undefined if the answer does not show the filtered fields. */
	readonly fits: (link: Resource) => boolean | undefined;
	/** Whether what happened before the first poll is reported too. */
	readonly startsFromAll: boolean;
	/** Values of the selected events. */
	readonly events: ReadonlySet<string>;
	/** Numbers of clicks to report, lowest first. */
	readonly thresholds: readonly number[];
	/** Reports an event. The detector changes its state in the same step, so that an error in between loses nothing. */
	readonly report: (event: TriggerEvent) => void;
}

/**
 * Returns whether an update can make a link match the filters. Otherwise links come into the list of all links at its end only.
 */
export const canGainLinks = ({ params, fixedParams }: DetectorContext): boolean =>
	params.length > fixedParams.length;

/** What a detector stores between two polls, as JSON. */
export type StoredDetector = IDataObject;

/** Finds some events. Whatever ends a poll, the state of the detector agrees with what it has reported. */
export interface Detector {
	/** Makes the requests of one poll. */
	poll?(requests: PollRequests): Promise<void>;
	/** Gets each link that matches the filters and was read for any detector. */
	observe?(link: IDataObject, id: number): void;
	/** What the detector needs of the full scan of all links, if it needs it. */
	readonly scan?: ScanPart;
	store(): StoredDetector;
}

/** The part of a detector that gets the pages of the full scan. */
export interface ScanPart {
	/** Whether the detector has got no page yet, so that a round begins. */
	readonly isNew: boolean;
	/** Whether the detector must know that no link lies between two pages. */
	readonly needsContinuity: boolean;
	/** Number of pages that the detector needs in this poll. */
	readonly pages: number;
	/** Gets the pages of a round, the highest IDs first. */
	scanPage(page: ScannedPage, requests: PollRequests): Promise<void> | void;
	/** Is called when a round has read all pages. */
	endRound?(): void;
}

/** How events are found. Events with the same detector share one instance, and so its requests. */
export interface DetectorDefinition {
	/** Name of the detector's state. */
	readonly name: string;
	/**
	 * Returns a detector that continues from its state.
	 *
	 * @param stored undefined for a detector that has never polled
	 * @throws SyntaxError if the state is broken
	 */
	readonly create: (context: DetectorContext, stored: StoredDetector | undefined) => Detector;
}

/** Max number of pages that a detector reads in a poll while it looks for something. */
export const maxPages = 20;
