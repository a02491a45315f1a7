/** Marks that open a quotation or a bracket around a text. */
export const opening = /^\s*["'`“”„‟«»‹›‘’‚‛([{<]/;

/** Marks in which a quoted address ends, and brackets that close. */
const closings = ['"', "'", '`', '“', '”', '’', '‘', '«', '»', '‹', '›'];
const brackets: ReadonlyMap<string, string> = new Map([
	[')', '('],
	[']', '['],
	['}', '{'],
	['>', '<'],
]);

const count = (text: string, mark: string) => text.split(mark).length - 1;

/** Whether an address ends in a mark that has no counterpart in it: it is what remains of a quoted cell. */
export function isUnclosed(address: string): boolean {
	const last = address.at(-1) ?? '';
	const open = brackets.get(last);
	return open === undefined
		? closings.includes(last) && count(address, last) % 2 === 1
		: count(address, last) > count(address, open);
}
