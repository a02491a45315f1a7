/** Matches a text that starts with a quotation mark or an opening bracket. */
export const opening = /^\s*["'`“”„‟«»‹›‘’‚‛([{<]/;

const closings = ['"', "'", '`', '“', '”', '’', '‘', '«', '»', '‹', '›'];
const brackets: ReadonlyMap<string, string> = new Map([
	[')', '('],
	[']', '['],
	['}', '{'],
	['>', '<'],
]);

const count = (text: string, mark: string) => text.split(mark).length - 1;

/**
 * Returns whether an address ends with an unmatched quotation mark or bracket, as the last part of a quoted cell
 * does.
 */
export function isUnclosed(address: string): boolean {
	const last = address.at(-1) ?? '';
	const open = brackets.get(last);
	return open === undefined
		? closings.includes(last) && count(address, last) % 2 === 1
		: count(address, last) > count(address, open);
}
