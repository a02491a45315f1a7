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

/** A set of IDs in their order. */
export class IdSet {
	private readonly ids: number[];

	constructor(ids: Iterable<number> = []) {
		this.ids = [...new Set(ids)].sort((one, other) => one - other);
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
		return this.ids[indexOf(this.ids, id)] === id;
	}

	/** @returns whether it was not there before */
	add(id: number): boolean {
		const index = indexOf(this.ids, id);
		if (this.ids[index] === id) return false;
		this.ids.splice(index, 0, id);
		return true;
	}

	delete(id: number): void {
		const index = indexOf(this.ids, id);
		if (this.ids[index] === id) this.ids.splice(index, 1);
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
		const numbers: number[] = [];
		let last = 0;
		for (let index = 0; index < this.ids.length; ) {
			const first = this.ids[index] ?? 0;
			let length = 1;
			while (this.ids[index + length] === first + length) length += 1;
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
			if (length > 1_000_000) throw new SyntaxError('A run of IDs is too long');
			for (let offset = 0; offset < length; offset += 1) ids.push(first + offset);
			last = first + length - 1;
		}
		return new IdSet(ids);
	}
}
