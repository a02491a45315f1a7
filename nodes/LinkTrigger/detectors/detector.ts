import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../../shared/contract/endpoints';
import type { ResourceReference } from '../../shared/contract/resourceTypes';
import type { Resource } from '../../shared/contract/types';
import type { Failure } from '../../shared/transport/failures';
import type { ScannedPage } from '../polling/listScan';
import type { PollRequests } from '../polling/pollRequests';

/** Something that happened to a link. */
export interface TriggerEvent {
	/** Value of the event in the table of events. */
	readonly event: string;
	readonly id: number;
	/** The link as the service shows it; undefined if it is deleted. */
	readonly link?: IDataObject;
	/** Distinguishes events of the same name for a link, such as the thresholds. Empty if the event happens only once per link. */
	readonly once?: string;
	/** Output fields in addition to the name of the event and the fields of the link. */
	readonly extra?: IDataObject;
	/** Output fields that an earlier poll has read of a deleted link. */
	readonly earlierFields?: IDataObject;
}

/** A link that the user chose: by its ID, or by its short URL. */
export interface ChosenLink {
	/** The ID or short URL as the user entered it. */
	readonly text: string;
	readonly id?: number;
	readonly reference?: ResourceReference;
}

/** The parameters about clicks. */
export interface ClickSettings {
	/** Numbers of clicks to report, lowest first. */
	readonly thresholds: readonly number[];
	/** Min number of new clicks to report. */
	readonly minNewClicks: number;
}

/** The settings of the node for a detector. */
export interface DetectorContext extends ClickSettings {
	/** The filters of the list that apply the node's filters (contract 4.1). */
	readonly params: readonly Param[];
	/** The part of `params` whose fields no update can change. */
	readonly fixedParams: readonly Param[];
	/** Returns whether a link matches the node's filters; undefined if the response does not show the filtered fields. */
	readonly fits: (link: Resource) => boolean | undefined;
	/** Whether the detector also reports events from before the first poll. */
	readonly startsFromAll: boolean;
	/** Values of the selected events. */
	readonly events: ReadonlySet<string>;
	/** The links whose clicks to report; empty for all links that match the filters. */
	readonly chosenLinks: readonly ChosenLink[];
	/** Reports an event. The detector changes its state in the same step, so that an error in between loses nothing. */
	readonly report: (event: TriggerEvent) => void;
}

/**
 * Returns whether an update can make a link match the filters. If not, only new links enter the list, at its end.
 */
export const canGainLinks = ({ params, fixedParams }: DetectorContext): boolean =>
	params.length > fixedParams.length;

/** The state of a detector between two polls, as JSON. */
export type StoredDetector = IDataObject;

/** Finds events. Its state always matches the events that it reported, even if a poll fails. */
export interface Detector {
	/** Sends the requests of one poll. */
	poll?(requests: PollRequests): Promise<void>;
	/** Receives each link that matches the filters and was read for any detector. */
	observe?(link: IDataObject, id: number): void;
	/** The part that uses the full scan of all links, if the detector needs it. */
	readonly scan?: ScanPart;
	/** A problem that the user must solve, while the detector continues. The node reports it once. */
	readonly warning?: Failure;
	store(): StoredDetector;
	/** Returns the part of the state that the detector can do without, in at most a number of characters of JSON. */
	storeOptional?(room: number): StoredDetector;
}

/** The part of a detector that receives the pages of the full scan. */
export interface ScanPart {
	/** Whether the detector has received no page yet, so that a round must start. */
	readonly isNew: boolean;
	/** Whether the detector must know that the scan missed no link between two pages. */
	readonly needsContinuity: boolean;
	/** Number of pages that the detector needs in this poll. */
	readonly pages: number;
	/** Receives the pages of a round, the highest IDs first. */
	scanPage(page: ScannedPage, requests: PollRequests): Promise<void> | void;
	/** Called when a round has read all pages. */
	endRound?(): void;
}

/** Creates a detector. Events with the same detector share one instance and its requests. */
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

/** Max number of pages that a detector reads in a poll to search for links. */
export const maxPagesPerPoll = 20;
