import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { Param } from '../../shared/contract/operations';
import { isRecord } from '../../shared/contract/values';
import type { Resource } from '../../shared/contract/types';
import { rejection, type Failure } from '../../shared/transport/failures';
import { encodeIds, storedNumber } from '../encoding';
import { threeOf } from '../pollState';
import type { IdPage, PollReader } from '../reader';

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
}

/** The settings of the node that detectors use. */
export interface DetectorSettings {
	/** Numbers of clicks to report, lowest first. */
	readonly thresholds: readonly number[];
	/** Min number of new clicks to report. */
	readonly minNewClicks: number;
	/** The list parameters that apply the node's filters (contract 4.1). */
	readonly params: readonly Param[];
	/** The part of `params` whose fields no update can change. */
	readonly fixedParams: readonly Param[];
	/** Whether an update can make a link match the filters. If not, only new links enter the list, at its end. */
	readonly canGain: boolean;
	/** Returns whether a link matches the node's filters; undefined if the response does not show the filtered fields. */
	readonly fits: (link: Resource) => boolean | undefined;
	/** Whether the detector also reports events from before the first poll. */
	readonly startsFromAll: boolean;
	/** Values of the selected events. */
	readonly events: ReadonlySet<string>;
}

/** What a detector uses of a poll. */
export interface DetectorContext extends DetectorSettings {
	/** Reports an event, if it is selected. The detector changes its state in the same step, so that an error in between loses nothing. */
	readonly report: (event: TriggerEvent) => void;
}

/** The state of a detector between two polls, as JSON; undefined before its first poll. */
export type Stored = IDataObject | undefined;

/** Returns the fields of an event of a deleted link. */
export const deletedFields = (id: number, alias: unknown): IDataObject => ({
	...{ id, deleted: true, alias: alias === undefined ? null : String(alias) },
});

/** A detector with requests of its own. Its state always matches the events that it reported, even if a poll fails. */
export interface PollingDetector {
	/** Sends the requests of one poll. */
	poll(reader: PollReader): Promise<void>;
	store(): IDataObject;
}

/** A list of links that polls scan. Detectors with the same list share its pages. */
export interface ScannedList {
	readonly name: string;
	/** Filters in addition to the node's filters (contract 4.1). */
	readonly params: readonly Param[];
}

/** The list of all links that match the filters. New links enter at its end. */
export const allLinks: ScannedList = { name: 'all links', params: [] };

/** Max number of pages that a scan reads in a poll. */
export const maxPages = 20;

/**
 * A page that a scan has read, and the range of IDs that it covers, both included. An ID in this range that is not on the page is
 * not in the list.
 */
export type ScannedPage = IdPage & Readonly<Record<'from' | 'to', number>>;

/** The bound of a detector that has read no link yet. It is a number of JSON. */
export const allUnread = Number.MAX_SAFE_INTEGER;

/** A detector that compares each page of a list with what it knows of the links. */
export abstract class ListDetector<V = unknown> {
	abstract readonly list: ScannedList;

	protected readonly context: DetectorContext;

	/** What the detector knows of the links of the list, by ID. */
	protected readonly links = new Map<number, V>();

	/**
	 * By the names of what it finds: links with lower IDs have not been read yet, so that it does not know what happened to them
	 * before the first poll.
	 */
	private readonly unread: Map<string, number>;

	/** The IDs of the links that were known at the first page of the poll, lowest first. */
	private earlier?: readonly number[];

	/** Whether the list was empty at its last read, although the newest known link belonged to it right after that. */
	protected isDoubted = false;

	/** A problem that the user must solve, although the detector can read its list. */
	warning?: Failure;

	/**
	 * @param names names of what it finds, unless this starts with links that it does not know
	 * @throws SyntaxError if the stored state is broken
	 */
	constructor(context: DetectorContext, names: readonly string[], stored: Stored) {
		this.context = context;
		const unread = isRecord(stored?.unread) ? stored.unread : {};
		this.unread = new Map(names.map((name) => [name, storedNumber(unread[name] ?? allUnread)]));
	}

	store(): IDataObject {
		return { ids: encodeIds(this.knownIds()), unread: Object.fromEntries(this.unread) };
	}

	/** Returns the IDs of the known links, lowest first. */
	protected knownIds(): number[] {
		return [...this.links.keys()].sort((a, b) => a - b);
	}

