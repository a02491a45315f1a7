import type { IDataObject } from 'n8n-workflow';
import type { Param } from '../../shared/contract/endpoints';
import { rejection } from '../../shared/transport/failures';
import { IdList, type IdPage } from '../polling/idList';
import { IdSet } from '../polling/idSet';
import { DeletedLinkFields } from '../polling/deletedLinkFields';
import { coverageOf, ListScan, type ScannedPage } from '../polling/listScan';
import type { PollRequests } from '../polling/pollRequests';
import {
	canGainLinks,
	maxPagesPerPoll,
	type Detector,
	type DetectorContext,
	type DetectorDefinition,
	type StoredDetector,
} from './detector';

/** Why a link is not in a list: the event happened, the link no longer matches, or the list still contains it. */
export type ExitReason = 'dropped' | 'happened' | 'member';

/** A list of the service, and the events of links that enter it or leave it. */
export interface ListMembershipSpec {
	/** Filters of the list in addition to the node's filters (contract 4.1). */
	readonly params: readonly Param[];
	/** Whether new links enter at the end. If so, every second poll reads the last page. */
	readonly growsAtEnd?: true;
	/** The event of a link that enters. */
	readonly entered?: string;
	/** The event of a link that leaves. */
	readonly exitEvent?: string;
	/** Whether a link leaves at most once. */
	readonly isFinal?: true;
	/** Whether an event of a link that leaves has the alias and the short URL that an earlier poll read. */
	readonly keepsFields?: true;
	/** Returns why a link is not in the list, from its current state. */
	readonly classifyExit?: (link: IDataObject | undefined, context: DetectorContext) => ExitReason;
	/** Returns whether a link's own fields show that the list must not contain it. */
	readonly isForeign?: (link: IDataObject) => boolean;
}

/** Throws if a list contains a link that it must not: the service does not apply the filter by state. */
function checkMembers({ isForeign }: ListMembershipSpec, { items }: IdPage): void {
	if (!isForeign || !items.some(isForeign)) return;
	throw rejection(
		'The service ignores the status filter, so its lists of disabled and expired links cannot be read',
		'Remove the events Link Disabled, Link Enabled Again and Link Expired. Link Updated reports links that were disabled or enabled.',
	);
}

/**
 * Knows the IDs of all links of a list. Each poll reads one page. If the number of known IDs is not the total of the list, it
 * scans the list until it is.
 */
class ListMembership implements Detector {
	private readonly spec: ListMembershipSpec;

	private readonly context: DetectorContext;

	/** All links of the list. */
	private readonly members: IdSet;

	/** The known links that do not match the node's filters: a search also finds its text in the middle of an alias. */
	private readonly unfit: IdSet;

	private readonly fields: DeletedLinkFields;

	private readonly listScan: ListScan;

	/** Whether the first round of the scan is in progress. Its links are not reported. */
	private isBaseline: boolean;

	/** Whether the next poll reads the last page, and not the next page of the scan. */
	private isEndDue: boolean;

	constructor(
		spec: ListMembershipSpec,
		context: DetectorContext,
		stored: StoredDetector | undefined,
	) {
		this.spec = spec;
		this.context = context;
		this.members = stored ? IdSet.decode(stored.ids) : new IdSet();
		this.unfit = stored ? IdSet.decode(stored.unfit) : new IdSet();
		this.fields = new DeletedLinkFields(this.newestFirst(), stored?.fields);
		this.listScan = new ListScan(stored);
		const reportsAll = context.startsFromAll && spec.entered !== undefined;
		this.isBaseline = stored ? stored.isBaseline === true : !reportsAll;
		this.isEndDue = stored?.isEndDue === true;
	}

	store(): StoredDetector {
		const { members: members, unfit, listScan, isBaseline, isEndDue } = this;
		const flags = { ...(isBaseline ? { isBaseline } : {}), ...(isEndDue ? { isEndDue } : {}) };
		return { ids: members.encode(), unfit: unfit.encode(), ...listScan.store(), ...flags };
	}

	storeOptional(room: number): StoredDetector {
		if (!this.spec.keepsFields) return {};
		const fields = this.fields.store(
			this.newestFirst(),
			room - JSON.stringify({ fields: '' }).length,
		);
		return fields ? { fields } : {};
	}

	private newestFirst(): number[] {
		return this.spec.keepsFields ? [...this.members].reverse() : [];
	}

