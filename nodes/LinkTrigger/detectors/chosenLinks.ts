import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import { maxPageSize } from '../../shared/contract/endpoints';
import type { ResourceReference } from '../../shared/contract/resourceTypes';
import { shorten } from '../../shared/contract/values';
import { settled, type Failure, type ServiceError } from '../../shared/transport/failures';
import { idNumber } from '../polling/idList';
import type { PollRequests } from '../polling/pollRequests';
import { readOptional, storedNumber, storedObject, storedText } from '../polling/storedValues';
import { ClickCounter, clicksIn, noClicks } from './clickCounter';
import {
	maxPagesPerPoll,
	type ChosenLink,
	type Detector,
	type DetectorContext,
	type StoredDetector,
} from './detector';

/** Returns the name of a chosen link in the state: its ID, or its normalized short URL. */
const keyOf = ({ id, reference }: ChosenLink): string => reference?.key ?? String(id);

const storedNumbers = (value: unknown): Array<[string, number]> =>
	Object.entries(storedObject(value)).map(([key, number]) => [key, storedNumber(number)]);

/** Max number of links that a message names. */
const maxNamed = 5;

function namesOf(links: readonly ChosenLink[]): string {
	const names = links.slice(0, maxNamed).map(({ text }) => shorten(text));
	const more = links.length - names.length;
	return [...names, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

/** Why the search for a short URL may not find an existing link. The page size is that of the contract (4.1). */
const limitedSearch = ` If more than ${(maxPagesPerPoll * maxPageSize).toLocaleString('en')} links contain the alias of a short URL in their own, enter the ID of the link instead.`;

/** The causes that concern all links. */
const commonCauses = ['connectFailed', 'ended', 'maintenance', 'rateLimited'];

/** Returns whether no other link can be read either. The next poll continues with the same link. */
const endsPoll = ({ failure: { cause, isRunLevel, statusCode } }: ServiceError): boolean =>
	commonCauses.includes(cause) || isRunLevel === true || statusCode === 401;

/** Finds clicks on the chosen links. Reads each of them in each poll. */
export class ChosenLinksDetector implements Detector {
	private readonly context: DetectorContext;

	private readonly counter: ClickCounter;

	/** The IDs of the links that were chosen by their short URLs. */
	private readonly ids: Map<string, number>;

	/** The chosen links that the service does not have. */
	private readonly missing: Set<string>;

	/** The link that the next poll reads first. */
	private next?: string;

	/** Whether a link of the latest poll has shown no clicks. */
	private lacksClicks: boolean;

	constructor(context: DetectorContext, stored: StoredDetector | undefined) {
		this.context = context;
		this.counter = new ClickCounter(context);
		// Without `chosen`, the state is that of all links, and a chosen link starts as a link that no poll has read.
		const state = stored?.chosen === undefined ? undefined : storedObject(stored.chosen);
		const keys = new Set(context.chosenLinks.map(keyOf));
		this.ids = new Map(storedNumbers(state?.ids ?? {}).filter(([key]) => keys.has(key)));
		const watchedIds = new Set([...this.ids.values(), ...context.chosenLinks.map(({ id }) => id)]);
		for (const [id, clicks] of storedNumbers(state?.clicks ?? {})) {
			if (watchedIds.has(Number(id))) this.counter.clicks.set(Number(id), clicks);
		}
		const missing = Object.keys(storedObject(state?.missing ?? {}));
		this.missing = new Set(missing.filter((key) => keys.has(key)));
		this.next = readOptional(storedText, state?.next);
		this.lacksClicks = state?.lacksClicks === true;
	}

	store(): StoredDetector {
		const { ids, missing, next, lacksClicks } = this;
		return {
			chosen: {
				clicks: Object.fromEntries(this.counter.clicks),
				ids: Object.fromEntries(ids),
				missing: Object.fromEntries([...missing].map((key) => [key, true])),
				...(next === undefined ? {} : { next }),
				...(lacksClicks && { lacksClicks }),
			},
		};
	}

	get warning(): Failure | undefined {
		if (this.lacksClicks) return noClicks;
		const missing = this.context.chosenLinks.filter((link) => this.missing.has(keyOf(link)));
		if (missing.length === 0) return undefined;
		const hasUrl = missing.some(({ reference }) => reference !== undefined);
		return {
			cause: 'rejected',
			message: `The node does not find these links of Links to Watch: ${namesOf(missing)}`,
			advice: `They were deleted, or the IDs or short URLs are wrong. Remove or correct them.${hasUrl ? limitedSearch : ''} The node still reports the other links and events.`,
		};
	}

	/**
	 * A link that cannot be read does not prevent that the poll reads the links after it. If the poll ends early, the next poll
	 * continues.
	 */
	async poll(requests: PollRequests): Promise<void> {
		const { chosenLinks } = this.context;
		const first = Math.max(
			0,
			chosenLinks.findIndex((link) => keyOf(link) === this.next),
		);
		let failure: ServiceError | undefined;
		this.lacksClicks = false;
		for (const link of [...chosenLinks.slice(first), ...chosenLinks.slice(0, first)]) {
			this.next = keyOf(link);
			const error = await settled(this.pollLink(link, requests));
			if (error && endsPoll(error)) throw error;
			if (error) failure ??= error;
		}
		this.next = undefined;
		if (failure) throw failure;
	}

	private async pollLink(chosen: ChosenLink, requests: PollRequests): Promise<void> {
		const key = keyOf(chosen);
		const link = await this.read(chosen, requests);
		if (!link) {
			this.missing.add(key);
			return;
		}
		this.missing.delete(key);
		const id = idNumber(link);
		if (chosen.reference) this.ids.set(key, id);
		if (clicksIn(link) === null) this.lacksClicks = true;
		this.counter.observe(link, id, (clicks) => (this.context.startsFromAll ? 0 : clicks));
	}

	/** Reads a link. A link that was chosen by its short URL stays the same link if its alias changes. */
	private async read(chosen: ChosenLink, requests: PollRequests): Promise<IDataObject | undefined> {
		const knownId = this.ids.get(keyOf(chosen));
		const link = knownId === undefined ? undefined : await requests.get(knownId);
		return link ?? (await readChosenLink(chosen, requests));
	}
}

/** Returns a chosen link; undefined if the service does not have it. */
export async function readChosenLink(
	{ id, reference }: ChosenLink,
	requests: PollRequests,
): Promise<IDataObject | undefined> {
	if (reference) return await findByUrl(reference, requests);
	return id === undefined ? undefined : await requests.get(id);
}

/** Returns the link with a short URL; undefined if the search of the service does not find it. */
async function findByUrl(
	{ search, key }: ResourceReference,
	requests: PollRequests,
): Promise<IDataObject | undefined> {
	const params = [
		['search', search],
		['search_by', 'alias'],
	] as const;
	for (let number = 1; number <= maxPagesPerPoll; number += 1) {
		const { items, last } = await requests.page(params, number);
		const link = items.find((item) => linkContract.address?.keysOf(item).includes(key));
		if (link || number >= last) return link;
	}
	return undefined;
}
