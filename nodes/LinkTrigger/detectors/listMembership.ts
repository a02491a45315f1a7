import type { IDataObject } from 'n8n-workflow';
import { flagOf, integerOf } from '../../shared/contract/readers';
import type { Resource } from '../../shared/contract/types';
import { isUnset } from '../../shared/contract/values';
import { rejection } from '../../shared/transport/failures';
import { decodeIds, encodeIds } from '../encoding';
import type { PollReader } from '../reader';
import {
	allLinks,
	deletedFields,
	ListDetector,
	maxPages,
	type DetectorContext,
	type DetectorDefinition,
	type ScannedList,
	type ScannedPage,
	type Stored,
} from './detector';

/** A list of the service, and the events of links that enter it or leave it. */
interface ListMembershipSpec {
	/** Name of the detector's state. */
	readonly name: string;
	readonly list: ScannedList;
	/** The event of a link that enters. */
	readonly entered?: string;
	/** The event of a link that leaves. */
	readonly exited?: string;
	/** Whether a link leaves only if it is deleted, so that its event has the alias that an earlier poll read. */
	readonly isFinal?: true;
	/**
	 * Returns whether a link's own fields show that it is in the list; null or undefined, as by default, if they do not.
	 *
	 * @param endsAt the expiry of a link that was in the list
	 */
	readonly belongs?: (link: Resource, endsAt: unknown) => boolean | null | undefined;
}

/** A link of the list, and whether it matches the node's filters: a search also finds its text in the middle of an alias. */
type Member = Readonly<{ fits: boolean; alias?: string }>;

/** Max number of links whose alias the state has, and max length of an alias in it. */
const maxAliases = 5000;
const maxAliasLength = 60;

const aliasOf = ({ alias }: Resource): string | undefined =>
	typeof alias === 'string' && alias.length <= maxAliasLength ? alias : undefined;

/** Knows all links of a list. If their number is not the total of the list, it scans the list until it is. */
class ListMembership extends ListDetector<Member> {
	readonly list: ScannedList;

	/** Whether the last page that was read shows as many links as are known. */
	private isComplete: boolean;

	/** The known IDs that a page of this poll lacked. */
	private readonly lacked = new Set<number>();

	/** The expiry of the newest link without a limit of clicks at the last read. A link with the same expiry is expired. */
	private endsAt: IDataObject[string];

	private readonly spec: ListMembershipSpec;

	constructor(spec: ListMembershipSpec, context: DetectorContext, stored: Stored) {
		const reportsAll = context.startsFromAll && spec.entered !== undefined;
		super(context, reportsAll ? [] : ['links'], stored);
		this.list = spec.list;
		this.spec = spec;
		this.isComplete = stored !== undefined;
		if (!stored) return;
		this.endsAt = stored.endsAt;
		const unfit = new Set(decodeIds(stored.unfit));
		const aliases: unknown[] = Array.isArray(stored.aliases) ? stored.aliases : [];
		decodeIds(stored.ids).forEach((id, index, { length }) => {
			const alias = aliases[index - length + aliases.length];
			this.links.set(id, { fits: !unfit.has(id), alias: aliasOf({ alias: alias || undefined }) });
		});
	}

	/** The aliases are those of the newest links; an empty text for an unknown alias. */
	override store(): IDataObject {
		const { links, endsAt } = this;
		const ids = this.knownIds();
		const unfit = encodeIds(ids.filter((id) => links.get(id)?.fits === false));
		const aliases = ids.slice(-maxAliases).map((id) => links.get(id)?.alias ?? '');
		return { ...super.store(), unfit, endsAt, ...(this.spec.isFinal && { aliases }) };
	}

	/** A service may hide links that it still has, so that no other round completes the list. */
	override needsMore(rounds: number): boolean {
		if (this.unreadBelow() > 0 || this.isDoubted) return super.needsMore(rounds);
		return !this.isComplete && rounds < 2;
	}

	/** In a list that only grows at its end, a missed link still exists, and enters in the next round. */
	override needsContinuity(after: number, below: number): boolean {
		return (this.list !== allLinks || this.context.canGain) && super.needsContinuity(after, below);
	}

