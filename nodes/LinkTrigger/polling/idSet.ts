import { decodeNumbers, encodeNumbers } from './compactEncoding';

/** Returns the smallest index whose ID is not below a bound. */
function lowerBound(ids: readonly number[], bound: number): number {
	let low = 0;
	let high = ids.length;
	while (low < high) {
		const middle = Math.floor((low + high) / 2);
		if ((ids[middle] ?? Infinity) < bound) low = middle + 1;
		else high = middle;
	}
	return low;
}

const ascending = (ids: Iterable<number>): number[] => [...ids].sort((a, b) => a - b);

/** Max number of IDs. No account has more, but a broken state could contain any number. */
const maxIds = 10_000_000;

/** A set of IDs, which iterates in ascending order. */
export class IdSet {
	/** The IDs before the changes, ascending. */
	private sorted: readonly number[];

	/** The IDs that were added (true) or deleted (false) since. They are merged in one pass, because each change moves the rest. */
	private readonly changed = new Map<number, boolean>();

	constructor(ids: Iterable<number> = []) {
		this.sorted = ascending(new Set(ids));
	}

	private get ids(): readonly number[] {
		if (this.changed.size > 0) {
			const others = this.sorted.filter((id) => !this.changed.has(id));
			const added = [...this.changed].flatMap(([id, isAdded]) => (isAdded ? id : []));
			// V8 merges two sorted runs in linear time.
			this.sorted = ascending(others.concat(ascending(added)));
			this.changed.clear();
		}
		return this.sorted;
	}

	get size(): number {
		return this.ids.length;
	}

	/** The highest ID; 0 for an empty set. */
	get highest(): number {
		return this.ids.at(-1) ?? 0;
	}

	[Symbol.iterator](): Iterator<number> {
		return this.ids[Symbol.iterator]();
	}

	has(id: number): boolean {
		return this.changed.get(id) ?? this.sorted[lowerBound(this.sorted, id)] === id;
	}

	/** Adds an ID. Returns whether it is new to the set. */
	add(id: number): boolean {
		if (this.has(id)) return false;
		this.changed.set(id, true);
		return true;
	}

	delete(id: number): void {
		if (this.has(id)) this.changed.set(id, false);
	}

	/** Returns the IDs from one bound to another, both included. */
	between(from: number, to: number): number[] {
		return this.ids.slice(lowerBound(this.ids, from), lowerBound(this.ids, to + 1));
	}

	/** Returns the set as a short text: the gaps between runs of successive IDs, and the lengths of runs longer than one. */
	encode(): string {
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
		return encodeNumbers(numbers);
	}

	/**
	 * Returns the set that `encode` encoded.
	 *
	 * @throws SyntaxError for any other value
	 */
	static decode(text: unknown): IdSet {
		const numbers = decodeNumbers(text);
		const ids: number[] = [];
		let last = 0;
		for (let index = 0; index < numbers.length; index += 1) {
			const code = numbers[index] ?? 0;
			const first = last + Math.floor(code / 2);
			const length = code % 2 === 1 ? (numbers[(index += 1)] ?? 0) : 1;
			if (ids.length + length > maxIds) throw new SyntaxError('Too many IDs');
			for (let offset = 0; offset < length; offset += 1) ids.push(first + offset);
			last = first + length - 1;
		}
		return new IdSet(ids);
	}
}
