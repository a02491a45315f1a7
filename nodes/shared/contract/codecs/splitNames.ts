import { Invalid, type NameLookup } from '../types';
import { lineBreaks, quoteText, shorten } from '../values';

/** Matches a separator. The group keeps it in the result of a split. */
const nameSeparator = /([,;]|\r\n|[\n\r\u2028\u2029])/;

/**
 * The kinds of separators from the strongest to the weakest. A name may contain weaker separators than those around
 * it.
 */
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

/** Consecutive pieces. `to` is the index after the last piece. */
interface PieceRange {
	readonly from: number;
	readonly to: number;
}

function piecesOf(text: string): Piece[] {
	const parts = text.split(nameSeparator);
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

/** Returns a name that consists of several entries; undefined if there is none. */
function nameOfSeveral(
	entries: readonly PieceRange[],
	pieceCount: number,
	names: NameLookup,
	textOf: (run: PieceRange) => string,
): string | undefined {
	const maxParts = names.maxParts();
	for (const { from, to } of maxParts < 2 ? [] : entries) {
		for (let first = from; first < to; first += 1) {
			const last = Math.min(first + maxParts, pieceCount);
			for (let end = to + 1; end <= last; end += 1) {
				const text = textOf({ from: first, to: end });
				if (names.isListed(text)) return text;
			}
		}
	}
	return undefined;
}

/**
 * Returns the names and IDs in a cell, separated by line breaks, semicolons or commas. A name with a separator stays whole if
 * it is the whole cell or is between stronger separators. Invalid if several entries are also a name together.
 */
export function splitNames(text: string, names: NameLookup): readonly string[] | Invalid {
	const pieces = piecesOf(text);
	const textOf = ({ from, to }: PieceRange) =>
		text.slice(pieces[from]?.start, pieces[to - 1]?.end).trim();
	// Splits a run further unless the list contains it.
	const split = (run: PieceRange, level: number): PieceRange[] => {
		const runText = textOf(run);
		if (runText === '') return [];
		const isSeparator = strengths[level];
		if (!isSeparator || run.to - run.from === 1 || names.isListed(runText)) return [run];
		const runs: PieceRange[] = [];
		let { from } = run;
		for (let at = run.from; at < run.to; at += 1) {
			if (at < run.to - 1 && !isSeparator(pieces[at]?.separator ?? '')) continue;
			for (const entry of split({ from, to: at + 1 }, level + 1)) runs.push(entry);
			from = at + 1;
		}
		return runs;
	};
	const entries = split({ from: 0, to: pieces.length }, 0);
	const name = nameOfSeveral(entries, pieces.length, names, textOf);
	return name === undefined
		? entries.map(textOf)
		: new Invalid([
				`${quoteText(name)} may be one name or several names; enter the list as JSON, such as ${shorten(JSON.stringify([name]))}`,
			]);
}