	/** A link that another detector has read may be deleted before this one reads it. */
	observe(link: IDataObject, id: number): void {
		const isRead = this.list === allLinks && id >= this.unreadBelow();
		if (isRead && this.context.fits(link)) this.links.set(id, { fits: true, alias: aliasOf(link) });
	}

	override async readPage(page: ScannedPage, reader: PollReader): Promise<void> {
		if (page.items.some((link) => this.belongs(link) === false)) {
			throw rejection(
				'The service ignores the status filter, so its lists of disabled and expired links cannot be read',
				'Remove the events Link Disabled, Link Enabled Again and Link Expired. Link Updated reports links that were disabled or enabled.',
			);
		}
		await super.readPage(page, reader);
		this.isComplete = this.links.size === page.total;
		if (page.number !== page.last || this.isDoubted) return;
		const ofDate = page.items.filter(({ expiration_clicks: limit }) => !integerOf(limit ?? 0));
		this.endsAt = ofDate.at(-1)?.ends_at;
	}

	protected override readonly belongs = (link: Resource) => this.spec.belongs?.(link, this.endsAt);

	/** A link enters when it is known and matches the filters for the first time. */
	protected enter(id: number, link: IDataObject, fits: boolean): void {
		const { entered = '' } = this.spec;
		const member = this.links.get(id);
		this.links.set(id, { fits, alias: aliasOf(link) });
		if (!fits || member?.fits === true || id < this.unreadBelow()) return;
		this.context.report({ event: entered, id, link });
	}

	/** Reads the link only if an event depends on it. */
	protected async leave(id: number, reader: PollReader, last: number): Promise<void> {
		const { exited = '', isFinal } = this.spec;
		const member = this.links.get(id);
		const matters = this.context.events.has(exited) && member?.fits === true;
		// A list may lack a link by mistake, and the link would enter again. Another round of this poll reads a short list again.
		if (!matters && last <= maxPages / 2 && !this.lacked.has(id)) return void this.lacked.add(id);
		const link = matters ? await reader.get(id) : undefined;
		const fits = link && this.context.fits(link);
		const hasExited = isFinal ? !link : link && flagOf(link.disabled) !== true;
		const isEvent = matters && fits !== false && hasExited;
		// The list has the link again. A link that does not show the fields of the filters no longer matches them.
		if (fits && !isEvent) return;
		this.links.delete(id);
		const extra = isFinal && deletedFields(id, member?.alias);
		if (isEvent) this.context.report({ event: exited, id, link, once: isFinal && '', extra });
	}
}

/** Returns a detector of links that enter a list or leave it. */
export const listMembership = (spec: ListMembershipSpec): DetectorDefinition => ({
	name: spec.name,
	create: (context, stored) => new ListMembership(spec, context, stored),
});

/** Finds deleted links: a link that leaves the list of all links, and that the service no longer knows. */
export const deletedLinks = listMembership({
	name: 'deleted',
	list: allLinks,
	exited: 'deleted',
	isFinal: true,
	belongs: () => true,
});

/** Finds links that enter the list of disabled links (contract 3), and links that leave it because they are enabled. */
export const disabledLinks = listMembership({
	name: 'disabled',
	list: { name: 'disabled links', params: [['status', '3']] },
	entered: 'disabled',
	exited: 'enabled',
	belongs: ({ disabled }) => flagOf(disabled),
});

/**
 * Finds links that enter the list of expired links (contract 3). The service decides whether a link is expired, because the
 * clock of this machine may be wrong. A link that shows that it has no expiry must not be in the list (assumption: one
 * resource).
 */
export const expiredLinks = listMembership({
	name: 'expired',
	list: { name: 'expired links', params: [['status', '2']] },
	entered: 'expired',
	belongs: ({ ends_at: endsAt, expiration_clicks: limit, clicks }, expired) => {
		if (endsAt === undefined || limit === undefined) return undefined;
		if (integerOf(limit ?? 0)) return Number(clicks) >= Number(limit) || undefined;
		return isUnset(endsAt) ? false : endsAt === expired || undefined;
	},
});
