/**
 * Texts from outside: cells, column names, what the service says. All texts are plain until they leave to n8n, which shows
 * some as HTML. docs/architecture.md lists which, under "Texts from outside".
 */

/** Returns a text without line breaks, other control characters, and what turns the direction of writing. */
export const oneLine = (text: string): string =>
	text.replace(/[\p{Cc}\u061C\u200E\u200F\u2028-\u202E\u2066-\u2069]+/gu, ' ');

const entities = new Map([
	['&', '&amp;'],
	['<', '&lt;'],
	['>', '&gt;'],
	// n8n makes code of what is between two of them.
	['`', '&#96;'],
]);

/** Returns HTML that shows a text as it is. It is not for attributes, so quotes stay. */
export const escapeHtml = (text: string): string =>
	text.replace(/[&<>`]/g, (character) => entities.get(character) ?? character);

/** Returns a text that is the same as HTML and as text, with brackets that look alike and begin no tag. */
const withoutTags = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›');

/** What the editor shows of an error. */
interface ShownError {
	message: string;
	description?: string | null;
}

/**
 * Returns an error as the editor is to show it: its description as HTML, its message without tags.
 *
 * @param isTool whether the message is for a model, which reads it as it is
 */
export function forEditor<E extends ShownError>(error: E, isTool = false): E {
	if (!isTool) error.message = withoutTags(oneLine(error.message));
	if (error.description) error.description = escapeHtml(error.description);
	return error;
}