	/**
	 * Returns the IDs from one bound to another, both included, of the links that were known when this was called first. A link
	 * that a list has lost since then is found by the next round.
	 */
	private earlierIds(from: number, to: number): number[] {
		this.earlier ??= this.knownIds();
		return this.earlier.filter((id) => id >= from && id <= to && this.links.has(id));
	}

	/** Returns the ID below which links have not been read yet, for a name or for any; `allUnread` before the first page. */
	unreadBelow(name?: string): number {
		if (name !== undefined) return this.unread.get(name) ?? 0;
		return [...this.unread.values()].reduce((most, bound) => Math.max(most, bound), 0);
	}

	/** Returns whether this poll must read another page, after a number of rounds have ended in it. */
	needsMore(rounds: number): boolean {
		return rounds < (this.isDoubted ? 2 : 1);
	}

	/**
	 * Returns whether the scan must know that it missed no link between two pages. A known link that it missed would count as
	 * gone, and an unknown link would be new after the first round.
	 *
	 * @param after the first ID that the page does not cover
	 * @param below the lowest ID of the page above
	 */
	needsContinuity(after: number, below: number): boolean {
		return this.unreadBelow() > 0 || this.earlierIds(after, below - 1).length > 0;
	}

	/**
	 * Receives the pages of a round, the highest IDs first.
	 *
	 * @throws ServiceError if the list is empty twice although it must contain a known link, so that all links would count as
	 * gone, and as new in the next poll
	 */
	async readPage(page: ScannedPage, reader: PollReader): Promise<void> {
		const { ids, items, from, to, last, total } = page;
		let known: number | undefined;
		for (const id of total === 0 ? threeOf(this.knownIds()) : []) {
			const link = known === undefined ? await reader.get(id) : undefined;
			if (link && this.context.fits(link) && this.belongs(link)) known = id;
		}
		if (known !== undefined && this.isDoubted) {
			throw rejection(
				`The service returned an empty list of ${this.list.name}, although the link ${known} belongs to it`,
				'The next poll reads it again. If this repeats, check in the service which links the API key can list.',
			);
		}
		// The link may have entered the list in between.
		this.isDoubted = known !== undefined;
		if (this.isDoubted) return;
		items.forEach((link, index) => {
			this.enter(ids[index] ?? 0, link, this.context.fits(link) !== false);
		});
		for (const [name, bound] of this.unread) {
			if (to >= bound - 1) this.unread.set(name, Math.min(bound, from));
		}
		const listed = new Set(ids);
		for (const id of this.earlierIds(from, to))
			if (!listed.has(id)) await this.leave(id, reader, last);
	}

	/** Returns whether a link's own fields show that it is in the list if it matches the filters; null or undefined if they do not. */
	protected readonly belongs: (link: Resource) => boolean | null | undefined = () => true;

	/** Receives each link that matches the filters and was read for any detector. */
	abstract observe(link: IDataObject, id: number): void;

	/** Compares a link of the list with its stored state. */
	protected abstract enter(id: number, link: IDataObject, fits: boolean): void;

	/**
	 * Removes a known link that is no longer in the list.
	 *
	 * @param last number of the last page of the list
	 */
	protected abstract leave(id: number, reader: PollReader, last: number): Promise<void> | void;
}

/** Creates a detector. Events with the same detector share one instance and its requests. */
export interface DetectorDefinition {
	/** Name of the detector's state. */
	readonly name: string;
	/**
	 * Returns a detector that continues from its state.
	 *
	 * @throws SyntaxError if the state is broken
	 */
	readonly create: (context: DetectorContext, stored: Stored) => ListDetector | PollingDetector;
}

/** An event of the node: an entry of the table of events. */
export interface EventDefinition {
	/** Label of the event. */
	readonly name: string;
	readonly value: string;
	/** What happened, as a clause. */
	readonly description: string;
	/** Number of requests of a poll that finds no event, as text. */
	readonly cost: string;
	/** The parameter that only this event uses. */
	readonly needs?: INodeProperties;
	readonly detector: DetectorDefinition;
	/** Returns the additional output fields of a test event, with invented earlier values if needed. */
	readonly testFields?: (link: Resource, settings: DetectorSettings) => IDataObject;
	/** Whether the event's link is deleted, so that the event has only its ID and alias. */
	readonly isGone?: true;
}
