import type { IDataObject } from 'n8n-workflow';
import type { EncodedFilter } from '../contract/clientFilterTypes';
import { sortKeys, type Param } from '../contract/endpoints';
import { paramsOf, type EncodedRow } from '../contract/encodedRow';
import { integerOf } from '../contract/readers';
import { rejection } from '../transport/serviceError';
import { keyOf, type ListReader } from './list';

/** Returns whether a value is not before the previous value in a direction. */
const isOrdered = (previous: number, value: number, direction: 'asc' | 'desc'): boolean =>
	direction === 'asc' ? value >= previous : value <= previous;

/**
 * Detects the page after which no resource can pass a filter, in one read of a list that is sorted by date created
 * (assumption: filtered lists).
 */
class EndDetector {
	private readonly filter: EncodedFilter;

	private previous?: { readonly id: number | null; readonly createdAt: number };

	/** Whether all resources so far are in the order by date created. */
	private isSorted = true;

	/** Whether the page has a resource, and only resources that fail the filter. */
	private failed = 0;
	private others = 0;

	constructor(filter: EncodedFilter) {
		this.filter = filter;
	}

	add(resource: IDataObject): void {
		const { end, passes } = this.filter;
		if (passes(resource) === false) this.failed += 1;
		else this.others += 1;
		const createdAt = end?.createdAt(resource);
		if (!end || createdAt === undefined) {
			this.isSorted = false;
			return;
		}
		const id = integerOf(resource.id);
		const { previous } = this;
		if (previous) {
			this.isSorted &&= isOrdered(previous.createdAt, createdAt, end.direction);
			// IDs that are not numbers show no order.
			if (previous.id !== null && id !== null)
				this.isSorted &&= isOrdered(previous.id, id, end.direction);
		}
		this.previous = { id, createdAt };
	}

	/** Ends a page. Returns whether all its resources fail, and no later resource can pass. */
	endPage(): boolean {
		const isEnd = this.isSorted && this.failed > 0 && this.others === 0;
		this.failed = 0;
		this.others = 0;
		return isEnd;
	}
}

/** Applies the client filters of a row to its lists. */
export class RowFilters {
	/** The params that complete the order of the list, so that a read can end early. */
	readonly orderParams: readonly Param[];

	private readonly filters: readonly EncodedFilter[];

	/** The filters that can end the list early. */
	private readonly ending: readonly EncodedFilter[];

	/** The filters whose value some resource shows. */
	private readonly shown = new Set<EncodedFilter>();
	private readonly read = new Set<string>();
	private readonly unknown = new Map<string, readonly EncodedFilter[]>();
	private readonly doubtful = new Set<string>();

	/** The name of the resource. */
	private readonly resource: string;

	constructor({ contract, filters, fields }: EncodedRow) {
		this.resource = contract.value;
		const params = new Map(paramsOf(fields));
		const direction = params.get(sortKeys.direction) ?? 'desc';
		const isByDate = (params.get(sortKeys.by) ?? 'id') === 'id';
		this.filters = filters;
		this.ending = filters.filter(({ end }) => isByDate && end?.direction === direction);
		const order: readonly Param[] = [
			[sortKeys.by, 'id'],
			[sortKeys.direction, direction],
		];
		this.orderParams = this.ending.length > 0 ? order.filter(([name]) => !params.has(name)) : [];
	}

	get isActive(): boolean {
		return this.filters.length > 0;
	}

	/** Whether a read can end before the last page, so that it fetches one page at a time. */
	get canEndEarly(): boolean {
		return this.ending.length > 0;
	}

	/** Returns whether a resource passes all filters. */
	private passes(resource: IDataObject): boolean {
		const key = keyOf(resource);
		const results = this.filters.map((filter) => ({ filter, passes: filter.passes(resource) }));
		this.read.add(key);
		for (const { filter, passes } of results) if (passes !== undefined) this.shown.add(filter);
		if (results.some(({ passes }) => passes === false)) {
			const failed = results.filter(({ passes }) => passes === false);
			// The other interpretation may let the resource pass.
			if (failed.every(({ filter }) => filter.isDoubtful?.(resource))) this.doubtful.add(key);
			return false;
		}
		const unknown = results.filter(({ passes }) => passes === undefined);
		if (unknown.length > 0) {
			this.unknown.set(
				key,
				unknown.map(({ filter }) => filter),
			);
			return false;
		}
		if (this.filters.some(({ isDoubtful }) => isDoubtful?.(resource))) this.doubtful.add(key);
		return true;
	}

	/** Starts a read of a list. */
	start(): ListReader {
		const detectors = this.ending.map((filter) => new EndDetector(filter));
		return {
			isWanted: (resource) => {
				for (const detector of detectors) detector.add(resource);
				return this.passes(resource);
			},
			// Each detector must end its page.
			isEnd: () => detectors.map((detector) => detector.endPage()).some((isEnd) => isEnd),
		};
	}

	/**
	 * Checks that the service shows the values that the filters need.
	 *
	 * @throws ServiceError if a filter excluded resources whose value the service shows for no resource
	 */
	check(): void {
		const excluding = [...this.unknown.values()].flat();
		const filter = excluding.find((candidate) => !this.shown.has(candidate));
		if (!filter) return;
		const { displayName, filter: source } = filter.property;
		throw rejection(
			`${displayName} cannot filter the list, because the service returns no readable ${source.key}`,
			`Remove ${displayName}. To see what the service returns, set Output to Raw.`,
		);
	}

	/** Returns sentences about the links that the filters cannot decide about. */
	notes(): string[] {
		const { unknown, doubtful } = this;
		const all = `${this.read.size} ${this.resource}${this.read.size === 1 ? '' : 's'}`;
		const names = new Set([...unknown.values()].flat().map(({ property }) => property.displayName));
		return [
			...(unknown.size > 0
				? [
						`The node left out ${unknown.size} of ${all}, because the service does not show the values for ${[...names].join(', ')}`,
					]
				: []),
			...(doubtful.size > 0
				? [
						`For ${doubtful.size} of ${all}, the result depends on the Z at the end of a time; the node read it as UTC`,
					]
				: []),
		];
	}
}