	async poll(requests: PollRequests): Promise<void> {
		const { spec, context, isEndDue } = this;
		const list = new IdList(requests, [...spec.params, ...context.params]);
		const readsEnd = isEndDue && !this.isBaseline;
		let page = readsEnd ? await this.readEnd(requests, list) : await this.readNext(requests, list);
		const isDone = () => !this.isBaseline && page.isContinuous && this.members.size === page.total;
		if (spec.growsAtEnd && !readsEnd && !this.isBaseline && !isDone()) {
			page = await this.readEnd(requests, list);
		}
		for (let read = readsEnd ? 0 : 1; read < maxPagesPerPoll && !isDone(); read += 1) {
			page = await this.readNext(requests, list);
		}
		this.isEndDue = spec.growsAtEnd === true && !readsEnd;
	}

	/** A link that another detector has read may be deleted before this one reads it. */
	observe(link: IDataObject, id: number): void {
		if (this.spec.keepsFields) this.fields.note(link, id);
		if (!this.spec.growsAtEnd || id < this.unreadBelow || !this.context.fits(link)) return;
		this.members.add(id);
		this.unfit.delete(id);
	}

	/** Links with IDs below this bound have not been read yet. */
	private get unreadBelow(): number {
		return this.isBaseline ? this.listScan.bound : 0;
	}

	private async readEnd(requests: PollRequests, list: IdList): Promise<ScannedPage> {
		const last = await list.readLast(this.listScan.last);
		const page = { ...last, bound: Infinity, below: Infinity, isContinuous: true };
		await this.learn(requests, page);
		return page;
	}

	private async readNext(requests: PollRequests, list: IdList): Promise<ScannedPage> {
		const page = await this.listScan.read(list, ({ ids }, below) =>
			this.needsContinuity(ids, below),
		);
		await this.learn(requests, page);
		if (this.listScan.advance(page)) this.isBaseline = false;
		return page;
	}

	/**
	 * Returns whether the scan must know that it missed no link between a page and the page above. Otherwise, a known link
	 * that it missed would count as an exit, and an unknown link would be reported as new after the first round.
	 */
	private needsContinuity(ids: readonly number[], below: number): boolean {
		if (this.spec.growsAtEnd && !canGainLinks(this.context)) return false;
		return this.isBaseline || this.members.between((ids.at(-1) ?? -1) + 1, below - 1).length > 0;
	}

	/** Compares the known links with those of a page. */
	private async learn(requests: PollRequests, page: ScannedPage): Promise<void> {
		checkMembers(this.spec, page);
		const { unreadBelow } = this;
		page.ids.forEach((id, index) => {
			const isRead = id >= unreadBelow;
			if (isRead || page.isContinuous) this.enter(id, page.items[index], isRead);
		});
		const { from, to } = coverageOf(page);
		const listed = new Set(page.ids);
		for (const id of this.members.between(from, to)) {
			if (!listed.has(id)) await this.exit(requests, id);
		}
	}

	/** Stores that a link is in the list. It enters when it is known and matches the filters for the first time. */
	private enter(id: number, link: IDataObject | undefined, isReported: boolean): void {
		const { entered } = this.spec;
		const fits = !link || this.context.fits(link) !== false;
		const isNew = this.members.add(id) || (fits && this.unfit.has(id));
		if (fits) this.unfit.delete(id);
		else this.unfit.add(id);
		if (isNew && fits && isReported && entered && this.context.events.has(entered)) {
			this.context.report({ event: entered, id, link });
		}
	}

	/** Stores that a link is no longer in the list. Reads the link only if an event depends on it. */
	private async exit(requests: PollRequests, id: number): Promise<void> {
		const { exitEvent: exitEvent, classifyExit, isFinal } = this.spec;
		const matters =
			exitEvent !== undefined && this.context.events.has(exitEvent) && !this.unfit.has(id);
		const link = matters ? await requests.get(id) : undefined;
		const reason = matters ? classifyExit?.(link, this.context) : 'dropped';
		if (reason === 'member') return;
		this.members.delete(id);
		this.unfit.delete(id);
		if (matters && reason === 'happened') {
			const earlierFields = this.fields.of(id);
			this.context.report({ event: exitEvent, id, link, earlierFields, once: isFinal && '' });
		}
	}
}

/** Returns a detector of links that enter a list or leave it. */
export const listMembership = (name: string, spec: ListMembershipSpec): DetectorDefinition => ({
	name,
	create: (context, stored) => new ListMembership(spec, context, stored),
});
