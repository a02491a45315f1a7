import { fromNumbers, toNumbers } from './packing';

/** The smallest index whose ID is not below a bound. */
function indexOf(ids: readonly number[], bound: number): number {
	let low = 0;
	let high = ids.length;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((ids[middle] ?? Infinity) < bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

const inOrder = (ids: Iterable<number>): number[] => [...ids].sort((one, other) => one - other);

/** Returns two lists of IDs in order as one. */
function merged(ids: readonly number[], others: readonly number[]): readonly number[] {
	if (others.length === 0) return ids;
	const all: number[] = [];
	let index = 0;
	for (const id of ids) {
		for (; (others[index] ?? Infinity) < id; index += 1) all.push(others[index] ?? 0);
		all.push(id);
	}
	return all.concat(others.slice(index));
}

/** No account has more IDs. */
const mostIds = 10_000_000;

/** A set of IDs in their order. */
export class IdSet {
	/** The IDs before the changes. */
	private sorted: readonly number[];

	/** IDs that were added since, or deleted: they are merged at once, because each one moves all behind it. */
	private readonly changed = new Map<number, boolean>();

	constructor(ids: Iterable<number> = []) {
		this.sorted = inOrder(new Set(ids));
	}

	/** All IDs in their order. */
	private get ids(): readonly number[] {
		if (this.changed.size > 0) {
			const others = this.sorted.filter((id) => !this.changed.has(id));
			const added = [...this.changed].flatMap(([id, isThere]) => (isThere ? id : []));
			this.sorted = merged(others, inOrder(added));
			this.changed.clear();
		}
		return this.sorted;
	}

	get size(): number {
		return this.ids.length;
	}

	/** The highest ID; 0 where there is none. */
	get highest(): number {
		return this.ids.at(-1) ?? 0;
	}

	[Symbol.iterator](): Iterator<number> {
		return this.ids[Symbol.iterator]();
	}

	has(id: number): boolean {
		return this.changed.get(id) ?? this.sorted[indexOf(this.sorted, id)] === id;
	}

	/** @returns whether it was not there before */
	add(id: number): boolean {
		if (this.has(id)) return false;
		this.changed.set(id, true);
		return true;
	}

	delete(id: number): void {
		if (this.has(id)) this.changed.set(id, false);
	}

	/** How many IDs are lower than a bound. */
	countBelow(bound: number): number {
		return indexOf(this.ids, bound);
	}

	/** The IDs from one bound to another, both included. */
	between(from: number, to: number): number[] {
		return this.ids.slice(indexOf(this.ids, from), indexOf(this.ids, to + 1));
	}

	/**
	 * The set as a short text: the gaps between runs of successive IDs, and the lengths of the runs that are longer than one.
	 */
	pack(): string {
		const { ids } = this;
		const numbers: number[] = [];
		let last = 0;
		for (let index = 0; index < ids.length; ) {
			const first = ids[index] ?? 0;
			let length = 1;
			while (ids[index + length] === first + length) length += 1;
			numbers.push((first - last) * 2 + (length > 1 ? 1 : 0));
			if (length > 1) numbers.push(length);
			last = first + length - 1;
			index += length;
		}
		return fromNumbers(numbers);
	}

	/**
	 * Reads what `pack` wrote.
	 *
	 * @throws SyntaxError for any other text
	 */
	static unpack(text: unknown): IdSet {
		const numbers = toNumbers(text);
		const ids: number[] = [];
		let last = 0;
		for (let index = 0; index < numbers.length; index += 1) {
			const code = numbers[index] ?? 0;
			const first = last + Math.floor(code / 2);
			const length = code % 2 === 1 ? (numbers[(index += 1)] ?? 0) : 1;
			if (ids.length + length > mostIds) throw new SyntaxError('These are too many IDs');
			for (let offset = 0; offset < length; offset += 1) ids.push(first + offset);
			last = first + length - 1;
		}
		return new IdSet(ids);
	}
}
