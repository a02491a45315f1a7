import { Invalid, type NameLookup } from '../types';
import { lineBreaks, quoteText, shorten } from '../values';

/** A separator, kept apart from what it separates. */
const separator = /([,;]|\r\n|[\n\r\u2028\u2029])/;

/** The separators from the strongest to the weakest: a name with a weaker one can stand between stronger ones. */
const strengths: ReadonlyArray<(text: string) => boolean> = [
	(text) => lineBreaks.test(text),
	(text) => text === ';',
	(text) => text === ',',
];

/** A text between two separators, and the separator after it. */
interface Piece {
	readonly start: number;
	readonly end: number;
	readonly separator: string;
}

/** Pieces that belong together, by their places; `to` is the place after the last one. */
interface Run {
	readonly from: number;
	readonly to: number;
}

function piecesOf(text: string): Piece[] {
	const parts = text.split(separator);
	const pieces: Piece[] = [];
	let start = 0;
	for (let at = 0; at < parts.length; at += 2) {
		const end = start + (parts[at] ?? '').length;
		const mark = parts[at + 1] ?? '';
		pieces.push({ start, end, separator: mark });
		start = end + mark.length;
	}
	return pieces;
}

/** The names in the text of a cell. */
class NameCell {
	private readonly text: string;

	private readonly names: NameLookup;

	private readonly pieces: readonly Piece[];

	constructor(text: string, names: NameLookup) {
		this.text = text;
		this.names = names;
		this.pieces = piecesOf(text);
	}

	/** The runs of the entries: what the list shows stays whole, and everything else is split further. */
	runs(run: Run = { from: 0, to: this.pieces.length }, level = 0): Run[] {
		const text = this.textOf(run);
		if (text === '') return [];
		const isSeparator = strengths[level];
		if (!isSeparator || run.to - run.from === 1 || this.names.isListed(text)) return [run];
		const runs: Run[] = [];
		let { from } = run;
		for (let at = run.from; at < run.to; at += 1) {
			if (at < run.to - 1 && !isSeparator(this.pieces[at]?.separator ?? '')) continue;
			for (const entry of this.runs({ from, to: at + 1 }, level + 1)) runs.push(entry);
			from = at + 1;
		}
		return runs;
	}

	textOf({ from, to }: Run): string {
		return this.text.slice(this.pieces[from]?.start, this.pieces[to - 1]?.end).trim();
	}

	/** A name that several entries make together; undefined if no entries do. */
	nameOfSeveral(entries: readonly Run[]): string | undefined {
		const maxParts = this.names.maxParts();
		for (const { from, to } of maxParts < 2 ? [] : entries) {
			for (let first = from; first < to; first += 1) {
				const last = Math.min(first + maxParts, this.pieces.length);
				for (let end = to + 1; end <= last; end += 1) {
					const text = this.textOf({ from: first, to: end });
					if (this.names.isListed(text)) return text;
				}
			}
		}
		return undefined;
	}
}

/**
 * The names and IDs in the text of a cell, separated by line breaks, semicolons or commas. A name that contains a separator
 * stays whole if it is the whole cell, or stands between stronger separators. Invalid if entries together are a name as well.
 */
export function splitNames(text: string, names: NameLookup): readonly string[] | Invalid {
	const cell = new NameCell(text, names);
	const runs = cell.runs();
	const name = cell.nameOfSeveral(runs);
	return name === undefined
		? runs.map((run) => cell.textOf(run))
		: new Invalid([
				`${quoteText(name)} may be one name or several; write the list as JSON, such as ${shorten(JSON.stringify([name]))}`,
			]);
}
