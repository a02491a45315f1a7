import type { IDataObject } from 'n8n-workflow';
import type { OutputField, OutputValue } from '../contract/resourceTypes';
import { IdSet } from './ids';
import type { IdPage } from './idList';
import { fingerprint } from './packing';
import type { Reading } from './reading';
import { wholeNumber } from './stored';
import type { BeginWatch, RollingWatch, StoredWatch, Watch, WatchContext } from './types';

export interface ChangesSpec {
	readonly event: string;
	/** The output fields that hold what people wrote. */
	readonly written: readonly OutputField[];
}

/** Pages of a poll. */
const pagesPerPoll = 20;

/** Characters that tell whether any field of a resource has changed: 36 bits. */
const wholeLength = 6;

/** Characters that tell whether one field has: 12 bits, which are looked at only where the whole has changed. */
const fieldLength = 2;

/** Of more resources only the whole is kept, so that the state stays small. */
const mostInDetail = 10_000;

/** A list of plain values has no order of its own: the IDs of a resource's pixels. */
function textOf(value: OutputValue): string {
	const isPlain = Array.isArray(value) && value.every((entry) => typeof entry !== 'object');
	return JSON.stringify(isPlain ? value.map(String).sort() : value);
}

/**
 * Finds changes of what people wrote: each resource leaves a fingerprint, and is compared with it each time it is read. A
 * list shows all resources in the same form, so that only lists are compared.
 */
class Changes implements Watch {
	private readonly spec: ChangesSpec;

	private readonly context: WatchContext;

	private readonly ids: IdSet;

	private readonly prints = new Map<number, string>();

	constructor(spec: ChangesSpec, context: WatchContext, stored: StoredWatch | undefined) {
		this.spec = spec;
		this.context = context;
		this.ids = stored ? IdSet.unpack(stored.ids) : new IdSet();
		if (!stored) return;
		const { prints } = stored;
		const length = wholeNumber(stored.length);
		if (typeof prints !== 'string' || prints.length !== length * this.ids.size) {
			throw new SyntaxError('Not the fingerprints of these IDs');
		}
		let index = 0;
		for (const id of this.ids) {
			this.prints.set(id, prints.slice(index, index + length));
			index += length;
		}
	}

	store(): StoredWatch {
		const { ids, prints } = this;
		const areDetailed = [...prints.values()].every(({ length }) => length > wholeLength);
		const isDetailed = ids.size <= mostInDetail && areDetailed;
		const length = isDetailed ? this.detailedLength : wholeLength;
		const texts = [...ids].map((id) => prints.get(id)?.slice(0, length) ?? '');
		return { ids: ids.pack(), length, prints: texts.join('') };
	}

	private get detailedLength(): number {
		return wholeLength + fieldLength * this.spec.written.length;
	}

	private printOf(resource: IDataObject): string {
		const texts = this.spec.written.map(({ from }) => textOf(from.read(resource)));
		const parts = texts.map((text) => fingerprint(text, fieldLength));
		return [fingerprint(texts.join('\n'), wholeLength), ...parts].join('');
	}

	/** The fields that have changed, with their new values; null where they are not known. */
	private changesOf(resource: IDataObject, before: string, now: string): IDataObject | null {
		if (before.length < this.detailedLength) return null;
		const partOf = (print: string, index: number) => {
			const start = wholeLength + index * fieldLength;
			return print.slice(start, start + fieldLength);
		};
		const changed = this.spec.written.filter(
			(_, index) => partOf(before, index) !== partOf(now, index),
		);
		return Object.fromEntries(changed.map(({ name, from }) => [name, from.read(resource)]));
	}

	see(resource: IDataObject, id: number): void {
		const now = this.printOf(resource);
		const before = this.prints.get(id);
		this.prints.set(id, now);
		this.ids.add(id);
		if (before === undefined || before.slice(0, wholeLength) === now.slice(0, wholeLength)) return;
		const changes = this.changesOf(resource, before, now);
		this.context.report({ event: this.spec.event, id, resource, told: { changes } });
	}

	readonly rolling: RollingWatch = {
		isNew: false,
		pages: pagesPerPoll,
		take: async (page, reading, below) => await this.take(page, reading, below),
		endRound: () => undefined,
	};

	/** What was on a page, or above it, and is not any more has been deleted, or a change has taken it out of the filters. */
	private async take({ ids, items, number }: IdPage, reading: Reading, below: number) {
		ids.forEach((id, index) => {
			const resource = items[index];
			if (resource && this.context.fits(resource) === false) this.endWith(id, resource);
		});
		const from = number === 1 ? 0 : ids[0];
		if (from === undefined) return;
		const there = new Set(ids);
		for (const id of this.ids.between(from, below - 1)) {
			if (!there.has(id)) await this.leave(id, reading);
		}
	}

	private async leave(id: number, reading: Reading): Promise<void> {
		const resource = await reading.get(id);
		if (!resource || this.context.fits(resource) === false) this.endWith(id, resource);
	}

	/** One that is gone, or does not fit any more: that it did is the last that is known of it. */
	private endWith(id: number, resource: IDataObject | undefined): void {
		const before = this.prints.get(id);
		if (before === undefined) return;
		this.ids.delete(id);
		this.prints.delete(id);
		if (!resource) return;
		const changes = this.changesOf(resource, before, this.printOf(resource));
		this.context.report({ event: this.spec.event, id, resource, told: { changes } });
	}
}

/** Begins to watch what people write. */
export const changes =
	(spec: ChangesSpec): BeginWatch =>
	(context, stored) =>
		new Changes(spec, context, stored);
