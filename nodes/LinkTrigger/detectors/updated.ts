import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import type { OutputValue } from '../../shared/contract/resourceTypes';
import { fingerprint } from '../polling/fingerprint';
import { IdSet } from '../polling/idSet';
import { coverageOf, type ScannedPage } from '../polling/listScan';
import type { PollRequests } from '../polling/pollRequests';
import { storedNumber } from '../polling/storedValues';
import {
	maxPagesPerPoll,
	type Detector,
	type DetectorContext,
	type DetectorDefinition,
	type ScanPart,
	type StoredDetector,
} from './detector';

/** The output fields that show what an update can write (contract 4.3). */
export const writtenFields = linkContract.output.filter(({ name }) =>
	linkContract.fields.some(
		(field) => field.wire.on.update && name === (field.wire.shownAs ?? field.name),
	),
);

/** Characters of the fingerprint of a field: 24 bits. */
const fieldLength = 4;

const detailedLength = fieldLength * writtenFields.length;

/** Characters of the fingerprint of a link without details: 36 bits. */
const wholeLength = 6;

/** Changes if the written fields change. Fingerprints of other fields would make every link look updated. */
const fieldsFingerprint = fingerprint(writtenFields.map(({ name }) => name).join(), wholeLength);

/** With more links, the state has only one fingerprint per link, so that it stays below 500 kB: 7,000 with 16 fields. */
const maxDetailed = Math.floor(448_000 / detailedLength);

/** Returns a value as text. The order of plain values in a list, such as the IDs of pixels, is ignored. */
function canonicalText(value: OutputValue): string {
	const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return JSON.stringify(isPlain ? value.map(String).sort() : value);
}

/** Returns the fingerprints of all written fields of a link. */
const linkFingerprint = (link: IDataObject): string =>
	writtenFields
		.map(({ from }) => fingerprint(canonicalText(from.read(link)), fieldLength))
		.join('');

/** Returns one fingerprint for the fingerprints of all fields. */
const wholeOf = (print: string): string =>
	print.length === wholeLength ? print : fingerprint(print, wholeLength);

/** Returns the fields that differ, with their new values; null if there is only a fingerprint of the whole link. */
function changesOf(link: IDataObject, before: string, now: string): IDataObject | null {
	if (before.length === wholeLength) return null;
	const changed = writtenFields.filter((_, index) => {
		const [start, end] = [index * fieldLength, (index + 1) * fieldLength];
		return before.slice(start, end) !== now.slice(start, end);
	});
	return Object.fromEntries(changed.map(({ name, from }) => [name, from.read(link)]));
}

/**
 * Finds updates: stores a fingerprint of the written fields of each link, and compares it each time that a list contains the
 * link. All lists return a link in the same form.
 */
class UpdatedDetector implements Detector {
	private readonly context: DetectorContext;

	private readonly ids: IdSet;

	private readonly prints = new Map<number, string>();

	readonly scan: ScanPart = {
		isNew: false,
		needsContinuity: false,
		pages: maxPagesPerPoll,
		scanPage: async (page, requests) => await this.scanPage(page, requests),
	};

	constructor(context: DetectorContext, stored: StoredDetector | undefined) {
		this.context = context;
		this.ids = stored ? IdSet.decode(stored.ids) : new IdSet();
		if (!stored) return;
		const { prints } = stored;
		const length = storedNumber(stored.length);
		const isKnown = length === wholeLength || length === detailedLength;
		if (!isKnown || typeof prints !== 'string' || prints.length !== length * this.ids.size) {
			throw new SyntaxError('Not the fingerprints of these IDs');
		}
		if (stored.fields !== fieldsFingerprint) throw new SyntaxError('Fingerprints of other fields');
		[...this.ids].forEach((id, index) => {
			this.prints.set(id, prints.slice(index * length, (index + 1) * length));
		});
	}

	store(): StoredDetector {
		const { ids } = this;
		const prints = [...ids].map((id) => this.prints.get(id) ?? '');
		const isDetailed =
			ids.size <= maxDetailed && prints.every(({ length }) => length === detailedLength);
		return {
			ids: ids.encode(),
			fields: fieldsFingerprint,
			length: isDetailed ? detailedLength : wholeLength,
			prints: (isDetailed ? prints : prints.map(wholeOf)).join(''),
		};
	}

	observe(link: IDataObject, id: number): void {
		const now = linkFingerprint(link);
		const before = this.prints.get(id);
		this.prints.set(id, now);
		this.ids.add(id);
		const isSame = before === now || before === wholeOf(now);
		if (before !== undefined && !isSame) this.report(id, link, changesOf(link, before, now));
	}

	private report(id: number, link: IDataObject, changes: IDataObject | null): void {
		this.context.report({ event: 'updated', id, link, extra: { changes } });
	}

	/** A known link that is not on its page was deleted, or an update has changed a filtered field. */
	private async scanPage(page: ScannedPage, requests: PollRequests): Promise<void> {
		const { ids, items } = page;
		ids.forEach((id, index) => {
			const link = items[index];
			if (link && this.context.fits(link) === false) this.forget(id, link);
		});
		const { from, to } = coverageOf(page);
		const listed = new Set(ids);
		for (const id of this.ids.between(from, to)) {
			if (listed.has(id)) continue;
			const link = await requests.get(id);
			if (!link || this.context.fits(link) === false) this.forget(id, link);
		}
	}

	/** Removes a link, and reports the update after which it no longer matches the filters. */
	private forget(id: number, link: IDataObject | undefined): void {
		const before = this.prints.get(id);
		if (before === undefined) return;
		this.ids.delete(id);
		this.prints.delete(id);
		if (link) this.report(id, link, changesOf(link, before, linkFingerprint(link)));
	}
}

/** Finds updated links. */
export const updatedLinks: DetectorDefinition = {
	name: 'updated',
	create: (context, stored) => new UpdatedDetector(context, stored),
};
