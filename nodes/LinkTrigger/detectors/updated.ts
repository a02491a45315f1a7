import type { IDataObject } from 'n8n-workflow';
import { linkContract } from '../../Link/link.contract';
import type { OutputValue } from '../../shared/contract/resourceTypes';
import { decodeIds, encodeIds, fingerprint } from '../encoding';
import type { PollReader } from '../reader';
import { allLinks, ListDetector } from './detector';
import type { DetectorContext, DetectorDefinition, Stored } from './detector';

/** The output fields that show what an update can write (contract 4.3). */
const writtenFields = linkContract.output.filter(({ name }) =>
	linkContract.fields.some(
		(field) => field.wire.on.update && name === (field.wire.shownAs ?? field.name),
	),
);

/** Max number of links whose state has a fingerprint of each field, so that it stays below 500 kB with 16 fields. */
const maxDetailed = 7000;

/** Characters of the fingerprint of a field (24 bits), and of a link without details (30 bits). */
const fieldLength = 4;
const wholeLength = 5;

/** Changes if the written fields change. Fingerprints of other fields would make every link look updated. */
const fieldsFingerprint = fingerprint(writtenFields.map(({ name }) => name).join(), wholeLength);

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
class UpdatedDetector extends ListDetector<string> {
	readonly list = allLinks;

	/** The IDs that the last round did not find. If the next one finds a link again, it may show a change. */
	private readonly lacked = new Set<number>();

	/** @throws SyntaxError if the state is broken, or has fingerprints of other fields */
	constructor(context: DetectorContext, stored: Stored) {
		super(context, [], stored);
		if (!stored) return;
		const ids = decodeIds(stored.ids);
		const prints = String(stored.prints).split(' ');
		if (prints.length !== Math.max(1, ids.length) || stored.fields !== fieldsFingerprint) {
			throw new SyntaxError('Not the fingerprints of these IDs');
		}
		ids.forEach((id, index) => this.links.set(id, prints[index] ?? ''));
		decodeIds(stored.lacked).forEach((id) => this.lacked.add(id));
	}

	override store(): IDataObject {
		const prints = this.knownIds().map((id) => this.links.get(id) ?? '');
		const stored = prints.length > maxDetailed ? prints.map(wholeOf) : prints;
		const lacked = encodeIds([...this.lacked].sort((a, b) => a - b));
		return { ...super.store(), lacked, prints: stored.join(' '), fields: fieldsFingerprint };
	}

	observe(link: IDataObject, id: number): void {
		const now = linkFingerprint(link);
		const before = this.links.get(id);
		this.links.set(id, now);
		this.lacked.delete(id);
		if (before === undefined || before === now || before === wholeOf(now)) return;
		const extra = { changes: changesOf(link, before, now) };
		this.context.report({ event: 'updated', id, link, extra });
	}

	/** Reports the update after which a link no longer matches the filters. */
	protected enter(id: number, link: IDataObject, fits: boolean): void {
		if (fits || !this.links.has(id)) return;
		this.observe(link, id);
		this.links.delete(id);
	}

	/** The link was deleted, or an update has changed a filtered field. */
	protected async leave(id: number, reader: PollReader): Promise<void> {
		const link = this.context.canGain ? await reader.get(id) : undefined;
		if (link) this.enter(id, link, this.context.fits(link) !== false);
		else if (this.lacked.delete(id)) this.links.delete(id);
		else this.lacked.add(id);
	}
}

/** Finds updated links. */
export const updatedLinks: DetectorDefinition = {
	name: 'updated',
	create: (context, stored) => new UpdatedDetector(context, stored),
};
